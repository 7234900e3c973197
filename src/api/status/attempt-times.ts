// When an attempt was scheduled, started and ended, for those who want to count: one small file each.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import type { Event } from '../../core/event.ts';
import type { PlanPath } from '../../core/ids.ts';
import type { State } from '../../core/state.ts';
import { type OutputPlaces, timestampFile } from '../../status/output-places.ts';

export interface AttemptTimes {
  readonly attempt: string;
  readonly task: string;
  readonly plan: PlanPath;
  readonly run: string | null;
  readonly scheduledAt: string;
  /** Null: it never started. */
  readonly startedAt: string | null;
  readonly endedAt: string;
  /** From its start to its end, in milliseconds. */
  readonly duration: number | null;
  /** How much of that it waited for locks. */
  readonly parked: number;
}

/** Null for what ends no attempt. Asked before the event is folded, which forgets these times. */
export function attemptTimes(state: State, event: Event, now: number): AttemptTimes | null {
  if (event.type === 'attempt-ended') {
    const live = state.live.get(event.token);
    if (!live) return null;
    const { attempt, task, plan, run, scheduledAt, startedAt, parkedMs, parkedSince } = live;
    const parked = parkedMs + (parkedSince > 0 ? now - parkedSince : 0);
    return times({ attempt, task, plan, run }, { scheduledAt, startedAt, parked, now });
  }
  if (event.type !== 'task-handed-in' && event.type !== 'task-failed') return null;
  const plan = state.plans.get(event.plan);
  const at = plan?.index.get(event.task);
  const hand = at === undefined ? null : plan!.tasks[at]!.hand;
  if (!hand) return null;
  const about = { attempt: hand.attempt, task: event.task, plan: event.plan, run: null };
  return times(about, { scheduledAt: hand.startedAt, startedAt: hand.startedAt, parked: 0, now });
}

function times(
  about: Pick<AttemptTimes, 'attempt' | 'task' | 'plan' | 'run'>,
  { scheduledAt, startedAt, parked, now }: { scheduledAt: number; startedAt: number; parked: number; now: number },
): AttemptTimes {
  return {
    ...about,
    scheduledAt: iso(scheduledAt),
    startedAt: startedAt === 0 ? null : iso(startedAt),
    endedAt: iso(now),
    duration: startedAt === 0 ? null : now - startedAt,
    parked,
  };
}

const iso = (at: number): string => new Date(at).toISOString();

export const timesText = (times: AttemptTimes): string => `${JSON.stringify(times)}\n`;

/** Making a file is the slow part: after so many the loop of a run has its turn. (Threads would take it twice the time.) */
const atOnce = 10;

/** Each whole or not at all, though not synced: the log has the same. */
export async function writeTimes(places: OutputPlaces, all: readonly AttemptTimes[]): Promise<void> {
  if (all.length === 0) return;
  mkdirSync(places.timestamps, { recursive: true });
  for (const [i, times] of all.entries()) {
    if (i % atOnce === atOnce - 1) await new Promise((done) => setImmediate(done));
    const file = timestampFile(places, times.attempt);
    writeFileSync(`${file}.new`, timesText(times));
    renameSync(`${file}.new`, file);
  }
}
