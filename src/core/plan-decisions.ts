// Decisions that are about more than one failed task, and what becomes of decisions that time or somebody else has overtaken.
import { answerEvents } from './answer-decision.ts';
import type { Choice, OpenDecision } from './decision.ts';
import type { Event, PreferenceWarning } from './event.ts';
import { ask, askAboutFailure, isInBatch, names, policyFor, policyOf } from './open-decisions.ts';
import { leafStatus } from './refresh.ts';
import { BAD } from './signal.ts';
import type { PlanState, State } from './state.ts';
import { dependentLeaves } from './steer.ts';
import { unendedLeaves } from './stuck.ts';

/** Closes what nobody has to answer any more, takes defaults whose time has come, and asks about batches that have ended. */
export function settleDecisions(state: State, plan: PlanState, now: number): Event[] | null {
  for (const decision of plan.decisions.values()) {
    const { id, task, deadline } = decision;
    if (isOvertaken(plan, decision)) {
      return [
        { type: 'decision-closed', v: 1, plan: plan.path, decision: id, ...(task === undefined ? {} : { task }) },
      ];
    }
    if (deadline !== undefined && deadline <= now) return takeDefault(plan, decision);
  }
  return askAboutBatch(state, plan, now);
}

/** What it was about has changed. */
function isOvertaken(plan: PlanState, { kind, task, attempt, id }: OpenDecision): boolean {
  const i = task === undefined ? undefined : plan.index.get(task);
  if (i === undefined) {
    // A new run looks for itself.
    if (kind === 'stuck') return plan.run !== null && !plan.run.ended;
    return task !== undefined;
  }
  const { status, ended, hold } = plan.tasks[i]!;
  switch (kind) {
    case 'failure':
      return status !== 'failed';
    case 'rejection':
    case 'livelock':
      return status !== 'suspended';
    case 'review':
      return ended?.attempt !== attempt || ended?.verdict !== null;
    case 'soft-failure':
      return hold !== id || status !== 'pending';
    default:
      return false;
  }
}

/** What the plan says is to be done; without that the question stays, and nobody waits for the answer any more. */
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

/** One question for the plan, if nothing else that is open explains it. */
export function askAboutPlan(state: State, plan: PlanState, now: number): Event[] {
  if (plan.decisions.size > 0) return [];
  return ask(state, plan, { kind: 'stuck', about: -1, blocked: unendedLeaves(plan), choice: null, now });
}

/** Whether the task wants to be asked about when something that it prefers has ended badly, and was not yet. */
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

/** A phase that ends as a unit has ended, and not everything in it was completed. */
function askAboutBatch(state: State, plan: PlanState, now: number): Event[] | null {
  if (plan.counts.required.failed + plan.counts.optional.failed === 0) return null;
  for (let phase = 0; phase < plan.plan.phases.length; phase++) {
    const { batch, name } = plan.plan.phases[phase]!;
    if (
      !batch ||
      [...plan.decisions.values()].some(({ evidence }) => evidence?.kind === 'batch' && evidence.phase === name)
    )
      continue;
    const leaves = plan.plan.tasks.flatMap(({ closes, group }, i) =>
      plan.plan.tasks[i]!.phase === phase && !group && closes === undefined ? i : [],
    );
    const statuses = leaves.map((i) => leafStatus(plan, i));
    if (!statuses.includes('failed')) continue;
    if (statuses.some((status) => status === 'pending' || status === 'in_progress')) continue;
    const completed = leaves.filter((_, at) => statuses[at] === 'completed');
    const rest = leaves.filter((_, at) => statuses[at] !== 'completed' && statuses[at] !== 'skipped');
    const failed = leaves.find((_, at) => statuses[at] === 'failed')!;
    const choice = batchPolicy(plan, failed);
    const evidence = {
      kind: 'batch',
      phase: name,
      completed: names(plan, completed, 100),
      rest: names(plan, rest, 100),
    } as const;
    const behind = new Set(rest.flatMap((i) => dependentLeaves(plan, i, BAD)));
    return ask(state, plan, { kind: 'batch', about: -1, blocked: [...behind], choice, evidence, now });
  }
  return null;
}

/** `skip` accepts what is good. */
function batchPolicy(plan: PlanState, failed: number): Choice | null {
  const choice = policyFor(plan, failed, 'batch');
  if (choice === 'skip-all') return 'accept';
  return choice === 'escalate' ? null : choice;
}

/**
 * A new run asks again about what failed for good and nobody has decided about; where it has a policy, that answers what is
 * still open. Null: nothing to add.
 */
export function askAgain(state: State, plan: PlanState, now: number): Event[] | null {
  const open = new Map([...plan.decisions.values()].map((decision) => [decision.task, decision]));
  for (let i = 0; i < plan.tasks.length; i++) {
    const { id, group } = plan.plan.tasks[i]!;
    if (group || plan.tasks[i]!.status !== 'failed' || isInBatch(plan, i)) continue;
    const decision = open.get(id);
    const choice = policyFor(plan, i, 'failure');
    if (decision && choice === null) continue;
    const blocked = dependentLeaves(plan, i);
    const events = decision
      ? answerEvents(plan, {
          ...decision,
          about: i,
          choice: choice!,
          by: 'signalbox',
          policy: policyOf(plan, i),
          blocked,
          decision,
        })
      : askAboutFailure(state, plan, i, now);
    if (events.length > 0) return events;
  }
  return null;
}
