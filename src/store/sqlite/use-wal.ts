// Puts a connection into the mode that everything here relies on: WAL, and every commit on the disk before it is acknowledged.
import { Outage } from '../outage.ts';
import type { Database } from './database.ts';
import { type BusyOptions, retryBusy } from './retry-busy.ts';

/** After a snapshot of a large plan the WAL would stay as large as it once was. */
const walLimitBytes = 16 * 1024 * 1024;

export async function useWal(db: Database, busy: BusyOptions): Promise<void> {
  const mode = await retryBusy(() => {
    const set = db.prepare<[], { journal_mode: string }>('PRAGMA journal_mode = WAL').get()!.journal_mode;
    // Some builds of the engine default to NORMAL in WAL mode, which may lose acknowledged commits in a power cut.
    db.exec('PRAGMA synchronous = FULL');
    db.exec(`PRAGMA journal_size_limit = ${walLimitBytes}`);
    return set;
  }, busy);
  if (mode !== 'wal') {
    throw new Outage(
      'io',
      `${busy.file} lies on a file system without shared memory (its journal mode stays ${mode}).`,
    );
  }
}
