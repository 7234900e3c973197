// The statuses of a task, and how many tasks have which.
import type { PlanState, Status, StatusCounts } from '../state.ts';

export const statuses: readonly Status[] = [
  'pending',
  'in_progress',
  'completed',
  'failed',
  'blocked',
  'suspended',
  'skipped',
];

/** All counts 0. */
export function noCounts(): StatusCounts {
  return { pending: 0, in_progress: 0, completed: 0, failed: 0, blocked: 0, suspended: 0, skipped: 0 };
}

/** The leaves that are counted with this status, in the order of the plan. */
export function countedAs({ counted }: Pick<PlanState, 'counted'>, status: Status): number[] {
  const found: number[] = [];
  for (let at = counted.indexOf(status); at !== -1; at = counted.indexOf(status, at + 1)) found.push(at);
  return found;
}
