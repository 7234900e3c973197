// Decisions about more than one failed task, and decisions that are overdue or no longer needed.
import { answerEvents } from '../commands/answer-decision.ts';
import { dependentLeaves } from '../commands/steer.ts';
import { unendedLeaves } from '../explain/stuck.ts';
import type { Choice, Names, OpenDecision } from '../model/decision.ts';
import type { Event, PreferenceWarning } from '../model/event.ts';
import { leafStatus } from '../ready/refresh.ts';
import { BAD } from '../ready/signal.ts';
import type { PlanState, State, Status } from '../state/state.ts';
import { ask, askAboutFailure, isInBatch, mostBlocked, names, policyFor, policyOf } from './open-decisions.ts';
import { isTriedAgain } from './try-again.ts';

/** Closes decisions that need no answer any more, takes defaults whose time has come, and asks about batches that have ended. */
export function updateDecisions(state: State, plan: PlanState, now: number): Event[] | null {
  for (const id of plan.book.overtaken) return [closed(plan, plan.decisions.get(id)!)];
  if (plan.book.deadline <= now) {
    for (const decision of plan.decisions.values()) {
      if (decision.deadline !== undefined && decision.deadline <= now) return takeDefault(plan, decision);
    }
  }
  return askAboutMerges(state, plan, now) ?? askAboutBatch(state, plan, now);
}

/** One question, however many wait behind it. */
function askAboutMerges(state: State, plan: PlanState, now: number): Event[] | null {
  const { run } = plan;
  if (!run || run.held === null || run.ended || run.stopping) return null;
  if ([...plan.book.ofPlan].some((id) => plan.decisions.get(id)!.kind === 'merge')) return null;
  const evidence = { kind: 'held', because: run.held } as const;
  return ask(state, plan, { kind: 'merge', about: -1, blocked: [...plan.toMerge], choice: null, evidence, now });
}

const closed = ({ path }: PlanState, { id, task }: OpenDecision): Event => {
  return { type: 'decision-closed', v: 1, plan: path, decision: id, ...(task === undefined ? {} : { task }) };
};

/** The plan's policy answers. Without one, the decision stays open, and the run no longer waits for it. */
function takeDefault(plan: PlanState, decision: OpenDecision): Event[] {
  const { id, kind, task } = decision;
  const about = task === undefined ? -1 : plan.index.get(task)!;
  const choice = about === -1 ? null : policyFor(plan, about, kind);
  if (choice === null || !decision.options.includes(choice)) {
    return [{ type: 'decision-overdue', v: 1, plan: plan.path, decision: id, ...(task === undefined ? {} : { task }) }];
  }
  const reason = 'nobody answered in time';
  const blocked = dependentLeaves(plan, about);
  return answerEvents(plan, { id, kind, about, choice, by: 'signalbox', reason, blocked, decision });
}

/** One decision for the plan, if no other open decision explains why it is stuck. The same question keeps its number. */
export function askAboutPlan(state: State, plan: PlanState, now: number): Event[] {
  const blocked = unendedLeaves(plan);
  const known = [...plan.decisions.values()].find(({ kind }) => kind === 'stuck');
  if (known && isSame(known.blocks, names(plan, blocked, mostBlocked))) return [];
  const isExplained = plan.decisions.size > (known ? 1 : 0);
  return [
    ...(known ? [closed(plan, known)] : []),
    ...(isExplained ? [] : ask(state, plan, { kind: 'stuck', about: -1, blocked, choice: null, now })),
  ];
}

const isSame = (a: Names, b: Names): boolean => a.count === b.count && a.tasks.every((id, i) => id === b.tasks[i]);

/** Whether to ask about a preferred task that ended badly: the task says so, and nobody was asked yet. */
export const asksFirst = (plan: PlanState, i: number): boolean =>
  plan.plan.tasks[i]!.keys.softFailure === 'ask' && !plan.tasks[i]!.goesOn;

export function askAboutPreferred(
  state: State,
  plan: PlanState,
  i: number,
  warnings: readonly PreferenceWarning[],
  now: number,
): Event[] {
  const evidence = { kind: 'preferred', tasks: warnings.map(({ task }) => task) } as const;
  const blocked = [i, ...dependentLeaves(plan, i)];
  return ask(state, plan, { kind: 'soft-failure', about: i, blocked, choice: null, evidence, now });
}

