// Keeps a broken database under another name, with its -wal and -shm, so that nothing is ever deleted and a person or
// `sqlite3 .recover` can still look into it.
import { existsSync, lstatSync, renameSync } from 'node:fs';
import { Outage } from '../outage.ts';
import { holdersOf } from './database-holder.ts';
import type { StateFiles } from './state-folder.ts';

/**
 * Returns the new name; null when the broken one (`inode`; null when it was missing) is no longer there, because another
 * process has set it aside. The database goes first: a crash after that leaves a -wal without a database, which the next start
 * recognises (`isOrphaned`), while a database without its -wal would look whole and have lost its last events.
 */
export function setAside(files: StateFiles, inode: number | null, now: number): string | null {
  refuseInUse(files);
  if ((lstatSync(files.database, { throwIfNoEntry: false })?.ino ?? null) !== inode) return null;
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  let kept = `${files.database}.broken-${stamp}`;
  for (let n = 2; existsSync(kept) || existsSync(`${kept}-wal`); n++) kept = `${files.database}.broken-${stamp}-${n}`;
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(files.database + suffix)) renameSync(files.database + suffix, kept + suffix);
  }
  return kept;
}

/**
 * A -wal with content whose database is missing or empty: SQLite would delete it. The -wal is looked at first: whoever creates
 * a database right now has written the database's first page before its -wal exists (seen with 3.53.4).
 */
export function isOrphaned({ database, wal }: StateFiles): boolean {
  const walSize = lstatSync(wal, { throwIfNoEntry: false })?.size ?? 0;
  return walSize > 0 && (lstatSync(database, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

/** A living process would go on writing into what we moved, and a second run would start beside it. */
function refuseInUse(files: StateFiles): void {
  const holders = holdersOf(files.database).filter((pid) => pid !== process.pid);
  if (holders.length === 0) return;
  throw new Outage(
    'broken-database',
    `The database ${files.database} is broken, and process ${holders.join(', ')} still has it open. It was left as it is; ` +
      'end that process and run again: the broken one is then kept aside under another name.',
  );
}
