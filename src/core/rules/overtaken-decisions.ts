// Whether a decision needs no answer any more, because its task or plan has changed.
//
//   failure                   the task is no longer failed
//   rejection, livelock       it is no longer suspended
//   review                    it is another attempt's turn, or there is a verdict
//   soft-failure              no preferred task is bad any more, or it is no longer pending
//   batch                     something of the phase goes on again, or nothing of it is failed any more
//   stuck                     a new run looks for itself
//   livelock of the plan      never: a person must look at it
import type { OpenDecision } from '../model/decision.ts';
import { badPreferences } from '../ready/preferences.ts';
import type { PlanState } from '../state/state.ts';

export function isOvertaken(plan: PlanState, decision: OpenDecision): boolean {
  const { kind, task, attempt, id } = decision;
  const i = task === undefined ? undefined : plan.index.get(task);
  if (i === undefined) return task !== undefined || isOver(plan, decision);
  const { status, ended, hold } = plan.tasks[i]!;
  switch (kind) {
    case 'failure':
      return status !== 'failed';
    case 'review':
      return ended?.attempt !== attempt || ended?.asked !== id || ended.verdict !== null;
    case 'soft-failure':
      return hold !== id || status !== 'pending' || badPreferences(plan, i).length === 0;
    default: // rejection, livelock
      return status !== 'suspended';
  }
}

function isOver(plan: PlanState, { kind, evidence }: OpenDecision): boolean {
  if (kind === 'stuck') return plan.run !== null && !plan.run.ended;
  return evidence?.kind === 'batch' && endedBatches(plan, evidence.phase).length === 0;
}

/** Phases of that name that have ended as a unit, with failures. */
export const endedBatches = (plan: PlanState, name: string): number[] =>
  [...plan.batches.ended].filter((phase) => plan.plan.phases[phase]!.name === name);
