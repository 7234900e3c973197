// What a run of a plan finds that was run before: which chain failed, what was set aside and by whom, what is to be decided.

import { dependentLeaves } from '../../core/commands/steer.ts';
import { waitingForAnswers } from '../../core/explain/going-on.ts';
import { RootCauses } from '../../core/explain/root-causes.ts';
import { leafStatus } from '../../core/ready/refresh.ts';
import { BAD } from '../../core/ready/signal.ts';
import { names } from '../../core/rules/open-decisions.ts';
import { summaryOf } from '../../core/rules/outcome.ts';
import { isTriedAgain } from '../../core/rules/try-again.ts';
import type { PlanState } from '../../core/state/state.ts';
import { Refusal } from '../refusal.ts';
import { chooseTasks } from '../run/choose-tasks.ts';
import type { SelectOptions } from '../signalbox.ts';
import type { FoundReport, SetAside } from './decision-door.ts';

const most = 20;

/** @param options what the run is about */
export function foundReport(plan: PlanState, options: SelectOptions): FoundReport | null {
  const { run } = plan;
  if (run === null) return null;
  const failed: FoundReport['failed'][number][] = [];
  const skipped: SetAside[] = [];
  const suspended: SetAside[] = [];
  const goesOn: number[] = [];
  const closing: number[] = [];
  const chosen = chosenBy(plan, options);
  const selected = chosen === 'refused' ? null : chosen;
  const starts = chosen !== 'refused' && options.maxParallel !== 0;
  const causes = new RootCauses(plan, run.limits);
  const asked = waitingForAnswers(plan);
  /** By itself, or when everything that blocks it has been tried again. */
  const mayGoOn = (i: number): boolean => {
    if (plan.paused || selected?.[i] === 0 || asked?.has(i)) return false;
    const status = leafStatus(plan, i);
    if (status !== 'blocked') return status === 'pending' || status === 'in_progress' || isTriedAgain(plan, i);
    return causes.of(i).every((cause) => isTriedAgain(plan, plan.index.get(cause.task)!));
  };
  plan.plan.tasks.forEach(({ id, group, closes, optional = false }, i) => {
    if (group) return;
    const { status, failure, by, reason, treatAsDone } = plan.tasks[i]!;
    if (status === 'failed') {
      // A hundred thousand failures are not each looked behind.
      const blocked = failed.length < most ? dependentLeaves(plan, i, BAD) : [];
      failed.push({ task: id, failure: failure!, blocks: names(plan, blocked, most), optional });
    } else if (status === 'skipped' && by !== null) skipped.push({ task: id, by, reason, failure, treatAsDone });
    else if (status === 'suspended') suspended.push({ task: id, by, reason, failure, treatAsDone });
    if (mayGoOn(i)) (closes === undefined ? goesOn : closing).push(i);
  });
  const decisions = [...plan.decisions.values()];
  if (failed.length + skipped.length + suspended.length + decisions.length === 0) return null;
  return {
    plan: plan.path,
    outcome: run.ended?.outcome ?? null,
    endedAt: run.ended?.at ?? 0,
    paused: plan.paused !== null,
    summary: summaryOf(plan),
    failed,
    skipped,
    suspended,
    decisions,
    goesOn: starts ? names(plan, goesOn, most) : null,
    closing: names(plan, closing, most),
  };
}

/** By task; null: everything. The run itself says why it is refused, with the plan file as it is then. */
function chosenBy(plan: PlanState, options: SelectOptions): Uint8Array | null | 'refused' {
  try {
    return chooseTasks(plan, options)?.selected ?? null;
  } catch (error) {
    if (error instanceof Refusal) return 'refused';
    throw error;
  }
}
