// Whether nobody works in the tree where the results gather, so that it may follow their branch.
import type { Isolation } from '../../core/model/run-event.ts';
import { isByAgent, worksOnResults } from '../../core/state/questions/isolated.ts';
import { startedTask } from '../../core/state/questions/started-task.ts';
import type { PlanState } from '../../core/state/state.ts';

/** Null: somebody works in the tree of results, or there is none. */
export function idleIsolation(plan: PlanState | undefined): Isolation | null {
  const isBusy = plan?.tasks.some(({ live, ended }, i) => {
    if (live === null && ended === null) return false;
    const isOthers = ended === null ? isByAgent(live!.job) : ended.byAgent === true;
    return worksOnResults(startedTask(plan, i), isOthers);
  });
  return isBusy ? null : (plan?.run?.isolation ?? null);
}
