// Turns what was observed of an attempt into its event. An observation about an attempt that is not live any more is dropped:
// somebody else has recorded its end, and the first record is the one that counts.
import type { AttemptEnd, Doom, Evidence } from '../../core/model/failure.ts';
import { doomEvent } from '../../core/rules/doom-event.ts';
import { checkEnded, type MergeAnswer, mergeEnded, type ReviewAnswer, reviewEnded } from '../../core/rules/job-end.ts';
import type { LiveAttempt } from '../../core/state/state.ts';
import type { Transaction } from '../../store/store.ts';
import type { Observed } from './inbox.ts';

/** What is to be found out about an end before it is recorded. */
export interface EndWorld {
  /** Another runner wanted it dead, and may have sent it signals that nobody here knows of. */
  readonly isSuspect: (token: number) => boolean;
  /** Who reviews, and what they have said. */
  readonly reviewOf: (live: LiveAttempt) => { readonly by: string; readonly answer: ReviewAnswer | null };
  /** What a merge says came of it; null: it said nothing. */
  readonly mergeOf: (live: LiveAttempt) => MergeAnswer | null;
}

export function record(tx: Transaction, observation: Observed, world: EndWorld): void {
  const live = tx.state.live.get(observation.token);
  if (!live) return;
  if (observation.kind === 'ended') {
    const end = world.isSuspect(live.token) ? proven(observation.end) : observation.end;
    recordEnd(tx, live, end, observation.evidence, world);
  } else if (!live.supervisor || live.supervisor.pid !== observation.supervisor.pid) {
    const type = live.job.kind === 'attempt' ? 'attempt-started' : 'job-started';
    tx.record({ type, ...about(live), supervisor: observation.supervisor });
  }
}

export function doom(tx: Transaction, token: number, reason: Doom): void {
  const live = tx.state.live.get(token);
  if (live && !live.doom) tx.record(doomEvent(live, reason));
}

function recordEnd(
  tx: Transaction,
  live: LiveAttempt,
  end: AttemptEnd,
  evidence: Evidence | undefined,
  world: EndWorld,
): void {
  switch (live.job.kind) {
    case 'check':
      return tx.record(checkEnded(tx.state.plans.get(live.plan)!, live, live.job.check, end));
    case 'review': {
      const { by, answer } = world.reviewOf(live);
      return tx.record(reviewEnded(live, by, end, answer, evidence?.agent));
    }
    case 'merge':
      return tx.record(mergeEnded(live, end, world.mergeOf(live)));
    default:
      tx.record({ type: 'attempt-ended', ...about(live), end, ...(evidence === undefined ? {} : { evidence }) });
  }
}

/** It was perhaps killed: its exit code, even 0, proves nothing. */
function proven(end: AttemptEnd): AttemptEnd {
  return end.kind === 'exited' ? { kind: 'killed', code: end.code } : end;
}

function about({ plan, run, task, attempt, token }: LiveAttempt) {
  return { v: 1, plan, run, task, attempt, token } as const;
}
