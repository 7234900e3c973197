// Turns what was observed of an attempt into its event. An observation about an attempt that is not live any more is dropped:
// somebody else has recorded its end, and the first record is the one that counts.
import type { Observation } from '../agents/attempt-host.ts';
import { doomed } from '../core/doomed.ts';
import type { AttemptEnd, Doom, Evidence } from '../core/failure.ts';
import { checkEnded, type ReviewAnswer, reviewEnded } from '../core/job-end.ts';
import type { LiveAttempt } from '../core/state.ts';
import type { Transaction } from '../store/store.ts';

/** What is to be found out about an end before it is recorded. */
export interface EndWorld {
  /** Another runner wanted it dead, and may have sent it signals that nobody here knows of. */
  readonly isSuspect: (token: number) => boolean;
  readonly evidenceOf: (token: number) => Evidence | undefined;
  /** Who reviews, and what they have said. */
  readonly reviewOf: (live: LiveAttempt) => { readonly by: string; readonly answer: ReviewAnswer | null };
}

export function record(tx: Transaction, observation: Observation, world: EndWorld): void {
  const live = tx.state.live.get(observation.token);
  if (!live) return;
  if (observation.kind === 'ended') {
    recordEnd(tx, live, world.isSuspect(live.token) ? proven(observation.end) : observation.end, world);
  } else if (!live.supervisor || live.supervisor.pid !== observation.supervisor.pid) {
    const type = live.job.kind === 'attempt' ? 'attempt-started' : 'job-started';
    tx.record({ type, ...about(live), supervisor: observation.supervisor });
  }
}

export function doom(tx: Transaction, token: number, reason: Doom): void {
  const live = tx.state.live.get(token);
  if (live && !live.doom) tx.record(doomed(live, reason));
}

function recordEnd(tx: Transaction, live: LiveAttempt, end: AttemptEnd, world: EndWorld): void {
  switch (live.job.kind) {
    case 'check':
      return tx.record(checkEnded(tx.state.plans.get(live.plan)!, live, live.job.check, end));
    case 'review': {
      const { by, answer } = world.reviewOf(live);
      return tx.record(reviewEnded(live, by, end, answer));
    }
    default: {
      const evidence = world.evidenceOf(live.token);
      tx.record({ type: 'attempt-ended', ...about(live), end, ...(evidence === undefined ? {} : { evidence }) });
    }
  }
}

/** It was perhaps killed: its exit code, even 0, proves nothing. */
function proven(end: AttemptEnd): AttemptEnd {
  return end.kind === 'exited' ? { kind: 'killed', code: end.code } : end;
}

function about({ plan, run, task, attempt, token }: LiveAttempt) {
  return { v: 1, plan, run, task, attempt, token } as const;
}
