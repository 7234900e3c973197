// The schema, as numbered steps that are compiled in. A step that was released is never changed; a new one is added below it.

export interface Migration {
  readonly schema: number;
  /** The oldest program version that may use a database after this step. */
  readonly minWriter: string;
  readonly statements: readonly string[];
}

export const migrations: readonly Migration[] = [
  {
    schema: 1,
    minWriter: '0.1.0',
    statements: [
      // The log. Small columns first: a filter by plan then never touches the pages of a body of 15 MB. No index by plan: a
      // store has few plans, and a second tree would add a page to every commit.
      `CREATE TABLE events (
        seq INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        plan TEXT NOT NULL,
        type TEXT NOT NULL,
        v INTEGER NOT NULL,
        body TEXT NOT NULL
      ) STRICT`,
      // One row for each plan and one, with an empty name, for the workspace; all of the same moment.
      `CREATE TABLE snapshots (
        plan TEXT PRIMARY KEY,
        seq INTEGER NOT NULL,
        version INTEGER NOT NULL,
        body TEXT NOT NULL
      ) STRICT`,
      // Attempts that have not ended. The supervisor is JSON.
      `CREATE TABLE attempts (
        token INTEGER PRIMARY KEY,
        plan TEXT NOT NULL,
        task TEXT NOT NULL,
        attempt TEXT NOT NULL,
        run TEXT NOT NULL,
        host TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('scheduled', 'running', 'doomed')),
        supervisor TEXT
      ) STRICT`,
    ],
  },
  {
    schema: 2,
    minWriter: '0.1.0',
    statements: ['ALTER TABLE snapshots ADD COLUMN derived BLOB'],
  },
  {
    schema: 3,
    minWriter: '0.1.0',
    statements: [
      // Of each task that has a history, one line.
      'ALTER TABLE snapshots ADD COLUMN states BLOB',
      // Of each plan its definition once more, in a form of which single tasks can be read; `seq` is the event that holds it.
      `CREATE TABLE definitions (
        plan TEXT PRIMARY KEY,
        seq INTEGER NOT NULL,
        version INTEGER NOT NULL,
        head TEXT NOT NULL,
        tasks BLOB NOT NULL,
        places BLOB NOT NULL
      ) STRICT`,
    ],
  },
  {
    schema: 4,
    minWriter: '0.1.0',
    statements: [
      // The workspace as those know it who begin without the plans; one row.
      `CREATE TABLE lean_snapshot (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        seq INTEGER NOT NULL,
        version INTEGER NOT NULL,
        workspace TEXT NOT NULL
      ) STRICT`,
    ],
  },
  {
    schema: 5,
    minWriter: '0.1.0',
    // See check-sum.ts. What was written before has none.
    statements: [
      'ALTER TABLE events ADD COLUMN chain INTEGER',
      'ALTER TABLE snapshots ADD COLUMN sum INTEGER',
      'ALTER TABLE definitions ADD COLUMN sum INTEGER',
      'ALTER TABLE lean_snapshot ADD COLUMN sum INTEGER',
    ],
  },
  {
    schema: 6,
    minWriter: '0.1.0',
    // Tasks in parts, as SQLite has no way to read a piece of a value. What was kept is made again from the log.
    statements: [
      'DROP TABLE definitions',
      `CREATE TABLE definitions (
        plan TEXT PRIMARY KEY,
        seq INTEGER NOT NULL,
        version INTEGER NOT NULL,
        head TEXT NOT NULL,
        length INTEGER NOT NULL,
        places BLOB NOT NULL,
        sum INTEGER
      ) STRICT`,
      `CREATE TABLE definition_parts (
        plan TEXT NOT NULL,
        part INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        version INTEGER NOT NULL,
        body BLOB NOT NULL,
        sum INTEGER,
        PRIMARY KEY (plan, part)
      ) STRICT`,
    ],
  },
  {
    schema: 7,
    minWriter: '0.2.0',
    // Whatever was kept beside the log to spare single commands a look at all of it; the log has everything.
    statements: [
      'DROP TABLE attempts',
      'DROP TABLE lean_snapshot',
      'DROP TABLE definitions',
      'DROP TABLE definition_parts',
      'DROP TABLE snapshots',
      // One row for each plan and one, with an empty name, for the workspace; all of the same moment.
      `CREATE TABLE snapshots (
        plan TEXT PRIMARY KEY,
        seq INTEGER NOT NULL,
        version INTEGER NOT NULL,
        body TEXT NOT NULL,
        sum INTEGER NOT NULL
      ) STRICT`,
    ],
  },
];

/** `schema` (number of the last step), `min_writer` and `workspace`. Older than every step, so that it can always be read. */
export const metaTable = 'CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT';
