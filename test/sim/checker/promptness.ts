// Nobody waits for nothing: what is ready starts, what is doomed is told to end, what has ended is recorded, within moments, as
// long as there is a runner to do it. The patience covers the longest way by design: a late hint, a slow store, a turn that has
// just begun; while the store is busy nothing is demanded.

import type { Machine } from '../machine/machine.ts';
import type { AttemptClaims } from './attempt-claims.ts';
import type { Attempt, PlanLedger } from './ledger.ts';
import type { LockClaims } from './lock-claims.ts';
import { poolsOf } from './plain-oracle.ts';

export interface PromptnessParts {
  readonly plans: ReadonlyMap<string, PlanLedger>;
  readonly attempts: AttemptClaims;
  readonly locks: LockClaims;
  readonly machine: () => Machine;
  readonly busyUntil: () => number;
}

const patienceMs = 2_500;
/** How often a runner looks for what a runner of another plan left behind. */
const orphansEveryMs = 5_000;
const killGraceMs = 5_000;
/** A supervisor that is gone is found by looking, and what it left behind is swept with grace. */
const sweepMs = 2_500;
const reapEveryMs = 500;
/** The disc is slow now and then, for every file anew. */
const salvageMs = 30_000;

export class Promptness {
  private readonly parts: PromptnessParts;
  private undoneSince: { readonly at: number; readonly what: string } | null = null;

  constructor(parts: PromptnessParts) {
    this.parts = parts;
  }

  /** What has been waiting for too long, or null. */
  late(now: number): string | null {
    const calmSince = this.parts.busyUntil();
    return this.lateToDo(now, calmSince) ?? this.lateAttempt(now, calmSince) ?? this.lateLocks(now, calmSince);
  }

  /** What a run that goes on could start at once, or null. */
  undoneIn(plan: PlanLedger): string | null {
    if (plan.verdict() || plan.paused || plan.run!.stopping || plan.isUsedUp()) return null;
    const { oracle } = plan;
    const { attempts } = this.parts;
    const startable = oracle.leaves.find(
      (leaf) =>
        oracle.isReady(leaf) && attempts.fullFor(plan, poolsOf(leaf)) === null && !attempts.waitsForLocks(plan, leaf),
    );
    return startable ? `${startable.id} is ready and there is room` : null;
  }

  private lateToDo(now: number, calmSince: number): string | null {
    const what = this.undone();
    if (what === null) this.undoneSince = null;
    else if (this.undoneSince?.what !== what) this.undoneSince = { at: now, what };
    else if (now - Math.max(this.undoneSince.at, calmSince) > patienceMs) return what;
    return null;
  }

  private undone(): string | null {
    for (const plan of this.parts.plans.values()) {
      if (turningSince(plan) === null) continue;
      const what = this.undoneIn(plan) ?? this.notEnded(plan);
      if (what !== null) return what;
    }
    return null;
  }

  /** Before its end a run looks at its file once more, and waits until that has settled. */
  private notEnded(plan: PlanLedger): string | null {
    const verdict = plan.verdict();
    // Its locks wait for that: the run goes on until they are free.
    const salvages = this.parts.locks.resolutions.salvagesOf(plan.plan.path);
    return verdict && salvages.length === 0 ? `${plan.plan.path} is ${verdict.outcome} and its run goes on` : null;
  }

  /** The dead are gone from the queue, and what was stopped half way is put back. */
  private lateLocks(now: number, calmSince: number): string | null {
    const { plans, locks } = this.parts;
    const turning = [...plans.values()].flatMap((plan) => turningSince(plan) ?? []);
    const from = Math.max(calmSince, Math.min(...turning));
    const late = locks.lateToReap((since) => now - Math.max(since, from) > patienceMs + reapEveryMs);
    if (late !== null) return late;
    for (const plan of plans.values()) {
      const since = turningSince(plan);
      if (since === null) continue;
      for (const { attempt, since: begun } of locks.resolutions.salvagesOf(plan.plan.path)) {
        if (now - Math.max(begun, since, calmSince) > salvageMs) return `the files of ${attempt.id} are not put back`;
      }
    }
    return null;
  }

  private lateAttempt(now: number, calmSince: number): string | null {
    const { plans } = this.parts;
    const anybody = Math.min(...[...plans.values()].map((plan) => turningSince(plan) ?? Number.POSITIVE_INFINITY));
    for (const attempt of this.parts.attempts.open) {
      const plan = plans.get(attempt.plan)!;
      const own = turningSince(plan);
      // Without a runner of its own plan it is found by that of another.
      const from = Math.max(own ?? Math.max(anybody, plan.run!.process.diedAt), calmSince);
      const allowedMs = patienceMs + (own === null ? orphansEveryMs : 0);
      const isLate = (since: number, moreMs = 0) => now - Math.max(since, from) > allowedMs + moreMs;
      const late = this.lateFor(attempt, isLate);
      if (late) return late;
      const { stopping } = plan.run!;
      const isToDie = own !== null && stopping?.mode === 'kill' && this.isAlive(attempt);
      if (isToDie && isLate(stopping.at)) return `${attempt.id} was to be killed at once`;
    }
    return null;
  }

  private lateFor(attempt: Attempt, isLate: (since: number, moreMs?: number) => boolean): string | null {
    const { agent, untold } = this.parts.machine().slip(attempt.token);
    if (agent?.endedAt != null) {
      return isLate(agent.endedAt, untold ? sweepMs : 0) ? `${attempt.id} has ended and nobody has recorded it` : null;
    }
    if (attempt.doom === null || !this.isAlive(attempt)) return null;
    const isPursued = attempt.stoppedBy.some(({ alive }) => alive);
    if (!isPursued && isLate(attempt.doomedAt)) return `${attempt.id} is doomed and nobody ends it`;
    return isLate(attempt.doomedAt, killGraceMs) ? `${attempt.id} is doomed and lives on` : null;
  }

  /** And its supervisor is there: otherwise it is found by looking, which has its own time. */
  private isAlive(attempt: Attempt): boolean {
    const machine = this.parts.machine();
    const slip = machine.slip(attempt.token);
    return machine.isAlive(slip) && !slip.untold;
  }
}

/** Since when the plan has a runner in its loop. */
function turningSince({ run }: PlanLedger): number | null {
  return run && !run.ended && run.process.alive ? run.turningSince : null;
}
