import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hostId, runId } from '../core/model/ids.ts';
import { keepLease, runnerIsAlive } from './runner-alive.ts';

let folder: string;
let stop: () => void;
/** In another namespace of pids: it cannot be seen from here. */
const run = { run: runId('r1'), runner: { host: hostId('elsewhere'), pid: 1, startTime: '1' }, ended: null };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'hrtime', 'setInterval', 'clearInterval'], now: Date.now() });
  folder = mkdtempSync(join(tmpdir(), 'signalbox-lease-'));
  stop = keepLease(run.run, folder);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

it('a runner that cannot be seen lives as long as it renews its lease, wherever the wall clock stands', () => {
  vi.advanceTimersByTime(5_000);
  for (const hours of [2, -2, 48]) {
    vi.setSystemTime(Date.now() + hours * 3_600_000);
    expect(runnerIsAlive(run, folder)).toBe(true);
  }
  expect(readdirSync(folder)).toEqual(['r1.lease']);
});

it('and is dead 15 seconds after its last sign, though the wall clock was set back', () => {
  vi.advanceTimersByTime(5_000);
  const file = join(folder, 'r1.lease');
  const lease = readFileSync(file);
  stop();
  expect(runnerIsAlive(run, folder)).toBe(false);
  // One that was killed does not take its lease away.
  writeFileSync(file, lease);
  vi.setSystemTime(Date.now() - 7_200_000);
  vi.advanceTimersByTime(14_000);
  expect(runnerIsAlive(run, folder)).toBe(true);
  vi.advanceTimersByTime(1_000);
  expect(runnerIsAlive(run, folder)).toBe(false);
});

it('goes by the time stamp where no clock is common to both', () => {
  vi.useRealTimers();
  writeFileSync(join(folder, 'r1.lease'), 'another-boot 5\n');
  expect(runnerIsAlive(run, folder)).toBe(true);
});
