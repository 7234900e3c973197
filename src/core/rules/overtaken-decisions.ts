// Whether a decision needs no answer any more, because its task or plan has changed.
//
//   failure                   the task is no longer failed, or nobody needs it any more
//   rejection, livelock,      it is no longer suspended
//   question, conflict
//   review                    it is another attempt's turn, or there is a verdict
//   soft-failure              no preferred task is bad any more, or it is no longer pending
//   batch                     something of the phase goes on again, or nothing of it is failed any more
//   stuck                     one of the tasks can start, or has ended
//   merge                     nothing of what waited to be merged is left
//   livelock of the plan      one of the tasks was completed, or none is left
import type { OpenDecision } from '../model/decision.ts';
import type { TaskId } from '../model/ids.ts';
import { closedFor, hasClosed } from '../ready/closed-for.ts';
import { badPreferences } from '../ready/preferences.ts';
import type { PlanState, Status } from '../state/state.ts';

export function isOvertaken(plan: PlanState, decision: OpenDecision): boolean {
  const { kind, task, attempt, id } = decision;
  const i = task === undefined ? undefined : plan.index.get(task);
  if (i === undefined) return task !== undefined || isOver(plan, decision);
  const { status, ended, hold } = plan.tasks[i]!;
  switch (kind) {
    case 'failure':
      return status !== 'failed' || isNeedless(plan, decision);
    case 'review':
      return ended?.attempt !== attempt || ended?.asked !== id || ended.verdict !== null;
    case 'soft-failure':
      return hold !== id || status !== 'pending' || badPreferences(plan, i).length === 0;
    default: // rejection, livelock, question, conflict
      return status !== 'suspended';
  }
}

/** Everything that it blocked has ended. */
const isNeedless = (plan: PlanState, { blocks: { count, tasks } }: OpenDecision): boolean =>
  count === tasks.length && tasks.every((id) => hasEnded(statusIn(plan, id)));

function isOver(plan: PlanState, { kind, evidence, blocks }: OpenDecision): boolean {
  if (kind === 'stuck') return blocks.tasks.some((id) => !standsStill(plan, id));
  if (kind === 'merge') return blocks.tasks.every((id) => hasEnded(statusIn(plan, id)));
  if (kind === 'livelock') {
    const statuses = blocks.tasks.map((id) => statusIn(plan, id));
    return statuses.includes('completed') || (statuses.length > 0 && statuses.every(hasEnded));
  }
  return evidence?.kind === 'batch' && endedBatches(plan, evidence.phase).length === 0;
}

/** Null: the plan has it no longer. */
function statusIn(plan: PlanState, id: TaskId): Status | null {
  const i = plan.index.get(id);
  if (i === undefined) return null;
  const { status } = plan.tasks[i]!;
  return status === 'pending' && plan.bad[i]! > 0 ? 'blocked' : status;
}

const hasEnded = (status: Status | null): boolean =>
  status === null || status === 'completed' || status === 'failed' || status === 'skipped';

/** A pending task does only behind a limit of 0. */
function standsStill(plan: PlanState, id: TaskId): boolean {
  const status = statusIn(plan, id);
  if (status !== 'pending') return status === 'suspended' || status === 'blocked';
  const i = plan.index.get(id)!;
  const { limits } = plan.run!;
  return plan.ready.has(i) ? closedFor(plan, i, limits) !== null : hasClosed(limits);
}

/** Phases of that name that have ended as a unit, with failures. */
export const endedBatches = (plan: PlanState, name: string): number[] =>
  [...plan.batches.ended].filter((phase) => plan.plan.phases[phase]!.name === name);
