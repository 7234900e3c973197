// Finds work that nobody does any more, and can fail it:
//
//   gone     the process around the attempt is gone, and its journal does not say how it ended; or does, and no runner lives to record it
//   host     it runs where it cannot be seen from here, and its runner has not renewed the time stamp of its journal
//   silent   its log has not grown for longer than the limit; one that waits for a lock is not silent
//   hand     whoever started it by hand has done nothing in this workspace for longer than the limit, by all that is recorded
//
// An attempt that merely takes long prints something now and then, and is left alone.
import { statSync } from 'node:fs';
import { attemptsFolderOf, journalFile, outputFile } from '../../agents/process/attempt-files.ts';
import { JournalReader } from '../../agents/process/journal.ts';
import { isAlive } from '../../agents/process/process-identity.ts';
import { type Answer, accept } from '../../core/commands/accept-or-refuse.ts';
import { markFailed } from '../../core/commands/mark-task.ts';
import { describeDuration } from '../../core/model/duration-words.ts';
import type { Event } from '../../core/model/event.ts';
import type { AttemptEnd } from '../../core/model/failure.ts';
import { afterSteps } from '../../core/state/clock-state.ts';
import { underWay } from '../../core/state/questions/under-way.ts';
import type { LiveAttempt, PlanState, State } from '../../core/state/state.ts';
import { isLeased } from '../../runner/runner-alive.ts';
import { act } from '../act/act.ts';
import { sweepLeft } from '../act/left-attempts.ts';
import type { StuckReport, StuckTask } from '../reports/hand.ts';
import type { HandParts } from './hand-desk.ts';
import type { DetectStuckOptions } from './hand-door.ts';
import { lastHeard } from './last-heard.ts';
import { type UnrecordedEnd, unrecordedEnd } from './unrecorded-end.ts';

const usualLimitMs = 30 * 60_000;

type Found = Omit<StuckTask, 'marked' | 'filesLeft'> & {
  readonly at: number;
  /** Known, and never recorded. */
  readonly unrecorded?: UnrecordedEnd;
};

/** When people who work by hand were heard of, where that is later than their tasks say. */
type Heard = ReadonlyMap<string, number>;

type Parts = Pick<HandParts, 'workspace' | 'path' | 'isRunning'> & Partial<Pick<HandParts, 'store'>>;

/** A log that grows faster than it is looked at is looked at no more often than this. */
const mostLooks = 5;

export async function detectStuck(
  parts: HandParts,
  { mark = false, limitMs = usualLimitMs }: DetectStuckOptions,
): Promise<StuckReport> {
  const { store } = parts;
  const look = (state: State, now: number, heard: Heard) => stuckIn(parts, state, { now, limitMs, heard });
  const report = reporting(parts, limitMs);
  for (let looks = 1; ; looks++) {
    const { head, steps, silent } = await store.read((state, now) => ({
      head: state.seq,
      steps: state.clock.steps,
      silent: look(state, now, new Map()).found.filter(({ kind }) => kind === 'hand'),
    }));
    const heard = silent.length === 0 ? new Map() : await lastHeard(store, namesIn(silent), head, steps);
    const seen = await store.read((state, now) => look(state, now, heard));
    if (!mark || seen.found.length === 0) return report(seen);
    await sweepLeftovers(parts, seen.found);
    const tokens = new Map<Found, number>();
    let again: ReturnType<typeof look> | undefined;
    const { seen: marked } = await act(
      parts,
      function* (plan, state, now) {
        // A task that moved since the first look is not stuck, and an owner who did something since is not silent.
        if (state.seq !== head && looks < mostLooks) return;
        again = look(state, now, heard);
        for (const one of again.found) tokens.set(one, plan.tasks[one.at]!.token);
        for (const one of again.found) if (!one.waitsForRun) yield fail(parts, state, plan, one, now);
      },
      (_, state) => again && report(again, (one) => state.salvage.has(tokens.get(one)!)),
    );
    if (marked) return marked;
  }
}

/** By what the files of a plan say, where there is no store that knows more. */
export function looksStuck(
  parts: Parts,
  state: State,
  now: number,
  { limitMs = usualLimitMs }: DetectStuckOptions,
): StuckReport {
  return reporting(parts, limitMs)(stuckIn(parts, state, { now, limitMs, heard: new Map() }));
}

const reporting =
  ({ path }: Parts, limitMs: number) =>
  ({ found, watched }: ReturnType<typeof stuckIn>, marked?: (one: Found) => boolean): StuckReport => ({
    plan: path,
    limitMs,
    watched,
    stuck: found.map((one) => {
      const { at: _, unrecorded: __, ...task } = one;
      return { ...task, marked: marked !== undefined && !one.waitsForRun, filesLeft: marked?.(one) ?? false };
    }),
  });

/** Each with the latest sign of its owner: one sign counts for all their tasks. */
function namesIn(silent: readonly Found[]): Map<string, number> {
  const names = new Map<string, number>();
  for (const { by, lastSign } of silent) names.set(by!, Math.max(names.get(by!) ?? 0, Date.parse(lastSign)));
  return names;
}

