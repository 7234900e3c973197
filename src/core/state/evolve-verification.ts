// Applies the events of checks, reviews, merges and decisions.

import type { OpenDecision } from '../model/decision.ts';
import type { Stored } from '../model/event.ts';
import { impossible } from '../model/impossible.ts';
import type { Issue, ReviewVerdict } from '../model/review.ts';
import {
  type CheckEnded,
  type DecisionOpened,
  type MergeEnded,
  type MergeHeld,
  type MergeInterrupted,
  mergeFailure,
  type ReviewEnded,
  type VerifyEvent,
} from '../model/verify-event.ts';
import { hasFinished, isAtFault, isHeldUp } from '../rules/job-end.ts';
import { addJob, doomJob, type JobScheduled, removeJob, startJob } from './attempts.ts';
import { change } from './change-task.ts';
import { enter, strike } from './decision-book.ts';
import { forgetBlame, rememberBlame } from './loop-memory.ts';
import { startedTask } from './questions/started-task.ts';
import { chargeFor } from './spending.ts';
import type { EndedAttempt, LiveAttempt, PlanState, RunState, State, TaskState } from './state.ts';

export function evolveVerification(state: State, plan: PlanState, event: Stored<VerifyEvent>): void {
  switch (event.type) {
    case 'check-scheduled':
    case 'review-scheduled':
    case 'merge-scheduled':
      return schedule(state, plan, event);
    case 'job-started':
      return startJob(state, event);
    case 'job-doomed':
      return doomJob(state, event);
    case 'check-ended':
      return endCheck(state, plan, event);
    case 'review-ended':
      return endReview(state, plan, event);
    case 'merge-ended':
    case 'merge-interrupted':
    case 'merge-held':
      return endMerge(state, plan, event);
    case 'baseline-recorded':
      plan.baseline = event.failed;
      return;
    case 'decision-opened':
      return open(state, plan, event);
    case 'decision-overdue': {
      const decision = plan.decisions.get(event.decision);
      if (decision) enter(plan, withoutDeadline(decision));
      return;
    }
    case 'decision-answered':
    case 'decision-closed':
      return close(plan, event);
    /* v8 ignore start */
    default:
      impossible(event);
    /* v8 ignore stop */
  }
}

function schedule(state: State, plan: PlanState, event: Stored<JobScheduled>): void {
  state.token = Math.max(state.token, event.token);
  const at = plan.index.get(event.task);
  if (at === undefined) return;
  const live = addJob(state, event, startedTask(plan, at).keys.uses);
  for (const pool of live.pools) state.usage.set(pool, (state.usage.get(pool) ?? 0) + 1);
  plan.live++;
  if (live.job.kind === 'review') plan.reviewing = event.token;
  if (live.job.kind === 'merge') plan.merging = event.token;
  change(plan, event, (task) => {
    task.live = live;
  });
}

function end(
  state: State,
  plan: PlanState,
  event: Stored<CheckEnded | ReviewEnded | MergeEnded | MergeInterrupted | MergeHeld>,
  apply: (task: TaskState, costsNothing: boolean, live?: LiveAttempt) => void,
): void {
  // Not its own fault: it was called back, or stopped for another reason.
  let costsNothing = event.end?.kind === 'never-started';
  let live: LiveAttempt | undefined;
  if (event.token !== undefined) {
    live = removeJob(state, { token: event.token, plan: event.plan, task: event.task });
    if (!live) return;
    if (!hasFinished(live) && !isAtFault(live)) costsNothing = true;
    if (event.type === 'review-ended') {
      chargeFor(state, plan, live, event.agent);
      if (isHeldUp(live, event.agent)) costsNothing = true;
    }
    for (const pool of live.pools) state.usage.set(pool, state.usage.get(pool)! - 1);
    plan.live--;
    if (plan.reviewing === event.token) plan.reviewing = 0;
    if (plan.merging === event.token) plan.merging = 0;
  }
  change(plan, event, (task) => {
    if (task.live?.token === event.token) task.live = null;
    // The task was skipped or suspended meanwhile, or the event is about an older attempt.
    if (task.ended?.attempt === event.attempt) apply(task, costsNothing, live);
  });
}

function endCheck(state: State, plan: PlanState, event: Stored<CheckEnded>): void {
  end(state, plan, event, (task, costsNothing) => {
    const ended = { ...task.ended!, since: event.seq };
    if (event.result === 'passed') {
      const checkTokens = [...(ended.checkTokens ?? []), event.token];
      task.ended = { ...ended, checks: event.check + 1, checkTokens, interrupted: 0 };
    } else if (event.result === 'failed') task.ended = { ...ended, failure: event.failure! };
    else task.ended = { ...ended, interrupted: ended.interrupted + (costsNothing ? 0 : 1) };
  });
}

