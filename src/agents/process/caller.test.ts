// Who uses us, through whatever shells lie between.
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
    ['is the outermost shell, if there is nothing else', { 9: [8, 'sh'], 8: [1, 'bash'] }, 8],
    ['is what is known of it, if an ancestor cannot be seen', { 9: [8, 'sh'] }, 8],
    ['is the parent, if nothing is known', {}, 9],
  ])('%s', (_, rows, pid) => {
    expect(callerPid(9, tree(rows))).toBe(pid);
  });

  it('is found among the processes of this machine', () => {
    expect(callerPid()).toBeGreaterThan(0);
    // Tests are started by a Node, which is no shell.
    expect(callerPid(process.pid)).toBe(process.pid);
  });
});
