// Opens a decision where only a person may decide, or answers it by the policy of the plan, the settings or the run.
//
//   a task failed for good          others need it        nobody does
//   on-failure: ask                 a decision is open    nothing is asked
//   retry, skip, escalate, abort    answered at once      answered at once
//
// A policy that cannot help any more (no attempt left for `retry`, escalated once already) asks as well.
import { answerEvents } from '../commands/answer-decision.ts';
import { dependentLeaves } from '../commands/steer.ts';
import { goingOn } from '../explain/going-on.ts';
import {
  type Choice,
  type DecisionKind,
  type Names,
  type OnFailure,
  optionsFor,
  type Question,
} from '../model/decision.ts';
import { attemptsCap, escalationsCap, lostCap } from '../model/defaults.ts';
import type { Event } from '../model/event.ts';
import type { Failure } from '../model/failure.ts';
import { decisionId } from '../model/ids.ts';
import { BAD } from '../ready/signal.ts';
import type { PlanState, State } from '../state/state.ts';

/** Named in a question; all are counted. */
export const mostBlocked = 100;

/** The events of a final failure: the record, and the question or the policy's answer. */
export function failTask(state: State, plan: PlanState, i: number, failure: Failure, now: number): Event[] {
  const task = plan.plan.tasks[i]!;
  const { run, attempt } = plan.tasks[i]!.ended!;
  const about = { v: 1, plan: plan.path, run, attempt, task: task.id } as const;
  const failed: Event = { type: 'task-failed', ...about, failure, ...(task.optional ? { optional: true } : {}) };
  return [failed, ...askAboutFailure(state, plan, i, now)];
}

/** What follows from a final failure, recorded already or just about to be. */
export function askAboutFailure(state: State, plan: PlanState, i: number, now: number): Event[] {
  // The phase is asked about as a whole, when it has ended.
  if (isInBatch(plan, i)) return [];
  const blocked = dependentLeaves(plan, i, BAD);
  const choice = policyFor(plan, i, 'failure');
  if (blocked.length === 0 && choice === null) return [];
  return ask(state, plan, { kind: 'failure', about: i, blocked, choice, now });
}

export interface Asked {
  readonly kind: DecisionKind;
  /** Index of the task; -1: the plan. */
  readonly about: number;
  readonly blocked: readonly number[];
  /** By policy; null: a person is asked. */
  readonly choice: Choice | null;
  readonly evidence?: Question['evidence'];
  readonly now: number;
}

export function ask(state: State, plan: PlanState, asked: Asked): Event[] {
  const { kind, about, blocked, choice, evidence, now } = asked;
  const id = decisionId(state.decided + 1);
  // Work by hand needs no run.
  const run = plan.run && !plan.run.ended ? { run: plan.run.run } : {};
  const isRunning = 'run' in run && choice !== 'abort';
  const { ended, live } = about === -1 ? { ended: null, live: null } : plan.tasks[about]!;
  const attempt = ended?.attempt ?? live?.attempt;
  const within = plan.run?.decideWithinMs ?? 0;
  const options = optionsFor(kind, uselessChoices(plan, kind, about));
  const fallback = about === -1 ? null : policyFor(plan, about, kind);
  const question: Question = {
    kind,
    ...(about === -1 ? {} : { task: plan.plan.tasks[about]!.id }),
    ...(attempt === undefined ? {} : { attempt }),
    blocks: names(plan, blocked, mostBlocked),
    goesOn: goingOn(plan, { about, blocked, isRunning, holds: kind === 'livelock' && about === -1 }),
    options,
    ...(within > 0 && fallback !== null && options.includes(fallback) ? { default: fallback } : {}),
    ...(within > 0 ? { deadline: now + within } : {}),
    ...(evidence === undefined ? {} : { evidence }),
  };
  const opened: Event = { type: 'decision-opened', v: 1, plan: plan.path, ...run, decision: id, ...question };
  if (choice === null) return [opened];
  const policy = policyOf(plan, about);
  const decision = { ...question, id, openedAt: now };
  return [opened, ...answerEvents(plan, { id, kind, about, choice, by: 'signalbox', policy, blocked, decision })];
}

/** No escalation without an agent for it, or a second time; no retry of a plan as a whole; no words for what is only a check. */
function uselessChoices(plan: PlanState, kind: DecisionKind, about: number): Choice[] {
  if (about === -1 && kind === 'livelock')
    return ['retry', 'retry-with-note', 'other-agent', 'fix', 'skip-all', 'treat-as-done', 'escalate'];
  // A checkout is not a matter of taste.
  if (kind === 'merge' && plan.run?.held?.kind === 'checked-out') return ['accept'];
  if (about === -1) return ['escalate'];
  const { closes, keys } = plan.plan.tasks[about]!;
  const ofCheck: Choice[] = closes !== undefined && keys.run !== undefined ? ['retry-with-note', 'other-agent'] : [];
  return mayEscalate(plan, about) ? ofCheck : [...ofCheck, 'escalate'];
}

const mayEscalate = (plan: PlanState, i: number): boolean =>
  plan.run?.escalationAgent != null && plan.tasks[i]!.escalations < escalationsCap;

/** The policy of the run comes before the task's, which may come from its groups, the plan or the settings. */
export function policyOf(plan: PlanState, i: number): OnFailure {
  return plan.run?.onFailure ?? (i === -1 ? 'ask' : (plan.plan.tasks[i]!.keys.onFailure ?? 'ask'));
}

/** Null: ask a person. */
export function policyFor(plan: PlanState, i: number, kind: DecisionKind): Choice | null {
  const { failures, rejections, lost, status } = plan.tasks[i]!;
  // The failure that has just come is not recorded yet.
  const now = kind === 'failure' && status === 'in_progress' ? 1 : 0;
  switch (policyOf(plan, i)) {
    case 'ask':
      return null;
    case 'skip':
      return 'skip-all';
    case 'abort':
      return 'abort';
    case 'escalate':
      return mayEscalate(plan, i) ? 'escalate' : null;
    default: // retry: does not end a loop, and does not answer for preferred tasks
      if (kind === 'livelock' || kind === 'soft-failure') return null;
      return failures + rejections + now < attemptsCap && lost < lostCap ? 'retry' : null;
  }
}

export const isInBatch = (plan: PlanState, i: number): boolean =>
  plan.plan.phases[plan.plan.tasks[i]!.phase]!.batch === true && plan.plan.tasks[i]!.closes === undefined;

export function names(plan: PlanState, tasks: readonly number[], most: number): Names {
  return { count: tasks.length, tasks: tasks.slice(0, most).map((i) => plan.plan.tasks[i]!.id) };
}
