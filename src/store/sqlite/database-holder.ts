// Which processes use a database right now, as far as this system tells (Linux: /proc/locks; elsewhere nobody is known).
import { readFileSync, statSync } from 'node:fs';

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

/** SQLite's write lock in WAL mode is this byte of the -shm file (measured with 3.53.4, and in its documented format). */
export const writeLockByte = 120;

/** From the text of /proc/locks; without `byte`, whoever holds any lock on the file. A lock from another pid namespace cannot be told. */
export function lockHolders(procLocks: string, inode: number, byte?: number): readonly number[] {
  const pids = new Set<number>();
  for (const line of procLocks.split('\n')) {
    // 1: POSIX  ADVISORY  WRITE 4128 fe:00:2146421 120 120
    const match = /^\d+: POSIX\s+\S+\s+(\S+)\s+(\d+)\s+\S+:(\d+)\s+(\d+)\s+(\d+|EOF)$/.exec(line.trim());
    if (!match || Number(match[3]) !== inode) continue;
    const [, mode, pid, , start, end] = match;
    const covers = byte === undefined || (Number(start) <= byte && (end === 'EOF' || byte <= Number(end)));
    if (covers && (byte === undefined || mode === 'WRITE') && Number(pid) > 0) pids.add(Number(pid));
  }
  return [...pids];
}
