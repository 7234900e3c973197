// When an attempt was scheduled, started and ended, for those who want to count: one small file each.
import { lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Event } from '../core/model/event.ts';
import type { PlanPath } from '../core/model/ids.ts';
import { countedMs } from '../core/state/clock-state.ts';
import type { State } from '../core/state/state.ts';
import { draftsFor, isElsewhere } from './draft-place.ts';
import { keepForeign } from './keep-broken.ts';
import { makeOutputFolder } from './output-folder.ts';
import { type OutputPlaces, timestampFile } from './output-places.ts';
import { readRegular } from './regular-file.ts';

export interface AttemptTimes {
  readonly attempt: string;
  readonly task: string;
  readonly plan: PlanPath;
  readonly run: string | null;
  readonly scheduledAt: string;
  /** Null: it never started. */
  readonly startedAt: string | null;
  readonly endedAt: string;
  /** From its start to its end, in milliseconds; without what the clock was set by or the machine slept. */
  readonly duration: number | null;
  /** How much of that it waited for locks. */
  readonly parked: number;
}

/** Null for what ends no attempt. Asked before the event is folded, which forgets these times. */
export function attemptTimes(state: State, event: Event, now: number): AttemptTimes | null {
  if (event.type === 'attempt-ended') {
    const live = state.live.get(event.token);
    if (!live) return null;
    const { attempt, task, plan, run, scheduledAt, startedAt, parkedMs, parkedSince, uncountedMs } = live;
    const parked = parkedMs + (parkedSince > 0 ? now - parkedSince : 0);
    return times(
      { attempt, task, plan, run },
      { scheduledAt, startedAt, parked, now, duration: now - startedAt - uncountedMs },
    );
  }
  if (event.type !== 'task-handed-in' && event.type !== 'task-failed') return null;
  const plan = state.plans.get(event.plan);
  const at = plan?.index.get(event.task);
  const hand = at === undefined ? null : plan!.tasks[at]!.hand;
  if (!hand) return null;
  const about = { attempt: hand.attempt, task: event.task, plan: event.plan, run: null };
  const { startedAt } = hand;
  const duration = countedMs(state.clock.steps, startedAt, now);
  return times(about, { scheduledAt: startedAt, startedAt, parked: 0, now, duration });
}

function times(
  about: Pick<AttemptTimes, 'attempt' | 'task' | 'plan' | 'run'>,
  {
    scheduledAt,
    startedAt,
    parked,
    now,
    duration,
  }: Record<'scheduledAt' | 'startedAt' | 'parked' | 'now' | 'duration', number>,
): AttemptTimes {
  return {
    ...about,
    scheduledAt: iso(scheduledAt),
    startedAt: startedAt === 0 ? null : iso(startedAt),
    endedAt: iso(now),
    duration: startedAt === 0 ? null : duration,
    parked,
  };
}

const iso = (at: number): string => new Date(at).toISOString();

export const timesText = (times: AttemptTimes): string => `${JSON.stringify(times)}\n`;

/** Each whole or not at all, though not synced: the log has the same. Returns words about what somebody else wrote and what was kept. */
export function writeTimes(places: OutputPlaces, all: readonly AttemptTimes[]): readonly string[] {
  if (all.length === 0) return [];
  const told: string[] = [];
  makeOutputFolder(places.root, places.timestamps);
  let nameDraft = draftsFor(places);
  for (const times of all) {
    const file = timestampFile(places, times.attempt);
    const words = isOurs(file) ? null : keepForeign(places.root, file);
    if (words !== null) told.push(words);
    try {
      replaceTimes(nameDraft(file), file, timesText(times));
    } catch (error) {
      if (!isElsewhere(places, error)) throw error;
      nameDraft = draftsFor(places);
      replaceTimes(nameDraft(file), file, timesText(times));
    }
  }
  return told;
}

function replaceTimes(draft: string, file: string, text: string): void {
  try {
    writeNew(draft, text);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** What is in its place is removed: a link is not written through. */
function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    rmSync(file);
    writeFileSync(file, text, { flag: 'wx' });
  }
}

/** One that lost its text with the power was ours: nobody is robbed of an empty file. */
function isOurs(file: string): boolean {
  if (!lstatSync(file, { throwIfNoEntry: false })) return true;
  try {
    const text = readRegular(file).toString('utf8');
    return text === '' || text.startsWith('{"attempt":');
  } catch {
    return false;
  }
}
