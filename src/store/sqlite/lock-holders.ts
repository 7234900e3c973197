// Who holds a lock on a file, read from the text of /proc/locks, so that a busy database can be told with a name. Linux only;
// a lock taken from another pid namespace cannot be told.

/** SQLite's write lock in WAL mode is this byte of the -shm file (measured with 3.53.4, and in its documented format). */
export const writeLockByte = 120;

/** Without `byte`, whoever holds any lock on the file. */
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
