// Real processes with the marker of an attempt, and a checkout with a folder that is Signalbox' own.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { markerVariable } from '../../agents/process/process-table.ts';
import { alwaysSet } from '../../git/git.ts';
import { CheckoutVisits } from './checkout-visits.ts';

let base: string;
let started: ChildProcess[];
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'signalbox-visits-'));
  started = [];
  for (const folder of ['checkout/src', 'checkout/.signalbox', 'checkout-2', 'tree']) {
    mkdirSync(join(base, folder), { recursive: true });
  }
  symlinkSync('checkout', join(base, 'link'));
});
afterEach(() => {
  // With what they have started.
  for (const { pid } of started) process.kill(-pid!, 'SIGKILL');
  rmSync(base, { recursive: true });
});

const isApart = (path: Buffer) => path.toString().startsWith('.signalbox');

/** Resolves when the script waits for its standard input. */
async function start(script: string, env: Record<string, string> = { [markerVariable]: 'w:1' }): Promise<ChildProcess> {
  const options = {
    cwd: join(base, 'tree'),
    env: { PATH: process.env.PATH, ...env },
    stdio: 'pipe' as const,
    detached: true,
  };
  const child = spawn('sh', ['-c', `${script}; echo there; read sign`], options);
  started.push(child);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child;
}

it.each<[string, string, Record<string, string> | undefined, string[]]>([
  ['the top of the checkout', 'cd ../checkout', undefined, ['cd ../checkout']],
  ['a folder below it', 'cd ../checkout/src', undefined, ['cd ../checkout/src']],
  ['its own tree', 'cd .', undefined, []],
  ['a folder beside with a longer name', 'cd ../checkout-2', undefined, []],
  ["Signalbox' own folder in the checkout", 'cd ../checkout/.signalbox', undefined, []],
  ['the checkout, for another attempt', 'cd ../checkout', { [markerVariable]: 'w:2' }, []],
  ['the checkout, for a person', 'cd ../checkout', {}, []],
  ['the checkout, and is a git of ours', 'cd ../checkout', { [markerVariable]: 'w:1', ...alwaysSet }, []],
])('a process that works in %s', async (_, script, env, commands) => {
  const visits = new CheckoutVisits();
  visits.begin(1, 'w:1', { root: join(base, 'checkout'), isApart });
  await start(script, env);
  await visits.look();
  const told = visits.end(1);
  expect(told).toHaveLength(commands.length);
  for (const [i, command] of commands.entries()) expect(told[i]).toContain(`sh -c ${command}`);
});

it('finds a child without a marker by its parent', async () => {
  const visits = new CheckoutVisits();
  visits.begin(1, 'w:1', { root: join(base, 'link'), isApart });
  // Its words are there a moment later than the program itself.
  const untilItsWords = `until tr '\\0' ' ' < /proc/$!/cmdline | grep -q ^sleep; do :; done`;
  await start(`(cd ../checkout; exec env -i sleep 1234) & ${untilItsWords}`);
  await visits.look();
  expect(visits.end(1)).toEqual(['sleep 1234']);
});

it('names a few, on one short line each, without what a terminal would obey', async () => {
  const visits = new CheckoutVisits();
  visits.begin(1, 'w:1', { root: join(base, 'checkout'), isApart });
  const pids: number[] = [];
  for (const n of [1, 2, 3, 4]) pids.push((await start(`cd ../checkout; : '\u001b[31m${n}\n${'x'.repeat(200)}'`)).pid!);
  // Those of an attempt that is being ended.
  visits.found(1, pids);
  visits.found(2, pids);
  const told = visits.end(1);
  expect(told).toHaveLength(3);
  for (const command of told) expect(command).toMatch(/^sh -c cd \.\.\/checkout; : '.?\d x+…$/);
  expect(Math.max(...told.map(({ length }) => length))).toBe(80);
});

it('looks every few seconds, for all attempts at once, until the last has ended', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const visits = new CheckoutVisits();
    const look = vi.spyOn(visits, 'look').mockResolvedValue();
    for (const token of [1, 2]) visits.begin(token, `w:${token}`, { root: base, isApart });
    vi.advanceTimersByTime(7_000);
    expect(look).toHaveBeenCalledTimes(2);
    visits.end(1);
    vi.advanceTimersByTime(3_000);
    expect(look).toHaveBeenCalledTimes(3);
    visits.end(2);
    vi.advanceTimersByTime(10_000);
    expect(look).toHaveBeenCalledTimes(3);
  } finally {
    vi.useRealTimers();
  }
});

it('knows nothing of an attempt that never began or has ended', () => {
  const visits = new CheckoutVisits();
  visits.begin(1, 'w:1', { root: join(base, 'gone'), isApart });
  expect([visits.end(1), visits.end(1), visits.end(2)]).toEqual([[], [], []]);
});
