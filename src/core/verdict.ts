// What the end of an attempt proves by itself, and what has to be done before it can be judged. The table is in `retry.ts`.
import { interruptedCap } from './defaults.ts';
import type { DeadlockBlocker, Evidence, Failure } from './failure.ts';
import { impossible } from './impossible.ts';
import type { Task } from './plan.ts';
import type { EndedAttempt } from './state.ts';

export type Verdict =
  | { readonly kind: 'completed' }
  | { readonly kind: 'returned' }
  /** Stopped to end a deadlock. */
  | { readonly kind: 'victim'; readonly blocker: DeadlockBlocker }
  | { readonly kind: 'lost' }
  /** It made the same call again and again. */
  | { readonly kind: 'looping'; readonly call: string; readonly times: number }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly permanent: boolean }
  /** Not judged yet: this is to be done first. */
  | { readonly kind: 'check'; readonly check: number }
  | { readonly kind: 'review'; readonly by: 'agent' | 'human' }
  | { readonly kind: 'rejected' };

export function verdictOn(task: Task, ended: EndedAttempt): Verdict {
  const { end, doom } = ended;
  // From the moment it was chosen its locks were refused: not even exit 0 means that it did its work.
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
      // Killed without a recorded reason, by a runner that died before it could record one: nobody knows how it would have ended.
      return doom === null ? { kind: 'lost' } : { kind: 'returned' };
    default:
      return impossible(end);
  }
}

const failed = (failure: Failure): Verdict => ({ kind: 'failed', failure, permanent: false });

/** An agent's word is no evidence. */
function verified({ keys: { check = [], review = 'none', run } }: Task, ended: EndedAttempt): Verdict {
  if (ended.failure) return failed(ended.failure);
  if (run === undefined && ended.evidence && hasDoneNothing(ended.evidence)) return failed({ kind: 'nothing-done' });
  const isChecked = ended.checks >= check.length;
  if (ended.interrupted >= interruptedCap) {
    const { problem } = ended;
    const message = problem === null ? 'what should prove it did not end' : `its review was no answer: ${problem}`;
    // Where only the reviewer is missing, doing the work again is no help.
    return { kind: 'failed', failure: { kind: 'review', message }, permanent: isChecked };
  }
  if (!isChecked) return { kind: 'check', check: ended.checks };
  if (review === 'none' || ended.verdict?.verdict === 'approved') return { kind: 'completed' };
  return ended.verdict === null ? { kind: 'review', by: review } : { kind: 'rejected' };
}

/** Of an agent whose calls nobody can count, one that also said nothing. */
const hasDoneNothing = ({ changed, toolCalls, output }: Evidence): boolean =>
  changed === false && (toolCalls === undefined ? output === false : toolCalls === 0);
