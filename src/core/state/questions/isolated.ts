// A run with worktrees: who works where.
//
//   an agent's attempt, its checks and review     the tree of the task
//   a command (`run:`), a closing task            the tree of results, one after the other
import type { Task } from '../../model/plan.ts';
import type { Job, PlanState } from '../state.ts';

/** Whether what starts now works in a tree of its own. */
export const isIsolated = ({ run }: PlanState): boolean => run !== null && run.ended === null && run.isolation !== null;

/** It looks at everything that was merged so far. @param byAgent an agent stands in for its command */
export const worksOnResults = ({ closes, keys }: Task, byAgent: boolean): boolean =>
  closes !== undefined || (keys.run !== undefined && !byAgent);

export const isByAgent = (job: Job): boolean => job.kind === 'attempt' && job.agent !== undefined;
