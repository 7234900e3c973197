// Files that were made to hurt: each is read by a process of its own, with a limit of memory and one of time.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { largestFile } from '../../src/plan/limits.ts';
import { askCommand, askIn, type CommandAnswer } from './ask-command.ts';
import type { HostileAnswer } from './hostile-child.ts';
import { largest, medium6 } from './hostile-large.ts';
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

function expectRefused(answer: CommandAnswer, codes: readonly string[]): void {
  expect(answer.codes).toEqual(codes);
  expect(answer.exitCode).toBe(3);
  expect(answer.ms).toBeLessThan(1_000);
  expect(answer.megabytes).toBeLessThan(200);
}

describe('read in a second and 200 MB', () => {
  test.each(Object.entries(hostile))('%s', { timeout: 40_000 }, (name, { codes }) => {
    const answer = read(name, 200);
    expect(answer.codes).toEqual(codes);
    expect(answer.isPolluted).toBe(false);
    expect(answer.ms).toBeLessThan(1_000);
  });
});

// Measured on two shared cores: 0.1 s and 62 MB, which is the start of the command.
describe('50 MB of anything, refused by the command line in a second and 200 MB', () => {
  test.each(Object.entries(huge))('%s', { timeout: 40_000 }, (_, { file, text }) => {
    const answer = askCommand(file, text(50_000_000));
    expectRefused(answer, ['file-too-large']);
    // Nothing of it was read.
    expect(answer.megabytes).toBeLessThan(100);
  });
});

// Measured on two shared cores: 0.3 to 0.7 s, 146 to 181 MB, of which the file and its text are 90 to 125.
describe('just below the limit, answered by the command line in a second and 200 MB', () => {
  test.each(Object.entries(huge))('%s', { timeout: 40_000 }, (_, { file, text, codes }) => {
    expectRefused(askCommand(file, text(largestFile)), codes);
  });
});

// Measured on two shared cores: 0.1 to 0.9 s, 70 to 165 MB. All of them just below the limit, in 0.2 to 0.9 s and 70 to 220 MB:
// `npm run fuzz -- --hostile`.
describe('6 MB that cost as much as they can, answered in a second and 200 MB', () => {
  // One in five: each is a process.
  test.each(Object.entries(medium6).filter((_, i) => i % 5 === 0))('%s', { timeout: 40_000 }, (_, hostile) => {
    expectRefused(askCommand(hostile.file, hostile.text()), hostile.codes);
  });
});

describe('as much as a file can have that cost as much as they can, answered in 1.5 seconds and 250 MB', () => {
  // Those that took longest, or most.
  const worst = ['an arrow in every line', 'headings without tasks', 'keys that nobody knows', 'tasks in JSON'];
  test.each(worst)('%s', { timeout: 40_000 }, (name) => {
    const { file, text, codes } = largest[`${name}, 45 MB`]!;
    const answer = askCommand(file, text());
    expect(answer.codes).toEqual(codes);
    expect(answer.exitCode).toBe(3);
    expect(answer.ms).toBeLessThan(1_500);
    expect(answer.megabytes).toBeLessThan(250);
  });
});

describe.skipIf(process.platform === 'win32')('what is no file at all', () => {
  function refused(make: (file: string) => void, file: string): CommandAnswer {
    const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
    try {
      make(join(folder, file));
      return askIn(folder, file);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  const pipe = (file: string) => execFileSync('mkfifo', [file]);
  const zeros = (file: string) => symlinkSync('/dev/zero', file);

  test.each([
    ['a pipe that nobody writes to, as a plan', pipe, 'plan.md', 2, []],
    ['a pipe that nobody writes to, to be imported', pipe, 'tasks.json', 3, ['bad-json']],
    ['a device without an end, as a plan', zeros, 'plan.md', 2, []],
    ['a device without an end, to be imported', zeros, 'tasks.json', 3, ['file-too-large']],
  ] as const)('%s', { timeout: 40_000 }, (_, make, file, exitCode, codes) => {
    const answer = refused(make, file);
    expect(answer.exitCode).toBe(exitCode);
    expect(answer.codes).toEqual(codes);
    expect(answer.ms).toBeLessThan(1_000);
    expect(answer.megabytes).toBeLessThan(200);
  });
});
