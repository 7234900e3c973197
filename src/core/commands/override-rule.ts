// Going against a rule, or against the end of a task: allowed, and always recorded as a decision.

import { optionsFor } from '../model/decision.ts';
import type { Event } from '../model/event.ts';
import { decisionId } from '../model/ids.ts';
import { leavesOf } from '../state/questions/status.ts';
import type { PlanState, State } from '../state/state.ts';
import type { Answer } from './accept-or-refuse.ts';
import { answerEvents } from './answer-decision.ts';
import { reopened, retryTask, type Steering } from './steer.ts';

/** A decision that is opened and answered at once, for the history. */
export function override(
  state: State,
  plan: PlanState,
  i: number,
  { by, reason }: Steering,
  because: string,
): readonly Event[] {
  const id = decisionId(state.decided + 1);
  const none = { count: 0, tasks: [] };
  const task = plan.plan.tasks[i]!.id;
  const options = optionsFor('override');
  const question = { kind: 'override', task, blocks: none, goesOn: none, options } as const;
  const opened: Event = { type: 'decision-opened', v: 1, plan: plan.path, decision: id, ...question };
  const why = reason === undefined ? because : `${because}; ${reason}`;
  const decision = { ...question, id, openedAt: state.at };
  const answer = { id, kind: 'override', about: i, choice: 'go-on', by, reason: why, blocked: [], decision } as const;
  return [opened, ...answerEvents(plan, answer)];
}

export interface Redoing extends Steering {
  /** For the next attempt. */
  readonly note?: string;
}

/** As `retry`, but for completed tasks too. Dependents that have ended stay as they are; the others wait for it again. */
export function redoTask(state: State, plan: PlanState, i: number, redoing: Redoing): Answer {
  const { by, note } = redoing;
  const completed = leavesOf(plan, i).filter((leaf) => plan.tasks[leaf]!.status === 'completed');
  const others = retryTask(plan, i, { by, ...(note === undefined ? {} : { reason: note }) });
  if (completed.length === 0) return others;
  const because = `${plan.plan.tasks[i]!.id} is already completed`;
  return {
    ok: true,
    events: [
      ...override(state, plan, i, redoing, because),
      ...completed.map((leaf) => reopened(plan, leaf, by, note)),
      ...(others.ok ? others.events : []),
    ],
  };
}
