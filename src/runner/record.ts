// Turns what was observed of an attempt into its event. An observation about an attempt that is not live any more is dropped:
// somebody else has recorded its end, and the first record is the one that counts.
import type { Observation } from '../agents/attempt-host.ts';
import type { AttemptEnd, Doom } from '../core/failure.ts';
import type { LiveAttempt } from '../core/state.ts';
import type { Transaction } from '../store/store.ts';

/** @param suspect another runner wanted it dead, and may have sent it signals that nobody here knows of. */
export function record(tx: Transaction, observation: Observation, suspect: boolean): void {
  const live = tx.state.live.get(observation.token);
  if (!live) return;
  if (observation.kind === 'ended') {
    const end = suspect ? proven(observation.end) : observation.end;
    tx.record({ type: 'attempt-ended', ...about(live), end });
  } else if (!live.supervisor || live.supervisor.pid !== observation.supervisor.pid) {
    tx.record({ type: 'attempt-started', ...about(live), supervisor: observation.supervisor });
  }
}

export function doom(tx: Transaction, token: number, reason: Doom): void {
  const live = tx.state.live.get(token);
  if (live && !live.doom) tx.record({ type: 'attempt-doomed', ...about(live), doom: reason });
}

/** It was perhaps killed: its exit code, even 0, proves nothing. */
function proven(end: AttemptEnd): AttemptEnd {
  return end.kind === 'exited' ? { kind: 'killed', code: end.code } : end;
}

function about({ plan, run, task, attempt, token }: LiveAttempt) {
  return { v: 1, plan, run, task, attempt, token } as const;
}
