// What `run` was told, beside how much of the plan: failures, answers, deadlocks.
import { durationForm, readDuration } from '../api/read-duration.ts';
import { Refusal } from '../api/refusal.ts';
import type { RunOptions } from '../api/signalbox.ts';
import type { OnFailure } from '../core/decision.ts';
import type { Flags } from './request.ts';
import { selectOptions } from './select-options.ts';

const policies: readonly OnFailure[] = ['ask', 'retry', 'skip', 'escalate', 'abort'];

export function runOptions(flags: Flags): RunOptions {
  refuseEmpty(flags);
  const onFailure = policyOf(flags.onFailure);
  const decideWithinMs = timeOf(flags.decideWithin);
  return {
    ...selectOptions(flags),
    ...(flags.deadlockDetection === false ? { detectDeadlocks: false } : {}),
    ...(onFailure === undefined ? {} : { onFailure }),
    ...(decideWithinMs === undefined ? {} : { decideWithinMs }),
    ...(flags.takeOver ? { takeOver: true } : {}),
    ...(flags.tick ? { tick: true } : {}),
  };
}

/** Where a script's variable was empty, everything that was named was done, which is nothing: that is no success. */
function refuseEmpty({ only, from, retry }: Flags): void {
  for (const [flag, named] of Object.entries({ only, from, retry })) {
    if (named === undefined || named.length > 0) continue;
    throw new Refusal(2, `--${flag} names no task`, { instead: 'name one, or leave it out' });
  }
}

function policyOf(word: string | undefined): OnFailure | undefined {
  const policy = policies.find((known) => known === word);
  if (word === undefined || policy !== undefined) return policy;
  throw new Refusal(2, `--on-failure cannot be "${word}"`, { instead: `take one of ${policies.join(', ')}` });
}

function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = readDuration(text);
  if (ms !== null) return ms;
  throw new Refusal(2, `--decide-within must be ${durationForm.replaceAll('`', '')}, and not "${text}"`);
}
