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
  // The flag, the plan or the settings may have said it.
  if (pool === 'plan' || (pool === 'workspace' && limit === 0)) return `max-parallel is ${limit}`;
  if (pool === 'workspace') return `max-parallel is ${limit} for all plans together`;
  return `the limit of pool ${pool} is ${limit}`;
}
