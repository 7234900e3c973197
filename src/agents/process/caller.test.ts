// Who uses us, through whatever shells lie between.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callerPid } from './caller.ts';

const tree = (rows: Record<number, [number, string]>) => (pid: number) => {
  const row = rows[pid];
  return row ? { ppid: row[0], name: row[1] } : null;
};

describe('the program that uses us', () => {
  it.each<[string, Record<number, [number, string]>, number]>([
    ['is the parent', { 9: [5, 'claude'], 5: [1, 'zsh'] }, 9],
    ['is behind a shell', { 9: [8, 'sh'], 8: [5, 'claude'], 5: [1, 'zsh'] }, 8],
    ['is behind shells in shells', { 9: [8, 'sh'], 8: [7, 'bash'], 7: [6, 'npx'], 6: [5, 'node'] }, 6],
    ['is behind npx', { 9: [8, 'sh'], 8: [7, 'npm exec signal'], 7: [6, 'claude'] }, 7],
    ['is behind our own launcher', { 9: [8, 'signalbox'], 8: [7, 'sh'], 7: [6, 'claude'] }, 7],
    ['is the outermost shell, if there is nothing else', { 9: [8, 'sh'], 8: [1, 'bash'] }, 8],
    ['is what is known of it, if an ancestor cannot be seen', { 9: [8, 'sh'] }, 8],
    ['is the parent, if nothing is known', {}, 9],
  ])('%s', (_, rows, pid) => {
    expect(callerPid(9, tree(rows))).toBe(pid);
  });

  it('is found behind the launcher that waits for a newer Node', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-caller-'));
    const launcher = join(folder, 'signalbox.cjs');
    writeFileSync(launcher, 'process.stdout.write("up"); setInterval(() => undefined, 1000)');
    const child = spawn(process.execPath, [launcher], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      // Before that, the system may not know its arguments yet.
      await once(child.stdout, 'data');
      expect(callerPid(child.pid)).toBe(process.pid);
    } finally {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    }
  });

  it('is found among the processes of this machine', () => {
    expect(callerPid()).toBeGreaterThan(0);
    // Tests are started by a Node, which is no shell.
    expect(callerPid(process.pid)).toBe(process.pid);
  });
});