function endReview(state: State, plan: PlanState, event: Stored<ReviewEnded>): void {
  end(state, plan, event, (task, costsNothing, live) => {
    // The first verdict on an attempt counts.
    if (task.ended!.verdict !== null) return;
    const ended = { ...task.ended!, since: event.seq, problem: event.problem ?? null };
    if (event.result === 'approved') task.ended = { ...ended, verdict: { verdict: 'approved' } };
    else if (event.result === 'rejected') reject(plan, task, event);
    else if (costsNothing && event.agent?.class === 'rate-limit')
      task.ended = { ...ended, limited: { account: live!.account!, resetsAt: event.agent.resetsAt ?? null } };
    else task.ended = { ...ended, interrupted: ended.interrupted + (costsNothing ? 0 : 1) };
  });
}

function endMerge(state: State, plan: PlanState, event: Stored<MergeEnded | MergeInterrupted | MergeHeld>): void {
  end(state, plan, event, (task, costsNothing) => {
    const ended = { ...task.ended!, since: event.seq };
    if (event.type === 'merge-interrupted') {
      const interrupted = ended.interrupted + (costsNothing ? 0 : 1);
      task.ended = { ...ended, interrupted, problem: event.problem ?? null };
    } else if (event.type === 'merge-held') {
      // It keeps its place in the line.
      task.ended = { ...ended, since: task.ended!.since };
      plan.run!.held = event.because;
    } else task.ended = { ...ended, merge: mergeOf(event) };
  });
}

/** One of the two: what went wrong, or the word for what went well. */
const mergeOf = (event: MergeEnded): NonNullable<EndedAttempt['merge']> =>
  mergeFailure(event) ?? (event.result as 'merged' | 'nothing');

function reject(plan: PlanState, task: TaskState, event: Stored<ReviewEnded>): void {
  const issues: readonly Issue[] = event.issues ?? [];
  const verdict: ReviewVerdict = { verdict: 'rejected', severity: event.severity ?? 'medium', issues };
  task.ended = { ...task.ended!, verdict };
  task.review = verdict;
  task.rejections++;
  const fingerprint = event.fingerprint ?? '';
  const times = task.repeated?.fingerprint === fingerprint ? task.repeated.times + 1 : 1;
  task.repeated = { fingerprint, times };
  const blamed = issues.flatMap((issue) =>
    issue.task !== undefined && plan.index.has(issue.task as never) ? issue.task : [],
  );
  plan.loops = rememberBlame(plan.loops, event.task, blamed);
}

function open(state: State, plan: PlanState, event: Stored<DecisionOpened>): void {
  const { kind, task, attempt, blocks, goesOn, options, deadline, evidence, decision: id } = event;
  state.decided = Math.max(state.decided, Number(id.slice(1)));
  enter(plan, {
    id,
    kind,
    blocks,
    goesOn,
    options,
    openedAt: event.at,
    ...(task === undefined ? {} : { task }),
    ...(attempt === undefined ? {} : { attempt }),
    ...(event.default === undefined ? {} : { default: event.default }),
    ...(deadline === undefined ? {} : { deadline }),
    ...(evidence === undefined ? {} : { evidence }),
  });
  if (task === undefined) return;
  change(plan, { task, seq: event.seq }, (own) => {
    if (kind === 'soft-failure') own.hold = id;
    if (kind === 'review' && own.ended?.attempt === attempt) own.ended = { ...own.ended!, asked: id };
  });
}

function close(
  plan: PlanState,
  event: Stored<Extract<VerifyEvent, { readonly type: 'decision-answered' | 'decision-closed' }>>,
): void {
  const decision = strike(plan, event.decision);
  // A person has looked at the loop of the whole plan: its memory starts anew.
  if (decision?.kind === 'livelock' && decision.task === undefined) plan.loops = { ...plan.loops, idle: [], files: {} };
  if (decision?.kind === 'merge') look(plan.run!, decision, event);
  if (decision?.task === undefined) return;
  if (decision.kind === 'livelock') plan.loops = forgetBlame(plan.loops, decision.task);
  const goesOn = event.type === 'decision-answered' && event.choice === 'go-on';
  change(plan, { task: decision.task, seq: event.seq }, (own) => {
    if (own.hold === decision.id) own.hold = null;
    // A person has looked at it: counting starts anew.
    if (decision.kind === 'livelock') own.repeated = null;
    if (goesOn && decision.kind === 'soft-failure') own.goesOn = true;
    if (own.ended?.asked === decision.id && own.ended.verdict === null) own.ended = { ...own.ended, asked: null };
  });
}

/** A person has looked at the branch: merges go on, and what they let be red is known. */
function look(run: RunState, { evidence }: OpenDecision, event: Pick<VerifyEvent, 'type'>): void {
  run.held = null;
  const isAccepted = event.type === 'decision-answered' && (event as { choice?: string }).choice === 'accept';
  if (!isAccepted || evidence?.kind !== 'held' || evidence.because.kind !== 'red-branch') return;
  run.accepted = [...new Set([...run.accepted, evidence.because.command])];
}

function withoutDeadline({ deadline: _, ...decision }: OpenDecision): OpenDecision {
  return decision;
}
