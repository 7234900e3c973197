// Folders to measure in, deleted only when everything is measured: on ext4, creating a file costs 1 ms instead of 0.03 for a
// while after some 10,000 were deleted, and it is those who create most that would look slow.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made = [];
process.on('exit', () => {
  for (const dir of made) rmSync(dir, { recursive: true, force: true });
});

export function folder() {
  const dir = mkdtempSync(join(tmpdir(), 'sb-bench-'));
  made.push(dir);
  return dir;
}
