// What `run` was told, beside how much of the plan: failures, answers, deadlocks.
import { durationForm, readDuration } from '../api/read-duration.ts';
import { Refusal } from '../api/refusal.ts';
import type { RunOptions } from '../api/signalbox.ts';
import type { OnFailure } from '../core/decision.ts';
import type { Flags } from './request.ts';
import { selectOptions } from './select-options.ts';

const policies: readonly OnFailure[] = ['ask', 'retry', 'skip', 'escalate', 'abort'];

export function runOptions(flags: Flags): RunOptions {
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
