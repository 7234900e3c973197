// The log in a SQLite file. Every write is BEGIN IMMEDIATE, so that it never finds out at its end that somebody was faster;
// nothing in here waits while a transaction is open, so timers and other calls never see one half done.
import { statSync } from 'node:fs';
import type { StoredEvent } from '../../core/event.ts';
import { decodeEvent, type EventRow, encodeEvent } from '../event-row.ts';
import { partsOf } from '../kept-plan.ts';
import type {
  KeptDefinition,
  LeanSnapshot,
  Log,
  LogTransaction,
  LogView,
  PlanPart,
  SnapshotMark,
  StoredSnapshot,
} from '../log.ts';
import { Outage } from '../outage.ts';
import type { EventQuery, StoreClock } from '../store.ts';
import { AttemptTable } from './attempt-table.ts';
import { watchChanges } from './change-watch.ts';
import { chainSum, rowSum } from './check-sum.ts';
import type { Database } from './database.ts';
import { once } from './once.ts';
import { type BusyOptions, isBusy, retryBusy } from './retry-busy.ts';
import { codeOf, type Trouble, toOutage } from './sqlite-outage.ts';

export interface SqliteLogOptions extends BusyOptions, Trouble {
  readonly db: Database;
  readonly workspace: string;
  readonly clock: StoreClock;
}

export class SqliteLog implements Log, LogTransaction {
  readonly workspace: string;
  readonly #options: SqliteLogOptions;
  readonly #db: Database;
  readonly #inode: number;
  readonly #reading: ReturnType<typeof prepareReading>;
  readonly #writing: ReturnType<typeof prepareWriting>;
  readonly #attempts: AttemptTable;
  /** Of the last event that this process wrote; whoever writes the next one goes on from it. */
  #chain: { readonly seq: number; readonly sum: number } | null = null;

  constructor(options: SqliteLogOptions) {
    this.workspace = options.workspace;
    this.#options = options;
    this.#db = options.db;
    this.#inode = statSync(options.file).ino;
    this.#reading = prepareReading(options.db);
    this.#writing = prepareWriting(options.db);
    this.#attempts = new AttemptTable(options.db);
  }

