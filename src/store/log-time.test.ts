import { describe, expect, it } from 'vitest';
import { paused } from '../../test/rigs/sample-events.ts';
import { MemoryLog } from './memory/memory-log.ts';
import { openMemory } from './memory/open-memory.ts';

/** Processes on one log, with a wall clock that can be set and a monotonic clock that cannot. */
function machine() {
  const time = { wall: 1_000_000, ms: 5_000, boot: 'b1' };
  const log = new MemoryLog();
  const open = () => openMemory(log, { now: () => time.wall, steady: () => ({ boot: time.boot, ms: time.ms }) });
  const pass = (ms: number) => Object.assign(time, { wall: time.wall + ms, ms: time.ms + ms });
  return { time, open, pass };
}

const note = (store: ReturnType<ReturnType<typeof machine>['open']>) =>
  store.transact((tx) => {
    tx.record(paused('x'));
    return tx.now;
  });
const noted = async (store: Parameters<typeof note>[0]) =>
  (await store.events({})).map(({ type, at, ...rest }) =>
    type === 'clock-stepped' ? [type, (rest as never as { byMs: number }).byMs] : at,
  );

describe('the time of the log', () => {
  it('is the same for all processes of a boot, and goes by its monotonic clock', async () => {
    const { time, open, pass } = machine();
    expect(await note(open())).toBe(1_000_000);
    pass(700);
    time.wall += 900; // corrected a little: not followed
    expect(await note(open())).toBe(1_000_700);
    expect(await open().read((_, now) => now)).toBe(1_000_700);
  });

  it('says once how it goes by the clock of this boot', async () => {
    const { open, pass } = machine();
    await note(open());
    pass(10);
    await note(open());
    expect((await open().events({})).map(({ clock }) => clock)).toEqual([{ boot: 'b1', offset: 995_000 }, undefined]);
  });

  it('follows a wall clock that was set forward, or went on while the machine slept, and says so', async () => {
    const { time, open, pass } = machine();
    await note(open());
    pass(100);
    time.wall += 7_200_000;
    const [one, other] = [open(), open()];
    // Who only looks still counts as before.
    expect(await one.read((_, now) => now)).toBe(1_000_100);
    expect(await note(one)).toBe(8_200_100);
    expect(await note(other)).toBe(8_200_100);
    expect(await noted(one)).toEqual([1_000_000, ['clock-stepped', 7_200_000], 8_200_100, 8_200_100]);
  });

  it('is recorded also when nothing else is, because the rules have seen it', async () => {
    const { time, open } = machine();
    await note(open());
    time.wall += 60_000;
    expect(await open().transact((tx) => tx.now)).toBe(1_060_000);
    expect(await noted(open())).toEqual([1_000_000, ['clock-stepped', 60_000]]);
  });

  it('never goes back: a wall clock that was set back is followed when it has caught up with the last event', async () => {
    const { time, open, pass } = machine();
    await note(open());
    pass(50_000);
    await note(open());
    time.wall -= 20_000;
    expect(await note(open())).toBe(1_050_000);
    pass(10_000);
    expect(await open().read((_, now) => now)).toBe(1_060_000);
    pass(15_000);
    expect(await note(open())).toBe(1_055_000);
    expect(await noted(open())).toEqual([1_000_000, 1_050_000, 1_050_000, ['clock-stepped', -20_000], 1_055_000]);
  });

  it('goes by the wall clock from one boot to the next, but not back', async () => {
    const { time, open } = machine();
    await note(open());
    Object.assign(time, { boot: 'b2', ms: 10, wall: 1_500_000 });
    expect(await note(open())).toBe(1_500_000);
    Object.assign(time, { boot: 'b3', ms: 10, wall: 3 });
    expect(await note(open())).toBe(1_500_000);
    time.ms += 400;
    expect(await note(open())).toBe(1_500_400);
  });
});
