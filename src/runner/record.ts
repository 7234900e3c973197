// Turns what was observed of an attempt into its event. An observation about an attempt that is not live any more is dropped:
// somebody else has recorded its end, and the first record is the one that counts.
import type { Observation } from '../agents/attempt-host.ts';
import type { Doom } from '../core/failure.ts';
import type { LiveAttempt } from '../core/state.ts';
import type { Transaction } from '../store/store.ts';

export function record(tx: Transaction, observation: Observation): void {
  const live = tx.state.live.get(observation.token);
  if (!live) return;
  if (observation.kind === 'ended') {
    tx.record({ type: 'attempt-ended', ...about(live), end: observation.end });
  } else if (!live.supervisor || live.supervisor.pid !== observation.supervisor.pid) {
    tx.record({ type: 'attempt-started', ...about(live), supervisor: observation.supervisor });
  }
}

export function doom(tx: Transaction, token: number, reason: Doom): void {
  const live = tx.state.live.get(token);
  if (live && !live.doom) tx.record({ type: 'attempt-doomed', ...about(live), doom: reason });
}

function about({ plan, run, task, attempt, token }: LiveAttempt) {
  return { v: 1, plan, run, task, attempt, token } as const;
}
