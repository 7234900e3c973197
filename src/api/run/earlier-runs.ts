// What earlier runs in this workspace say about the isolation of the next one.
import type { EarlierResults } from '../../core/model/event.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import type { IsolationKind } from '../../core/model/plan.ts';
import type { Committer } from '../../core/model/run-event.ts';
import { byHand } from '../../core/state/evolve-hand.ts';
import type { PlanState, State, TaskState } from '../../core/state/state.ts';

export interface EarlierRuns {
  /** Where the plan's last run with worktrees gathered its results; null: there was none. */
  readonly branch: string | null;
  /** How the last run worked whose attempts are not over, or not judged; null: all are. */
  readonly unfinished: IsolationKind | null;
  /** The folder of its trees, while attempts work or wait there. */
  readonly trees: string | null;
  /** In whose name it commits, until then. */
  readonly committer: Committer | null;
  /** Branches of other plans. */
  readonly others: ReadonlySet<string>;
  /** The branch that was set aside when the plan was started over, where it stood; null: it never was. */
  readonly setAside: EarlierResults | null;
}

export const noEarlierRuns: EarlierRuns = {
  branch: null,
  unfinished: null,
  trees: null,
  committer: null,
  others: new Set(),
  setAside: null,
};

export function earlierRuns({ plans }: Pick<State, 'plans'>, path: PlanPath): EarlierRuns {
  const others = [...plans].flatMap(([other, plan]) => (other === path ? [] : (branchOfRuns(plan) ?? [])));
  const plan = plans.get(path);
  if (!plan) return { ...noEarlierRuns, others: new Set(others) };
  const last = plan.run && (plan.live > 0 || plan.tasks.some(isUnjudged)) ? plan.run : null;
  return {
    branch: branchOfRuns(plan),
    unfinished: last && (last.isolation ? 'worktree' : 'shared'),
    trees: last?.isolation?.trees ?? null,
    committer: last?.isolation?.committer ?? null,
    others: new Set(others),
    setAside: plan.earlier?.results ?? null,
  };
}

/** Its checks, its review and its merge look for its work where it was done. */
const isUnjudged = ({ ended }: TaskState): boolean => ended !== null && ended.run !== byHand;

const branchOfRuns = ({ history }: PlanState): string | null =>
  history.findLast(({ branch }) => branch !== undefined)?.branch ?? null;
