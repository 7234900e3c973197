// The refusal of what a blocked task cannot do yet: with its root causes, and what to type about the first of them.
import { RootCauses } from '../explain/root-causes.ts';
import { commandLine } from '../model/command-line.ts';
import { listWords } from '../model/count-words.ts';
import type { PlanState } from '../state/state.ts';
import { refuse } from './accept-or-refuse.ts';

export function refuseBlocked(plan: PlanState, i: number): ReturnType<typeof refuse> {
  const causes = new RootCauses(plan, null).of(i);
  const { task, status } = causes[0]!;
  const names = listWords(causes.map((cause) => `${cause.task} (${cause.status})`));
  const instead =
    status === 'suspended'
      ? `resume ${task} first: ${commandLine('resume', task)}`
      : `try ${task} again first: ${commandLine('retry', task)}`;
  return refuse(`${plan.plan.tasks[i]!.id} is blocked by ${names}`, instead);
}
