// What a task waits for, in words for a refusal: "1.1, 1.2 and 1.3 (phase 1: Schema)".
import { listWords } from '../model/count-words.ts';
import { saysPhase } from '../model/plan.ts';
import type { PlanState } from '../state/state.ts';
import { dependencies, type Reason } from './explain.ts';

/** Of a task that waits for other tasks. */
export function waitWords(plan: PlanState, task: number): string {
  const reasons = dependencies(plan, task, null, plan.tasks.length);
  const names = reasons.flatMap((reason) => (reason.kind === 'phase' ? [] : reason.task));
  const steps = reasons.flatMap((reason) => (reason.kind === 'phase' ? stepWords(reason) : []));
  return [...(names.length === 0 ? [] : [listWords([...new Set(names)])]), ...steps].join(', and for ');
}

function stepWords({ tasks, phase, step }: Extract<Reason, { readonly kind: 'phase' }>): string {
  const words = listWords(tasks.map(({ task }) => task));
  if (step || phase === '') return words;
  return `${words} (${saysPhase(phase) ? phase.replace(/^phase/i, 'phase') : `phase ${phase}`})`;
}
