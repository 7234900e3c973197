import type { StatusCounts } from './state.ts';

/** Nobody counted yet. */
export function noCounts(): StatusCounts {
  return { pending: 0, in_progress: 0, completed: 0, failed: 0, blocked: 0, suspended: 0, skipped: 0 };
}
