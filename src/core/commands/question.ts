// A question to a person, and the end of a suspension. An attempt that cannot go on alone suspends its own task with a question: it is
// stopped, holds nothing while a person thinks, and the answer is in the prompt of the next attempt.

import type { OpenDecision } from '../model/decision.ts';
import type { Event } from '../model/event.ts';
import { BAD } from '../ready/signal.ts';
import { ask } from '../rules/open-decisions.ts';
import { leavesOf, statusOf } from '../state/questions/status.ts';
import type { PlanState, State } from '../state/state.ts';
import { type Answer, accept, refuse } from './accept-or-refuse.ts';
import { answerEvents } from './answer-decision.ts';
import { dependentLeaves, isSuspended, type Steering, suspendTask, withdraw, words } from './steer.ts';

export interface Asking {
  readonly by: string;
  readonly question: string;
}

export function askPerson(state: State, plan: PlanState, i: number, { by, question }: Asking, now: number): Answer {
  const task = plan.plan.tasks[i]!;
  if (question.trim() === '') return refuse('the question is empty', 'add --question TEXT');
  if (task.group) return refuse(`${task.id} is a group`, 'ask about one of its tasks');
  const suspended = suspendTask(plan, i, { by, reason: question });
  if (!suspended.ok) return suspended;
  const evidence = { kind: 'question', question } as const;
  const blocked = dependentLeaves(plan, i, BAD);
  return accept([
    { type: 'task-suspended', v: 1, plan: plan.path, task: task.id, by, reason: question },
    ...withdraw(plan, i, { kind: 'withdrawn', asked: true }),
    ...ask(state, plan, { kind: 'question', about: i, blocked, choice: null, evidence, now }),
  ]);
}

/** The reason is for the next attempt. It answers what the task has asked. */
export function resumeTask(plan: PlanState, task: number, steering: Steering): Answer {
  const { id } = plan.plan.tasks[task]!;
  const leaves = leavesOf(plan, task).filter((leaf) => isSuspended(plan, leaf));
  if (leaves.length === 0)
    return refuse(`${id} is ${words(statusOf(plan, task))}`, 'only a suspended task can be resumed');
  return accept(leaves.flatMap((leaf) => resumed(plan, leaf, steering)));
}

function resumed(plan: PlanState, leaf: number, { by, reason: note }: Steering): Event[] {
  const { id } = plan.plan.tasks[leaf]!;
  if (note === undefined) return [{ type: 'task-resumed', v: 1, plan: plan.path, task: id, by }];
  const decision = questionAbout(plan, id);
  if (!decision) return [{ type: 'task-resumed', v: 1, plan: plan.path, task: id, by, note }];
  const given = { id: decision.id, kind: decision.kind, about: leaf, choice: 'retry-with-note', by, note } as const;
  return answerEvents(plan, { ...given, blocked: [], decision });
}

const questionAbout = (plan: PlanState, task: string): OpenDecision | undefined =>
  [...plan.decisions.values()].find((decision) => decision.kind === 'question' && decision.task === task);
