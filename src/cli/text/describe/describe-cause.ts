// A root cause as a clause: "a failed", "b is suspended", "c can never start (the limit of pool opus is 0)".
import type { Cause } from '../../../core/model/event.ts';
import { impossible } from '../../../core/model/impossible.ts';

export function describeCause(cause: Cause): string {
  switch (cause.status) {
    case 'failed':
      return `${cause.task} failed`;
    case 'suspended':
      return `${cause.task} is suspended`;
    case 'skipped':
      return `${cause.task} was skipped`;
    case 'pending':
      return `${cause.task} can never start (${describeLimit(cause.limit ?? 'plan', 0)})`;
    default:
      return impossible(cause.status);
  }
}

/** `pool` as the core names it: `workspace`, `plan`, or a pool's own name. */
export function describeLimit(pool: string, limit: number): string {
  if (pool === 'plan') return `max-parallel of the plan is ${limit}`;
  if (pool === 'workspace') return `max-parallel of the workspace is ${limit}`;
  return `the limit of pool ${pool} is ${limit}`;
}
