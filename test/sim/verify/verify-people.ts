// The people around a plan that is verified: they answer late, twice, wrongly or never, and steer in between.
import type { Answer } from '../../../src/core/commands/accept-or-refuse.ts';
import { type AnswerInput, answerDecision } from '../../../src/core/commands/answer-decision.ts';
import { resumeTask } from '../../../src/core/commands/question.ts';
import { pausePlan, resumePlan, retryTask, skipTask, stopRun, suspendTask } from '../../../src/core/commands/steer.ts';
import type { Choice, OpenDecision } from '../../../src/core/model/decision.ts';
import type { PlanState } from '../../../src/core/state/state.ts';
import type { Random } from '../random.ts';
import { randomIssues } from './verify-behaviour.ts';

export interface Said {
  readonly answer: Answer;
  /** As the checker knows it. */
  readonly kind: string;
}

const everything: readonly Choice[] = [
  'retry',
  'skip-all',
  'go-on',
  'approve',
  'accept',
  'skip-blocked',
  'abort',
  'fix',
];

/** @param calm only what is offered, and nothing that stops the plan. */
export function answer(random: Random, plan: PlanState, decision: OpenDecision, by: string, calm: boolean): Said {
  const offered = decision.options.filter((choice) => choice !== 'details' && choice !== 'restructure');
  const sensible = offered.filter((choice) => choice !== 'abort' && choice !== 'fix' && choice !== 'reject');
  // Whoever only ever tries again never comes to an end.
  const last = sensible.filter((choice) => !/retry|escalate|other-agent|go-on/.test(choice));
  const wanted = calm
    ? last.length > 0 && random.chance(0.5)
      ? last
      : sensible
    : random.chance(0.9)
      ? offered
      : everything;
  const choice = random.pick(wanted);
  const input: AnswerInput = {
    choice,
    by,
    note: 'try harder',
    agent: 'other',
    severity: random.pick(['low', 'medium', 'high']),
    issues: randomIssues(random, plan.plan),
  };
  return { answer: answerDecision(plan, decision, input), kind: `answer ${decision.id} ${choice}` };
}

export function steer(random: Random, plan: PlanState, by: string): Said {
  const task = random.int(0, plan.plan.tasks.length - 1);
  const wish = random.weighted({ retry: 3, skip: 1, done: 1, suspend: 1.5, resume: 3, pause: 0.3, goOn: 2, stop: 0.3 });
  switch (wish) {
    case 'retry':
      return { answer: retryTask(plan, task, { by }), kind: 'retry' };
    case 'skip':
      return { answer: skipTask(plan, task, { by, dependents: true }), kind: 'skip' };
    case 'done':
      return { answer: skipTask(plan, task, { by, treatAsDone: true }), kind: 'skip' };
    case 'suspend':
      return { answer: suspendTask(plan, task, { by }), kind: 'suspend' };
    case 'resume':
      return { answer: resumeTask(plan, task, { by }), kind: 'resume' };
    case 'pause':
      return { answer: pausePlan(plan, { by }), kind: 'pause' };
    case 'goOn':
      return { answer: resumePlan(plan, { by }), kind: 'resume-plan' };
    default: {
      const mode = random.pick(['drain', 'stop', 'kill'] as const);
      return { answer: stopRun(plan, { mode, by, exitCode: 143 }), kind: 'stop' };
    }
  }
}
