import { describe, expect, it } from 'vitest';
import { lockHolders, writeLockByte } from './database-holder.ts';

const procLocks = `1: POSIX  ADVISORY  WRITE 4128 fe:00:2146421 120 120
2: POSIX  ADVISORY  READ 4128 fe:00:2146421 124 124
3: POSIX  ADVISORY  READ 4129 fe:00:2146419 1073741826 1073742335
3: -> POSIX  ADVISORY  WRITE 5000 fe:00:2146421 120 120
4: FLOCK  ADVISORY  WRITE 77 fe:00:2146421 0 EOF
5: POSIX  ADVISORY  WRITE 0 fe:00:99 0 EOF
6: OFDLCK ADVISORY  WRITE -1 fe:00:99 0 EOF
7: POSIX  ADVISORY  WRITE 6000 fe:00:98 100 EOF
`;

describe('lock holders', () => {
  it.each([
    ['the writer', 2146421, writeLockByte, [4128]],
    ['anybody', 2146421, undefined, [4128]],
    ['readers too', 2146419, undefined, [4129]],
    ['a reader of that byte is no writer', 2146421, 124, []],
    ['another pid namespace', 99, writeLockByte, []],
    ['an open range', 98, writeLockByte, [6000]],
    ['an open range that begins later', 98, 99, []],
    ['nobody', 1, undefined, []],
  ])('%s', (_, inode, byte, pids) => {
    expect(lockHolders(procLocks, inode, byte)).toEqual(pids);
  });
});
