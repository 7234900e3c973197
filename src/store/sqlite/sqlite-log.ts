// The log in a SQLite file. Every write is BEGIN IMMEDIATE, so it never fails at its end because another writer was faster.
// Nothing here waits while a transaction is open, so timers and other calls never see one half done.
import { statSync } from 'node:fs';
import type { StoredEvent } from '../../core/model/event.ts';
import { decodeEvent, type EventRow, encodeEvent } from '../event-row.ts';
import type { Log, LogTransaction, LogView, PlanPart, SnapshotMark, StoredSnapshot } from '../log.ts';
import { Outage } from '../outage.ts';
import type { EventQuery, StoreClock } from '../store.ts';
import { watchChanges } from './change-watch.ts';
import { chainSum, rowSum } from './check-sum.ts';
import type { Database } from './database.ts';
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
  /** Of the last event that this process wrote; whoever writes the next one goes on from it. */
  #chain: { readonly seq: number; readonly sum: number } | null = null;

  constructor(options: SqliteLogOptions) {
    this.workspace = options.workspace;
    this.#options = options;
    this.#db = options.db;
    this.#inode = statSync(options.file).ino;
    this.#reading = prepareReading(options.db);
    this.#writing = prepareWriting(options.db);
  }

  read<T>(body: (view: LogView) => Promise<T>): Promise<T> {
    return this.#within(() => {
      this.#reading.begin().run();
      // BEGIN alone fixes no moment yet; the first look at a table does, and meets a recovery that is under way.
      this.head();
      this.#refuseMoved();
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
    const dataVersion = () => {
      // One that is gone never changes again: whoever follows it has to look, and is told.
      this.#refuseMoved();
      return version.get()!.data_version;
    };
    return watchChanges({ walFile: `${this.#options.file}-wal`, dataVersion }, hint);
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

  async snapshot(): Promise<StoredSnapshot | null> {
    const mark = await this.snapshotMark();
    if (!mark) return null;
    const workspace = this.#reading.snapshotWorkspace().get()!.body;
    return { ...mark, workspace, plans: this.#reading.snapshotPlans().all(mark.seq, mark.version) };
  }

  async append(events: readonly StoredEvent[]): Promise<void> {
    for (const event of events) {
      const row = encodeEvent(event);
      const { seq, at, plan, type, v, body } = row;
      const sum = chainSum(row, this.#sumBefore(seq));
      this.#writing.append().run(seq, at, plan, type, v, body, sum);
      this.#chain = { seq, sum };
    }
  }

  async keepSnapshot({ seq, version, workspace, plans }: StoredSnapshot): Promise<void> {
    this.#writing.dropSnapshot().run();
    for (const { plan, body } of [{ plan: '', body: workspace }, ...plans]) {
      this.#writing.keepSnapshot().run(plan, seq, version, body, rowSum([plan, seq, version, body]));
    }
  }

  #sumBefore(seq: number): number {
    if (this.#chain?.seq === seq - 1) return this.#chain.sum;
    return this.#writing.chain().get(seq - 1)?.chain ?? 0;
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

  /** A folder deleted or a database set aside under a living process would swallow what we write, and never show news. Costs 2 µs. */
  #refuseMoved(): void {
    const { file } = this.#options;
    if (statSync(file, { throwIfNoEntry: false })?.ino === this.#inode) return;
    throw new Outage(
      'moved-database',
      `The database ${file} was moved, replaced or deleted while in use; the old one is neither read nor written any more. Run the command again.`,
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
    snapshotPlans: once(() =>
      db.prepare<[number, number], PlanPart>(
        "SELECT plan, body FROM snapshots WHERE seq = ? AND version = ? AND plan <> '' ORDER BY plan",
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
    dropSnapshot: once(() => db.prepare('DELETE FROM snapshots')),
    keepSnapshot: once(() =>
      db.prepare<[string, number, number, string, number]>(
        'INSERT INTO snapshots (plan, seq, version, body, sum) VALUES (?, ?, ?, ?, ?)',
      ),
    ),
  };
}

/** Made at its first use: most processes need a few of the statements, and each takes its time. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
