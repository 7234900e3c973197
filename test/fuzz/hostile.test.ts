// Files that were made to hurt: each is read by a process of its own, with a limit of memory and one of time. `npm test` reads
// some of each kind, `npm run prove -- hostile` all of them.
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

const isLong = process.env.SIGNALBOX_LONG === '1';

/** All of them, or every so manieth. */
function some<T>(all: Readonly<Record<string, T>>, every: number): [string, T][] {
  return Object.entries(all).filter((_, i) => isLong || i % every === 0);
}

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
  test.each(some(hostile, 6))('%s', (name, { codes }) => {
    const answer = read(name, 200);
    expect(answer.codes).toEqual(codes);
    expect(answer.isPolluted).toBe(false);
    expect(answer.ms).toBeLessThan(1_000);
  });
});

// Measured on two shared cores: 0.1 s and 62 MB, which is the start of the command.
describe('50 MB of anything, refused by the command line in a second and 200 MB', () => {
  test.each(some(huge, 7))('%s', (_, { file, text }) => {
    const answer = askCommand(file, text(50_000_000));
    expectRefused(answer, ['file-too-large']);
    // Nothing of it was read.
    expect(answer.megabytes).toBeLessThan(100);
  });
});

// Measured on two shared cores: 0.3 to 0.7 s, 146 to 181 MB, of which the file and its text are 90 to 125.
describe('just below the limit, answered by the command line in a second and 200 MB', () => {
  test.each(some(huge, 7))('%s', (_, { file, text, codes }) => {
    expectRefused(askCommand(file, text(largestFile)), codes);
  });
});

// Measured on two shared cores: 0.1 to 0.9 s, 70 to 165 MB.
describe('6 MB that cost as much as they can, answered in a second and 200 MB', () => {
  test.each(some(medium6, 20))('%s', (_, hostile) => {
    expectRefused(askCommand(hostile.file, hostile.text()), hostile.codes);
  });
});

// Measured on two shared cores: 0.2 to 0.9 s, 70 to 220 MB.
describe('as much as a file can have that cost as much as they can, answered in 1.5 seconds and 250 MB', () => {
  test.each(some(largest, 40))('%s', (_, { file, text, codes }) => {
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
  ] as const)('%s', (_, make, file, exitCode, codes) => {
    const answer = refused(make, file);
    expect(answer.exitCode).toBe(exitCode);
    expect(answer.codes).toEqual(codes);
    expect(answer.ms).toBeLessThan(1_000);
    expect(answer.megabytes).toBeLessThan(200);
  });
});
