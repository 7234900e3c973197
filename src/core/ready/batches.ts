// Phases that end as a unit: which of them have ended with failures. Counted, because a plan may have 100,000 tasks.
import type { Plan } from '../model/plan.ts';
import type { Status } from '../state/state.ts';

interface Tally {
  open: number;
  failed: number;
}

export class Batches {
  /** By phase. */
  private readonly tallies = new Map<number, Tally>();
  /** Nothing in it can go on, and something that is required has failed. */
  readonly ended = new Set<number>();

  constructor({ phases }: Plan) {
    phases.forEach(({ batch }, phase) => {
      if (batch) this.tallies.set(phase, { open: 0, failed: 0 });
    });
  }

  get size(): number {
    return this.tallies.size;
  }

  /** A leaf that was counted as `before` is now `after`. True: a batch has ended, or goes on again. */
  move(phase: number, before: Status | null, after: Status, optional: boolean): boolean {
    const tally = this.tallies.get(phase);
    if (tally === undefined) return false;
    count(tally, before, -1, optional);
    count(tally, after, 1, optional);
    const hasEnded = tally.open === 0 && tally.failed > 0;
    if (hasEnded === this.ended.has(phase)) return false;
    if (hasEnded) this.ended.add(phase);
    else this.ended.delete(phase);
    return true;
  }
}

function count(tally: Tally, status: Status | null, by: number, optional: boolean): void {
  if (status === 'pending' || status === 'in_progress') tally.open += by;
  // The failure of an optional task is a warning.
  else if (status === 'failed' && !optional) tally.failed += by;
}