/** A batch has ended, and not all of it was completed. After an abort the next run asks again. */
function askAboutBatch(state: State, plan: PlanState, now: number): Event[] | null {
  if (plan.batches.ended.size === 0 || !plan.run || plan.run.ended || plan.run.stopping) return null;
  const asked = new Set([...plan.book.ofPlan].map((id) => phaseOf(plan.decisions.get(id)!)));
  for (const phase of plan.batches.ended) {
    const { name } = plan.plan.phases[phase]!;
    if (!asked.has(name)) return askAbout(state, plan, phase, now);
  }
  return null;
}

const phaseOf = ({ evidence }: OpenDecision): string | null => (evidence?.kind === 'batch' ? evidence.phase : null);

function askAbout(state: State, plan: PlanState, phase: number, now: number): Event[] {
  const leaves = plan.plan.tasks.flatMap((task, i) =>
    task.phase === phase && !task.group && task.closes === undefined ? i : [],
  );
  const having = (...statuses: Status[]) => leaves.filter((i) => statuses.includes(leafStatus(plan, i)));
  const rest = having('failed', 'suspended', 'blocked');
  const choice = batchPolicy(plan, having('failed').find((i) => !plan.graph.optional[i])!);
  const evidence = {
    kind: 'batch',
    phase: plan.plan.phases[phase]!.name,
    completed: names(plan, having('completed'), 100),
    rest: names(plan, rest, 100),
  } as const;
  const behind = new Set(rest.flatMap((i) => dependentLeaves(plan, i, BAD)));
  return ask(state, plan, { kind: 'batch', about: -1, blocked: [...behind], choice, evidence, now });
}

/** `skip` accepts what is good. */
function batchPolicy(plan: PlanState, failed: number): Choice | null {
  const choice = policyFor(plan, failed, 'batch');
  if (choice === 'skip-all') return 'accept';
  return choice === 'escalate' ? null : choice;
}

/**
 * A new run asks again about tasks that failed for good or were suspended by a rule, if nobody has decided. If the run has a policy,
 * the policy answers what is still open. Null: nothing to add.
 * @param from the task to begin with; `next` is where to go on.
 */
export function askAgain(
  state: State,
  plan: PlanState,
  now: number,
  from = 0,
): { events: Event[]; next: number } | null {
  for (let i = from; i < plan.tasks.length; i++) {
    const events = askAgainAbout(state, plan, i, now);
    if (events.length > 0) return { events, next: i + 1 };
  }
  return null;
}

function askAgainAbout(state: State, plan: PlanState, i: number, now: number): Event[] {
  const { id, group } = plan.plan.tasks[i]!;
  const own = plan.tasks[i]!;
  const isRejected = own.status === 'suspended' && own.by === 'signalbox';
  if (group || !(isRejected || (own.status === 'failed' && !isInBatch(plan, i)))) return [];
  // It has not failed for good: a run that includes it tries it again.
  if (isTriedAgain(plan, i)) return [];
  const decision = [...(plan.book.byTask.get(id) ?? [])]
    .map((open) => plan.decisions.get(open)!)
    .find(({ task }) => task === id);
  const asked = () => (isRejected ? askAboutRejection(state, plan, i, now) : askAboutFailure(state, plan, i, now));
  if (decision === undefined) return asked();
  const choice = policyFor(plan, i, decision.kind);
  if (choice === null) return [];
  // It was asked while there was no agent to escalate to.
  if (!decision.options.includes(choice)) return [closed(plan, decision), ...asked()];
  const policy = policyOf(plan, i);
  const blocked = dependentLeaves(plan, i);
  return answerEvents(plan, { ...decision, about: i, choice, by: 'signalbox', policy, blocked, decision });
}

/** It was aborted instead of answered. */
function askAboutRejection(state: State, plan: PlanState, i: number, now: number): Event[] {
  const { review } = plan.tasks[i]!;
  const evidence = review?.verdict === 'rejected' ? { ...review, kind: 'rejected' as const } : undefined;
  const choice = policyFor(plan, i, 'rejection');
  const blocked = dependentLeaves(plan, i, BAD);
  return ask(state, plan, { kind: 'rejection', about: i, blocked, choice, now, ...(evidence ? { evidence } : {}) });
}
