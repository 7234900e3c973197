// Keys of calls. A caller that never got its answer repeats the call with the same key, and nothing is done twice:
//
//   key not known since the task was last opened     the call is new
//   same task, same command, same caller             the same success, and nothing is recorded
//   another task, another command, another caller    refused: the key was meant for something else
//
// Callers choose keys by themselves, and two may choose the same. So nobody is told that another's start was theirs.
import { commandLine } from '../model/command-line.ts';
import type { HeardRequest, KeyedCall } from '../model/hand-event.ts';
import type { PlanState } from '../state/state.ts';
import { refuse } from './accept-or-refuse.ts';

export interface RequestedCall {
  readonly key: string;
  readonly call: KeyedCall;
  readonly by: string;
}

/** Up to 200 characters that can be seen; blanks between them. */
export const isRequestKey = (text: string): boolean =>
  text.trim() !== '' && /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,200}$/u.test(text);

/** What was recorded for the key, or why it cannot be used. Null: the call is new. */
export function heardBefore(
  plan: PlanState,
  i: number,
  { key, call, by }: RequestedCall,
): HeardRequest | ReturnType<typeof refuse> | null {
  for (const [at, { requests }] of plan.tasks.entries()) {
    const heard = requests?.find((one) => one.key === key);
    if (!heard) continue;
    if (at === i && heard.call === call && heard.by === by) return heard;
    return refuse(
      `the request key ${JSON.stringify(key)} was already used by ${heard.by}: ${commandLine(heard.call, plan.plan.tasks[at]!.id)}`,
      'choose a new key for each new call',
    );
  }
  return null;
}
