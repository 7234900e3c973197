// What rigs start and make. Files of tests share their modules, so a rig that took it away itself would do so after the first file
// alone: test/after-each-file.ts does.
import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';

export const running = new Set<ChildProcess>();
export const folders: string[] = [];

export function takeAway(): void {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}
