// A person's verdict: about the attempt that waits for it, and about no other.

import { commandLine } from '../../core/model/command-line.ts';
import type { OpenDecision } from '../../core/model/decision.ts';
import { attemptNumber } from '../../core/state/earlier-rounds.ts';
import { statusOf } from '../../core/state/questions/status.ts';
import type { PlanState } from '../../core/state/state.ts';
import { findTask } from '../look/find-task.ts';
import { Refusal } from '../refusal.ts';
import { isDecisionId } from './find-decision.ts';

/** @param id `task`, `task#n`, or the id of the decision itself. */
export function reviewAbout(plan: PlanState, id: string): OpenDecision | null {
  if (isDecisionId(id) && !plan.index.has(id as never)) {
    const decision = plan.decisions.get(id.toLowerCase() as never);
    if (decision && decision.kind !== 'review') {
      throw new Refusal(2, `${decision.id} is not a review`, {
        instead: `see what it asks: signalbox decide ${decision.id}`,
      });
    }
    return decision ?? null;
  }
  const { task, n } = split(plan, id);
  const at = findTask(plan, task);
  const open = [...plan.decisions.values()].find(
    (decision) => decision.kind === 'review' && decision.task === plan.plan.tasks[at]!.id,
  );
  if (!open) return refuseNotUnderReview(plan, at, id, n);
  if (n !== null && open.attempt !== `${task}#${n}`) {
    throw new Refusal(2, `${task}#${n} is not under review: ${open.attempt} is`, {
      instead: `look at it: signalbox decide ${open.id}`,
    });
  }
  return open;
}

/** Ids may have a # of their own: a task that is called so is meant. */
function split(plan: PlanState, id: string): { readonly task: string; readonly n: string | null } {
  const parts = plan.index.has(id as never) ? null : /^(.+)#(\d+)$/.exec(id);
  return parts ? { task: parts[1]!, n: parts[2]! } : { task: id, n: null };
}

function refuseNotUnderReview(plan: PlanState, at: number, id: string, n: string | null): never {
  const { id: task, keys } = plan.plan.tasks[at]!;
  const { ended } = plan.tasks[at]!;
  const attempts = attemptNumber(plan, at);
  const status = statusOf(plan, at).replace('_', ' ');
  if (n !== null && Number(n) < attempts) {
    throw new Refusal(2, `${id} is over: the last attempt of ${task} is ${task}#${attempts}`, {
      instead: `see where it is: ${commandLine('why', task)}`,
    });
  }
  const who = ended && keys.review === 'agent' ? ', and an agent reviews it' : '';
  throw new Refusal(2, `${task} does not wait for a review by a person: it is ${status}${who}`, {
    instead: `see where it is: ${commandLine('why', task)}`,
  });
}
