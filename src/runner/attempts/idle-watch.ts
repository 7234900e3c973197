// Finds attempts that have been silent for longer than they may. It looks at what was printed ten times per limit and counts
// from the last look that saw something new, so that a clock that jumps, or the clock of the file system, kills nobody.
import type { AttemptHost } from '../../agents/process/attempt-host.ts';
import { idleTimeoutMsOf } from '../../core/model/defaults.ts';
import { startedTask } from '../../core/state/questions/started-task.ts';
import type { LiveAttempt, State } from '../../core/state/state.ts';

interface Watched {
  readonly limitMs: number;
  seen: number | undefined;
  /** When something new was last seen. */
  changedAt: number;
  nextLookAt: number;
}

export class IdleWatch {
  private readonly host: Pick<AttemptHost, 'lastOutputAt'>;
  private readonly watched = new Map<number, Watched>();

  constructor(host: Pick<AttemptHost, 'lastOutputAt'>) {
    this.host = host;
  }

  /** The next time to call `silent`; Infinity for never. */
  nextLookAt(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { nextLookAt } of this.watched.values()) next = Math.min(next, nextLookAt);
    return next;
  }

  begin(state: State, live: LiveAttempt, now: number): void {
    const plan = state.plans.get(live.plan)!;
    const limitMs = idleTimeoutMsOf(startedTask(plan, plan.index.get(live.task)!));
    const known = this.watched.get(live.token);
    // Whoever waits for a lock has a reason to be silent.
    if (known && live.parkedSince > 0) known.changedAt = now;
    // A check has its own time, and may be silent in it.
    if (limitMs === 0 || known || live.job.kind === 'check' || live.job.kind === 'merge') return;
    this.watched.set(live.token, { limitMs, seen: undefined, changedAt: now, nextLookAt: now + lookEvery(limitMs) });
  }

  end(token: number): void {
    this.watched.delete(token);
  }

  /** Tokens of attempts that have now been silent for their whole limit, each told once. */
  silent(now: number): { readonly token: number; readonly limitMs: number }[] {
    const silent: { token: number; limitMs: number }[] = [];
    for (const [token, watched] of this.watched) {
      if (watched.nextLookAt > now) continue;
      const seen = this.host.lastOutputAt(token);
      if (seen !== watched.seen) Object.assign(watched, { seen, changedAt: now });
      watched.nextLookAt = now + lookEvery(watched.limitMs);
      if (now - watched.changedAt < watched.limitMs) continue;
      silent.push({ token, limitMs: watched.limitMs });
      this.watched.delete(token);
    }
    return silent;
  }
}

const lookEvery = (limitMs: number) => Math.max(10, Math.ceil(limitMs / 10));