  read<T>(body: (view: LogView) => Promise<T>): Promise<T> {
    return this.#within(() => {
      this.#reading.begin().run();
      // BEGIN alone fixes no moment yet; the first look at a table does, and meets a recovery that is under way.
      this.head();
    }, body);
  }

  write<T>(body: (tx: LogTransaction) => Promise<T>): Promise<T> {
    return this.#within(() => {
      this.#writing.begin().run();
      this.#refuseMoved();
    }, body);
  }

  watch(hint: () => void): () => void {
    const version = this.#db.prepare<[], { data_version: number }>('PRAGMA data_version');
    return watchChanges({ walFile: `${this.#options.file}-wal`, dataVersion: () => version.get()!.data_version }, hint);
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  /** The last event; 0 when there is none. */
  head(): number {
    return this.#reading.head().get()!.head ?? 0;
  }

  async now(): Promise<number> {
    return this.#options.clock.now();
  }

  async events({ after = 0, plan, withWorkspace = false, limit = -1 }: EventQuery): Promise<StoredEvent[]> {
    const { events, eventsOfPlan } = this.#reading;
    if (plan === undefined) return events().all(after, limit).map(decodeEvent);
    return eventsOfPlan()
      .all(after, plan, withWorkspace ? '' : plan, limit)
      .map(decodeEvent);
  }

  async snapshotMark(): Promise<SnapshotMark | null> {
    return this.#reading.snapshotMark().get() ?? null;
  }

  async snapshot(part?: 'workspace' | 'late'): Promise<StoredSnapshot | null> {
    const mark = await this.snapshotMark();
    if (!mark) return null;
    const workspace = this.#reading.snapshotWorkspace().get()!.body;
    if (part === 'workspace') return { ...mark, workspace, plans: [] };
    const parts = this.#reading.snapshotParts().all(mark.seq, mark.version);
    const definition = (plan: string) => (part === 'late' ? this.#definition(plan) : null);
    return { ...mark, workspace, plans: parts.map((row) => ({ ...row, definition: definition(row.plan) })) };
  }

  async keptDefinitions(): Promise<Map<string, SnapshotMark>> {
    const rows = this.#db
      .prepare<[], SnapshotMark & { plan: string }>('SELECT plan, seq, version FROM definitions')
      .all();
    return new Map(rows.map(({ plan, ...mark }) => [plan, mark]));
  }

  /** Prepared here: who has the plans never asks. */
  async leanSnapshot(): Promise<LeanSnapshot | null> {
    return this.#db.prepare<[], LeanSnapshot>('SELECT seq, version, workspace FROM lean_snapshot').get() ?? null;
  }

  async keepLean({ seq, version, workspace }: LeanSnapshot): Promise<void> {
    this.#db
      .prepare<[number, number, string, number]>('INSERT OR REPLACE INTO lean_snapshot VALUES (1, ?, ?, ?, ?)')
      .run(seq, version, workspace, rowSum([seq, version, workspace]));
  }

  async append(events: readonly StoredEvent[]): Promise<void> {
    for (const event of events) {
      const row = encodeEvent(event);
      const { seq, at, plan, type, v, body } = row;
      const sum = chainSum(row, this.#sumBefore(seq));
      this.#writing.append().run(seq, at, plan, type, v, body, sum);
      this.#chain = { seq, sum };
      this.#attempts.apply(event);
    }
  }

  async keepSnapshot({ seq, version, workspace, plans }: StoredSnapshot): Promise<void> {
    this.#writing.dropSnapshots().run();
    const keep = (plan: string, body: string, derived: Uint8Array | null, states: Uint8Array | null) => {
      const sum = rowSum([plan, seq, version, body, derived, states]);
      this.#writing.keepSnapshot().run(plan, seq, version, body, derived, states, sum);
    };
    keep('', workspace, null, null);
    for (const { plan, body, derived, states, definition } of plans) {
      keep(plan, body, derived, states);
      if (!definition) continue;
      this.#keepDefinition(plan, definition);
    }
  }

  #keepDefinition(plan: string, definition: KeptDefinition): void {
    const { seq, version, head, length } = definition;
    const places = definition.places()!;
    const sum = rowSum([plan, seq, version, head, length, places]);
    this.#writing.keepDefinition().run(plan, seq, version, head, length, places, sum);
    this.#writing.dropParts().run(plan);
    for (let part = 0; part < partsOf(length); part++) {
      const body = definition.part(part)!;
      this.#writing.keepPart().run(plan, part, seq, version, body, rowSum([plan, part, seq, version, body]));
    }
  }

  #sumBefore(seq: number): number {
    if (this.#chain?.seq === seq - 1) return this.#chain.sum;
    return this.#writing.chain().get(seq - 1)?.chain ?? 0;
  }

  #definition(plan: string): KeptDefinition | null {
    const kept = this.#db
      .prepare<[string], Pick<KeptDefinition, 'seq' | 'version' | 'head' | 'length'>>(
        'SELECT seq, version, head, length FROM definitions WHERE plan = ?',
      )
      .get(plan);
    if (!kept) return null;
    // Asked for later, when another definition may have taken its place.
    const own = 'plan = ? AND seq = ? AND version = ?';
    const { seq, version } = kept;
    const part = once(() =>
      this.#db.prepare<[string, number, number, number], { body: Uint8Array }>(
        `SELECT body FROM definition_parts WHERE ${own} AND part = ?`,
      ),
    );
    const places = once(() =>
      this.#db.prepare<[string, number, number], { places: Uint8Array }>(`SELECT places FROM definitions WHERE ${own}`),
    );
    return {
      ...kept,
      part: (at) => part().get(plan, seq, version, at)?.body,
      places: () => places().get(plan, seq, version)?.places,
    };
  }

  /** Begins (waiting while the database is busy), runs `body`, and commits; any error rolls back and is passed on. */
  async #within<T>(begin: () => void, body: (log: this) => Promise<T>): Promise<T> {
    await retryBusy(() => this.#begin(begin), this.#options);
    try {
      const result = await body(this);
      this.#reading.commit().run();
      return result;
    } catch (error) {
      this.#rollBack();
      this.#chain = null;
      // What the work itself threw is its caller's own affair, whatever its code.
      const own = error instanceof Outage || codeOf(error).startsWith('SQLITE_');
      throw own ? toOutage(error, this.#options) : error;
    }
  }

  #begin(begin: () => void): void {
    try {
      begin();
    } catch (error) {
      this.#rollBack();
      throw isBusy(error) ? error : toOutage(error, this.#options);
    }
  }

  /** Some errors (a full disk) have rolled back already. */
  #rollBack(): void {
    if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
  }

  /** A folder deleted or a database set aside under a living process would swallow what we write. Costs 2 µs a transaction. */
  #refuseMoved(): void {
    const { file } = this.#options;
    if (statSync(file, { throwIfNoEntry: false })?.ino === this.#inode) return;
    throw new Outage(
      'moved-database',
      `The database ${file} was moved, replaced or deleted while in use; nothing more is written to the old one. Run again.`,
    );
  }
}