function fail(parts: HandParts, state: State, plan: PlanState, found: Found, now: number): Answer {
  const { at, message, kind, unrecorded } = found;
  const { live } = plan.tasks[at]!;
  const error = unrecorded?.failure ?? message;
  const answer = markFailed(state, plan, at, { by: parts.user, error, stuck: true, now });
  // Without a run, nobody else records the end of an attempt that is dead or out of reach for too long.
  const isOver = kind === 'gone' || kind === 'host';
  const end = live && isOver && !parts.isRunning(plan) ? [ended(live, unrecorded?.end ?? { kind: 'lost' })] : [];
  return accept([...(answer.ok ? answer.events : []), ...end]);
}

const ended = ({ plan, run, task, attempt, token }: LiveAttempt, end: AttemptEnd): Event => ({
  type: 'attempt-ended',
  v: 1,
  plan,
  run,
  task,
  attempt,
  token,
  end,
});

interface Look {
  readonly now: number;
  readonly limitMs: number;
  readonly heard: Heard;
}

function stuckIn(parts: Parts, state: State, { now, limitMs, heard }: Look) {
  const plan = state.plans.get(parts.path)!;
  const found: Found[] = [];
  let watched = 0;
  const journals = new Map<string, JournalReader>();
  const journalOf = ({ run }: LiveAttempt): JournalReader => {
    const known = journals.get(run);
    if (known) return known;
    const reader = new JournalReader(journalFile(parts.workspace.journalsFolder, run));
    reader.advance();
    journals.set(run, reader);
    return reader;
  };
  for (const at of underWay(state, plan)) {
    const { hand, live } = plan.tasks[at]!;
    const task = plan.plan.tasks[at]!.id;
    if (hand) {
      watched++;
      const { attempt, by } = hand;
      const lastAt = Math.max(hand.lastAt, heard.get(by) ?? 0);
      const silentMs = now - lastAt;
      if (silentMs <= limitMs) continue;
      const message = `${by} has not been heard of for ${describeDuration(silentMs)}`;
      const sign = { lastSign: iso(lastAt), silentMs };
      found.push({ at, task, attempt, kind: 'hand', by, ...sign, message, waitsForRun: false });
    }
    if (!live || live.doom) continue;
    watched++;
    const lastAt = lastSignOf(parts, state, live);
    const silentMs = Math.max(0, now - lastAt);
    const trouble = troubleOf(parts, state, live, journalOf(live), { silentMs, limitMs });
    if (!trouble) continue;
    const sign = { lastSign: iso(lastAt), silentMs };
    found.push({ at, task, attempt: live.attempt, by: null, ...sign, waitsForRun: false, ...trouble });
  }
  return { found, watched };
}

type Trouble = Pick<Found, 'kind' | 'message' | 'unrecorded'> & Partial<Pick<Found, 'waitsForRun'>>;

function troubleOf(
  { workspace, isRunning, path }: Parts,
  state: State,
  live: LiveAttempt,
  journal: JournalReader,
  { silentMs, limitMs }: { readonly silentMs: number; readonly limitMs: number },
): Trouble | null {
  const worker = live.supervisor ?? journal.attempt(live.token)?.worker ?? null;
  const alive = worker === null ? isRunning(state.plans.get(path)!) : isAlive(worker);
  // Only now: its last word may have come between two looks.
  journal.advance();
  const word = journal.attempt(live.token)?.ended ?? null;
  if (word !== null) {
    // Any living runner, also that of another plan, records the end in a moment.
    for (const plan of state.plans.values()) if (isRunning(plan)) return null;
    const unrecorded = unrecordedEnd(word, live.job);
    return { kind: 'gone', message: unrecorded.message, unrecorded, waitsForRun: unrecorded.failure === null };
  }
  if (alive === 'unknown' && !isLeased(live.run, workspace.journalsFolder))
    return { kind: 'host', message: 'its host has not been heard of lately' };
  if (alive === false) return { kind: 'gone', message: 'its process is gone, and how it ended is not known' };
  if (silentMs <= limitMs || live.parkedSince > 0) return null;
  return { kind: 'silent', message: `it has printed nothing for ${describeDuration(silentMs)}` };
}

/** The file's own time stamp is the wall clock's of that moment, which may have been set since. */
function lastSignOf({ workspace, store }: Parts, { clock }: State, live: LiveAttempt): number {
  const file = store && outputFile(attemptsFolderOf(workspace, store), live);
  const grown = file ? (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) : 0;
  return Math.round(afterSteps(clock.steps, Math.max(grown, live.startedAt, live.scheduledAt)));
}

/** Processes that a dead worker left must not go on with a task that counts as failed. */
async function sweepLeftovers({ store }: HandParts, found: readonly Found[]): Promise<void> {
  const gone = found.filter(({ kind, waitsForRun }) => kind === 'gone' && !waitsForRun);
  if (gone.length === 0) return;
  const tokens = await store.read((state) =>
    [...state.live.values()]
      .filter(({ attempt }) => gone.some((one) => one.attempt === attempt))
      .map(({ token }) => token),
  );
  await sweepLeft(store, tokens);
}

const iso = (at: number): string => new Date(at).toISOString();
