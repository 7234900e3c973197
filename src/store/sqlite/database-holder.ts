// Which processes use a database right now, as far as this system tells (Linux: /proc/locks; elsewhere nobody is known).
import { readFileSync, statSync } from 'node:fs';
import { lockHolders, writeLockByte } from './lock-holders.ts';

/** Everybody who has it open in WAL mode: each keeps a shared lock on the file until it closes. */
export function holdersOf(database: string): readonly number[] {
  return holders(database);
}

/** Who holds the write lock: `process 4128 (node)`; null when it cannot be told. */
export function writerOf(database: string): string | null {
  const [pid] = holders(`${database}-shm`, writeLockByte);
  if (pid === undefined) return null;
  const name = readOrEmpty(`/proc/${pid}/comm`).trim();
  const own = pid === process.pid ? 'this same process, ' : '';
  return `process ${pid} (${own}${name || 'ended meanwhile'})`;
}

function holders(file: string, byte?: number): readonly number[] {
  const inode = statSync(file, { throwIfNoEntry: false })?.ino;
  return inode === undefined ? [] : lockHolders(readOrEmpty('/proc/locks'), inode, byte);
}

/** Only ever a better message: where it cannot be read, nobody is named. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
