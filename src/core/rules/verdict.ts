// The verdict on the end of an attempt, or the next check or review that it needs first. The table is in `judge-end.ts`.
import { interruptedCap } from '../model/defaults.ts';
import type { DeadlockBlocker, Evidence, Failure } from '../model/failure.ts';
import { impossible } from '../model/impossible.ts';
import type { Task } from '../model/plan.ts';
import type { EndedAttempt } from '../state/state.ts';

export type Verdict =
  | { readonly kind: 'completed' }
  | { readonly kind: 'returned' }
  /** Stopped to end a deadlock. */
  | { readonly kind: 'victim'; readonly blocker: DeadlockBlocker }
  | { readonly kind: 'lost' }
  /** It made the same call again and again. */
  | { readonly kind: 'looping'; readonly call: string; readonly times: number }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly permanent: boolean }
  /** Not judged yet: this check or review comes first. */
  | { readonly kind: 'check'; readonly check: number }
  | { readonly kind: 'review'; readonly by: 'agent' | 'human' }
  | { readonly kind: 'rejected' };

export function verdictOn(task: Task, ended: EndedAttempt): Verdict {
  const { end, doom } = ended;
  // A victim gets no more locks once it is chosen, so not even exit 0 means that it did its work.
  if (doom?.kind === 'deadlock') return { kind: 'victim', blocker: doom.blocker };
  switch (end.kind) {
    case 'never-started':
      return { kind: 'returned' };
    case 'unstartable':
      return { kind: 'failed', failure: { kind: 'unstartable', message: end.message }, permanent: end.permanent };
    case 'exited':
      if (end.code === 0) return verified(task, ended);
      if (doom?.kind === 'stop') return { kind: 'returned' };
      if (doom?.kind === 'looping') return doom;
      return failed({ kind: 'exit', code: end.code });
    case 'lost':
    case 'killed':
      if (doom?.kind === 'timeout' || doom?.kind === 'idle') return failed(doom);
      if (doom?.kind === 'looping') return doom;
      // Killed without a recorded reason, by a runner that died too early to record one: it might have ended well.
      return doom === null ? { kind: 'lost' } : { kind: 'returned' };
    default:
      return impossible(end);
  }
}

const failed = (failure: Failure): Verdict => ({ kind: 'failed', failure, permanent: false });

/** An agent's claim is no evidence. */
function verified({ keys: { check = [], review = 'none', run } }: Task, ended: EndedAttempt): Verdict {
  if (ended.failure) return failed(ended.failure);
  if (run === undefined && ended.evidence && hasDoneNothing(ended.evidence)) return failed({ kind: 'nothing-done' });
  const isChecked = ended.checks >= check.length;
  if (ended.interrupted >= interruptedCap) {
    const { problem } = ended;
    const message = problem === null ? 'what should prove it did not end' : `its review was no answer: ${problem}`;
    // If only the reviewer is missing, another attempt does not help.
    return { kind: 'failed', failure: { kind: 'review', message }, permanent: isChecked };
  }
  if (!isChecked) return { kind: 'check', check: ended.checks };
  if (review === 'none' || ended.verdict?.verdict === 'approved') return { kind: 'completed' };
  return ended.verdict === null ? { kind: 'review', by: review } : { kind: 'rejected' };
}

/** If calls cannot be counted, an agent without output has done nothing. */
const hasDoneNothing = ({ changed, toolCalls, output }: Evidence): boolean =>
  changed === false && (toolCalls === undefined ? output === false : toolCalls === 0);
