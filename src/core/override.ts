// Going against a rule, or against what is settled: allowed, and never without a word in the history of decisions.
import { answerEvents } from './answer-decision.ts';
import { optionsFor } from './decision.ts';
import type { Event } from './event.ts';
import { decisionId } from './ids.ts';
import type { PlanState, State } from './state.ts';
import { leavesOf } from './status.ts';
import { type Answer, reopened, retryTask, type Steering } from './steer.ts';

/** Asked and answered in one breath: it is in the history of decisions. */
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
  const why = reason === undefined ? because : `${because}: ${reason}`;
  const decision = { ...question, id, openedAt: state.at };
  const answer = { id, kind: 'override', about: i, choice: 'go-on', by, reason: why, blocked: [], decision } as const;
  return [opened, ...answerEvents(plan, answer)];
}

export interface Redoing extends Steering {
  /** For whoever does it again. */
  readonly note?: string;
}

/** As `retry`, and what is completed too. Those who needed it and have ended stay as they are; the others wait for it again. */
export function redoTask(state: State, plan: PlanState, i: number, redoing: Redoing): Answer {
  const { by, note } = redoing;
  const completed = leavesOf(plan, i).filter((leaf) => plan.tasks[leaf]!.status === 'completed');
  const others = retryTask(plan, i, { by, ...(note === undefined ? {} : { reason: note }) });
  if (completed.length === 0) return others;
  const because = `${plan.plan.tasks[i]!.id} is completed already`;
  return {
    ok: true,
    events: [
      ...override(state, plan, i, redoing, because),
      ...completed.map((leaf) => reopened(plan, leaf, by, note)),
      ...(others.ok ? others.events : []),
    ],
  };
}
