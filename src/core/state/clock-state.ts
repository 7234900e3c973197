// The time of the log, across processes and boots. It goes by the monotonic clock of a boot, which all processes of that boot share
// and nobody can set; its distance from the log's time is recorded with the first event of the boot. When the wall clock was set or
// the machine has slept, `clock-stepped` moves the time of the log after it. Everything that a limit or a lease counts from is moved
// by as much, so that the step counts for none of them. Deadlines of people stay where the wall clock put them.
import type { BootClock, ClockStepped, Stored } from '../model/event.ts';
import type { State } from './state.ts';

export interface ClockState {
  /** By boot: what its monotonic clock must be advanced by to tell the log's time. */
  readonly offsets: Map<string, number>;
  /** The last steps, oldest first. */
  steps: readonly ClockStep[];
}

export interface ClockStep {
  /** The log's time after it. */
  readonly at: number;
  readonly byMs: number;
}

/** Earlier boots matter to nobody: their processes are gone. */
const mostBoots = 20;
const mostSteps = 20;

export const createClockState = (): ClockState => ({ offsets: new Map(), steps: [] });

export function knowBoot({ offsets }: ClockState, { boot, offset }: BootClock): void {
  offsets.set(boot, offset);
  for (const oldest of offsets.keys()) if (offsets.size > mostBoots) offsets.delete(oldest);
}

export function stepClock(state: State, { byMs, at }: Stored<ClockStepped>): void {
  const { clock, locks } = state;
  for (const [boot, offset] of clock.offsets) clock.offsets.set(boot, offset + byMs);
  clock.steps = [...clock.steps, { at, byMs }].slice(-mostSteps);
  for (const live of state.live.values()) {
    if (live.startedAt > 0) live.uncountedMs += byMs;
    if (live.parkedSince > 0) live.parkedSince += byMs;
  }
  for (const owner of locks.owners.values()) if (owner.until > 0) owner.until += byMs;
  for (const [ticket, { process, since }] of locks.waiting) locks.waiting.set(ticket, { process, since: since + byMs });
  for (const [name, tried] of locks.tried) locks.tried.set(name, { ...tried, at: tried.at + byMs });
  for (const { tasks } of state.plans.values()) {
    for (const task of tasks) {
      if (task.notBefore > 0) task.notBefore += byMs;
      if (task.hand) task.hand = { ...task.hand, lastAt: task.hand.lastAt + byMs };
    }
  }
}

/** How long it took between two times of the log, but for what the clock was set by or the machine slept. */
export function countedMs(steps: readonly ClockStep[], from: number, to: number): number {
  const stepped = steps.reduce((sum, { at, byMs }) => (at > from && at <= to ? sum + byMs : sum), 0);
  return Math.max(0, to - from - stepped);
}

/**
 * A time that the wall clock told once, such as that of a file, on today's scale of the log. After a step back it cannot always be known
 * on which side of the step it was told: then it counts as the later one.
 */
export function afterSteps(steps: readonly ClockStep[], time: number): number {
  let moved = time;
  for (const { at, byMs } of steps) if (byMs > 0 ? moved <= at - byMs : moved > at) moved += byMs;
  return moved;
}
