// Applies what happened in checks, reviews and decisions.
import { addJob, doomJob, removeJob, startJob } from './attempts.ts';
import { change } from './change-task.ts';
import type { OpenDecision } from './decision.ts';
import type { Stored } from './event.ts';
import { impossible } from './impossible.ts';
import { rememberBlame } from './loops.ts';
import type { Issue, ReviewVerdict } from './review.ts';
import type { PlanState, State, TaskState } from './state.ts';
import type {
  CheckEnded,
  CheckScheduled,
  DecisionOpened,
  ReviewEnded,
  ReviewScheduled,
  VerifyEvent,
} from './verify-event.ts';

export function evolveVerification(state: State, plan: PlanState, event: Stored<VerifyEvent>): void {
  switch (event.type) {
    case 'check-scheduled':
    case 'review-scheduled':
      return schedule(state, plan, event);
    case 'job-started':
      return startJob(state, event);
    case 'job-doomed':
      return doomJob(state, event);
    case 'check-ended':
      return endCheck(state, plan, event);
    case 'review-ended':
      return endReview(state, plan, event);
    case 'baseline-recorded':
      plan.baseline = event.failed;
      return;
    case 'decision-opened':
      return open(state, plan, event);
    case 'decision-overdue': {
      const decision = plan.decisions.get(event.decision);
      if (decision) plan.decisions.set(decision.id, withoutDeadline(decision));
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

function schedule(state: State, plan: PlanState, event: Stored<CheckScheduled | ReviewScheduled>): void {
  state.token = Math.max(state.token, event.token);
  if (!plan.index.has(event.task)) return;
  const live = addJob(state, event);
  plan.live++;
  if (live.job.kind === 'review') plan.reviewing = event.token;
  change(plan, event, (task) => {
    task.live = live;
  });
}

function end(
  state: State,
  plan: PlanState,
  event: Stored<CheckEnded | ReviewEnded>,
  apply: (task: TaskState, isOurDoing: boolean) => void,
): void {
  let isOurDoing = false;
  if (event.token !== undefined) {
    const live = removeJob(state, { token: event.token, plan: event.plan });
    if (!live) return;
    isOurDoing = live.doom !== null && live.doom.kind !== 'timeout';
    plan.live--;
    if (plan.reviewing === event.token) plan.reviewing = 0;
  }
  change(plan, event, (task) => {
    if (task.live?.token === event.token) task.live = null;
    // Somebody skipped or suspended it meanwhile, or it is about an older attempt.
    if (task.ended?.attempt === event.attempt) apply(task, isOurDoing);
  });
}

function endCheck(state: State, plan: PlanState, event: Stored<CheckEnded>): void {
  end(state, plan, event, (task, isOurDoing) => {
    const ended = task.ended!;
    if (event.result === 'passed') {
      task.ended = { ...ended, checks: event.check + 1, checkTokens: [...(ended.checkTokens ?? []), event.token] };
    } else if (event.result === 'failed') task.ended = { ...ended, failure: event.failure! };
    else if (!isOurDoing) task.ended = { ...ended, interrupted: ended.interrupted + 1 };
  });
}

function endReview(state: State, plan: PlanState, event: Stored<ReviewEnded>): void {
  end(state, plan, event, (task, isOurDoing) => {
    const ended = task.ended!;
    if (event.result === 'approved') task.ended = { ...ended, verdict: { verdict: 'approved' } };
    else if (event.result === 'rejected') reject(plan, task, event);
    else if (!isOurDoing) {
      const problem = event.problem === undefined ? {} : { problem: event.problem };
      task.ended = { ...ended, interrupted: ended.interrupted + 1, ...problem };
    }
  });
}

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
  plan.decisions.set(id, {
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
  const decision = plan.decisions.get(event.decision);
  plan.decisions.delete(event.decision);
  // A loop of the whole plan that somebody has looked at: what was remembered for it is over.
  if (decision?.kind === 'livelock' && decision.task === undefined) plan.loops = { ...plan.loops, idle: [], files: {} };
  if (decision?.task === undefined) return;
  const goesOn = event.type === 'decision-answered' && event.choice === 'go-on';
  change(plan, { task: decision.task, seq: event.seq }, (own) => {
    if (own.hold === decision.id) own.hold = null;
    if (goesOn && decision.kind === 'soft-failure') own.goesOn = true;
    if (own.ended?.asked === decision.id && own.ended.verdict === null) own.ended = { ...own.ended, asked: null };
  });
}

function withoutDeadline({ deadline: _, ...decision }: OpenDecision): OpenDecision {
  return decision;
}