const columns = 'seq, at, plan, type, v, body';
/** A bare `LIMIT ?` is looked at when the query is planned: SQLite would compile it again for every call, which takes ten times as long. */
const most = 'LIMIT ? + 0';

function prepareReading(db: Database) {
  return {
    begin: once(() => db.prepare('BEGIN')),
    commit: once(() => db.prepare('COMMIT')),
    head: once(() => db.prepare<[], { head: number | null }>('SELECT max(seq) AS head FROM events')),
    events: once(() =>
      db.prepare<[number, number], EventRow>(`SELECT ${columns} FROM events WHERE seq > ? ORDER BY seq ${most}`),
    ),
    eventsOfPlan: once(() =>
      db.prepare<[number, string, string, number], EventRow>(
        `SELECT ${columns} FROM events WHERE seq > ? AND plan IN (?, ?) ORDER BY seq ${most}`,
      ),
    ),
    snapshotMark: once(() => db.prepare<[], SnapshotMark>("SELECT seq, version FROM snapshots WHERE plan = ''")),
    snapshotWorkspace: once(() => db.prepare<[], { body: string }>("SELECT body FROM snapshots WHERE plan = ''")),
    snapshotParts: once(() =>
      db.prepare<[number, number], Omit<PlanPart, 'definition'>>(
        "SELECT plan, body, derived, states FROM snapshots WHERE seq = ? AND version = ? AND plan <> '' ORDER BY plan",
      ),
    ),
  };
}

function prepareWriting(db: Database) {
  return {
    begin: once(() => db.prepare('BEGIN IMMEDIATE')),
    append: once(() =>
      db.prepare<[number, number, string, string, number, string, number]>(
        `INSERT INTO events (${columns}, chain) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ),
    ),
    chain: once(() => db.prepare<[number], { chain: number | null }>('SELECT chain FROM events WHERE seq = ?')),
    dropSnapshots: once(() => db.prepare('DELETE FROM snapshots')),
    keepSnapshot: once(() =>
      db.prepare<[string, number, number, string, Uint8Array | null, Uint8Array | null, number]>(
        'INSERT INTO snapshots (plan, seq, version, body, derived, states, sum) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ),
    ),
    keepDefinition: once(() =>
      db.prepare<[string, number, number, string, number, Uint8Array, number]>(
        'INSERT OR REPLACE INTO definitions (plan, seq, version, head, length, places, sum) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ),
    ),
    dropParts: once(() => db.prepare<[string]>('DELETE FROM definition_parts WHERE plan = ?')),
    keepPart: once(() =>
      db.prepare<[string, number, number, number, Uint8Array, number]>(
        'INSERT INTO definition_parts (plan, part, seq, version, body, sum) VALUES (?, ?, ?, ?, ?, ?)',
      ),
    ),
  };
}
