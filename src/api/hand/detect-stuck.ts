// Finds work that nobody does any more, and can fail it:
//
//   gone     the process around the attempt is gone, and its journal does not say how it ended; or does, and no runner lives to record it
//   host     it runs where it cannot be seen from here, and its runner has not renewed the time stamp of its journal
//   silent   its log has not grown for longer than the limit; one that waits for a lock is not silent
//   hand     whoever started it by hand has done nothing in this workspace for longer than the limit, by all that is recorded
//
// An attempt that merely takes long prints something now and then, and is left alone.
import { statSync } from 'node:fs';
import { journalFile, outputFile } from '../../agents/attempt-files.ts';
import { JournalReader } from '../../agents/journal.ts';
import { isAlive } from '../../agents/process-identity.ts';
import type { Event } from '../../core/event.ts';
import type { AttemptEnd } from '../../core/failure.ts';
import { markFailed } from '../../core/mark-task.ts';
import type { LiveAttempt, PlanState, State } from '../../core/state.ts';
import { underWay } from '../../core/under-way.ts';
import { isLeased } from '../../runner/runner-alive.ts';
import type { Transaction } from '../../store/store.ts';
import { attemptsFolderOf } from '../workspace.ts';
import type { HandDesk, HandParts } from './hand-desk.ts';
import type { DetectStuckOptions, StuckReport, StuckTask } from './hand-reports.ts';
import { lastHeard } from './last-heard.ts';
import { type UnrecordedEnd, unrecordedEnd } from './unrecorded-end.ts';

export const usualLimitMs = 30 * 60_000;

type Found = Omit<StuckTask, 'marked' | 'filesLeft'> & {
  readonly at: number;
  /** Known, and never recorded. */
  readonly unrecorded?: UnrecordedEnd;
};

/** When people who work by hand were heard of, where that is later than their tasks say. */
type Heard = ReadonlyMap<string, number>;

/** A log that grows faster than it is looked at is looked at no more often than this. */
const mostLooks = 5;

export async function detectStuck(
  parts: HandParts,
  desk: HandDesk,
  { mark = false, limitMs = usualLimitMs }: DetectStuckOptions,
): Promise<StuckReport> {
  const { path, store } = parts;
  const look = (state: State, now: number, heard: Heard) => stuckIn(parts, state, { now, limitMs, heard });
  const report = ({ found, watched }: ReturnType<typeof look>, marked?: (one: Found) => boolean): StuckReport => ({
    plan: path,
    limitMs,
    watched,
    stuck: found.map((one) => {
      const { at: _, unrecorded: __, ...task } = one;
      return { ...task, marked: marked !== undefined && !one.waitsForRun, filesLeft: marked?.(one) ?? false };
    }),
  });
  for (let looks = 1; ; looks++) {
    const { head, silent } = await store.read((state, now) => ({
      head: state.seq,
      silent: look(state, now, new Map()).found.filter(({ kind }) => kind === 'hand'),
    }));
    const heard = silent.length === 0 ? new Map() : await lastHeard(store, namesIn(silent), head);
    const seen = await store.read((state, now) => look(state, now, heard));
    if (!mark || seen.found.length === 0) return report(seen);
    await sweepLeftovers(parts, seen.found);
    const marked = await desk.transact((tx, plan) => {
      // What has moved since the first look is not stuck, and whoever did something meanwhile is not silent.
      if (tx.state.seq !== head && looks < mostLooks) return null;
      const now = look(tx.state, tx.now, heard);
      const before = now.found.map(({ at }) => plan.tasks[at]!.token);
      for (const one of now.found) if (!one.waitsForRun) fail(parts, desk, tx, plan, one);
      const left = new Set(now.found.filter((_, i) => tx.state.salvage.has(before[i]!)));
      return report(now, (one) => left.has(one));
    });
    if (marked) return marked;
  }
}

/** Each with the latest that is known of them: one sign is a sign for all that they do. */
function namesIn(silent: readonly Found[]): Map<string, number> {
  const names = new Map<string, number>();
  for (const { by, lastSign } of silent) names.set(by!, Math.max(names.get(by!) ?? 0, Date.parse(lastSign)));
  return names;
}

function fail(parts: HandParts, desk: HandDesk, tx: Transaction, plan: PlanState, found: Found): void {
  const { at, message, kind, unrecorded } = found;
  const { live } = plan.tasks[at]!;
  const error = unrecorded?.failure ?? message;
  const answer = markFailed(tx.state, plan, at, { by: parts.user, error, stuck: true, now: tx.now });
  for (const event of answer.ok ? answer.events : []) tx.record(event);
  // Nobody else records the end of what is dead, or so far away that a run would give it up too, unless one goes on.
  const isOver = kind === 'gone' || kind === 'host';
  if (live && isOver && !parts.isRunning(plan)) tx.record(ended(live, unrecorded?.end ?? { kind: 'lost' }));
  desk.settle(tx);
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

function stuckIn(parts: HandParts, state: State, { now, limitMs, heard }: Look) {
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
      const message = `${by} has not been heard of for ${minutes(silentMs)}`;
      const sign = { lastSign: iso(lastAt), silentMs };
      found.push({ at, task, attempt, kind: 'hand', by, ...sign, message, waitsForRun: false });
    }
    if (!live || live.doom) continue;
    watched++;
    const lastAt = lastSignOf(parts, live);
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
  { workspace, isRunning, path }: HandParts,
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
    // Where the plan has no runner of its own, that of another looks after it, and records the end in a moment.
    for (const plan of state.plans.values()) if (isRunning(plan)) return null;
    const unrecorded = unrecordedEnd(word, live.job);
    return { kind: 'gone', message: unrecorded.message, unrecorded, waitsForRun: unrecorded.failure === null };
  }
  if (alive === 'unknown' && !isLeased(live.run, workspace.journalsFolder))
    return { kind: 'host', message: 'its host has not been heard of lately' };
  if (alive === false) return { kind: 'gone', message: 'its process is gone, and nobody knows how it ended' };
  if (silentMs <= limitMs || live.parkedSince > 0) return null;
  return { kind: 'silent', message: `it has printed nothing for ${minutes(silentMs)}` };
}

function lastSignOf({ workspace, store }: HandParts, live: LiveAttempt): number {
  const file = outputFile(attemptsFolderOf(workspace, store), live);
  const grown = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Math.round(Math.max(grown, live.startedAt, live.scheduledAt));
}

/** What a dead worker has left running must not go on working on a task that counts as failed. */
async function sweepLeftovers({ store }: HandParts, found: readonly Found[]): Promise<void> {
  const gone = found.filter(({ kind, waitsForRun }) => kind === 'gone' && !waitsForRun);
  if (gone.length === 0) return;
  const { sweep } = await import('./sweep-leftovers.ts');
  const tokens = await store.read((state) =>
    [...state.live.values()]
      .filter(({ attempt }) => gone.some((one) => one.attempt === attempt))
      .map(({ token }) => token),
  );
  await Promise.all(tokens.map((token) => sweep(`${store.workspace}:${token}`)));
}

const iso = (at: number): string => new Date(at).toISOString();
const minutes = (ms: number): string =>
  ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
