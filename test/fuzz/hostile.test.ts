// Files that were made to hurt: each is read by a process of its own, with a limit of memory and one of time.
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { HostileAnswer } from './hostile-child.ts';
import { medium6 } from './hostile-large.ts';
import { hostile, huge } from './hostile-texts.ts';

function read(name: string, heapMb: number): HostileAnswer {
  const child = spawnSync(
    process.execPath,
    [`--max-old-space-size=${heapMb}`, `${import.meta.dirname}/hostile-child.ts`, name],
    { encoding: 'utf8', timeout: 30_000, killSignal: 'SIGKILL' },
  );
  if (child.status !== 0) expect.fail(`${child.signal ?? child.status}: ${child.stderr.slice(0, 2_000)}`);
  return JSON.parse(child.stdout) as HostileAnswer;
}

describe('read in a second and 200 MB', () => {
  test.each(Object.entries(hostile))('%s', { timeout: 40_000 }, (name, { codes }) => {
    const answer = read(name, 200);
    expect(answer.codes).toEqual(codes);
    expect(answer.isPolluted).toBe(false);
    expect(answer.ms).toBeLessThan(1_000);
  });
});

// Measured on two shared cores: 0.1 to 1.4 s, 100 to 330 MB, of which the text is 6 or 12. Before there were limits, the first of
// them took 12.9 s and 1.8 GB at 30 MB; all of them at that size: `npm run fuzz -- --hostile`.
describe('6 MB that cost as much as they can, read in three seconds and 450 MB', () => {
  // One in five: each is a process.
  test.each(Object.entries(medium6).filter((_, i) => i % 5 === 0))('%s', { timeout: 40_000 }, (name, { codes }) => {
    const answer = read(name, 400);
    expect(answer.codes).toEqual(codes);
    expect(answer.ms).toBeLessThan(3_000);
    expect(answer.megabytes).toBeLessThan(450);
  });
});

// Measured on two shared cores: 0.1 to 1.5 s, 140 to 240 MB, of which the text is 50 or 100.
describe('50 MB, read in five seconds and 500 MB', () => {
  test.each(Object.entries(huge))('%s', { timeout: 40_000 }, (name, { codes }) => {
    const answer = read(name, 400);
    expect(answer.codes).toEqual(codes);
    expect(answer.ms).toBeLessThan(5_000);
    expect(answer.megabytes).toBeLessThan(500);
  });
});
