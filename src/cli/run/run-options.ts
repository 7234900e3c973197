// The options of `run`, from its flags.
import { durationForm, readDuration } from '../../api/files/read-duration.ts';
import { Refusal } from '../../api/refusal.ts';
import type { IsolationOptions, RunOptions, SelectOptions } from '../../api/signalbox.ts';
import type { OnFailure } from '../../core/model/decision.ts';
import type { Flags } from '../request.ts';

const policies: readonly OnFailure[] = ['ask', 'retry', 'skip', 'escalate', 'abort'];

export function runOptions(flags: Flags): RunOptions {
  refuseEmpty(flags);
  refuseFresh(flags);
  const onFailure = policyOf(flags.onFailure);
  const decideWithinMs = timeOf(flags.decideWithin);
  return {
    ...selectOptions(flags),
    ...isolationOptions(flags),
    ...(flags.budgetUsd === undefined ? {} : { budgetUsd: flags.budgetUsd }),
    ...(flags.deadlockDetection === false ? { detectDeadlocks: false } : {}),
    ...(onFailure === undefined ? {} : { onFailure }),
    ...(decideWithinMs === undefined ? {} : { decideWithinMs }),
    ...(flags.takeOver ? { takeOver: true } : {}),
    ...(flags.reload === false ? { reload: false } : {}),
    ...(flags.tick ? { tick: true } : {}),
    ...(flags.fresh ? { fresh: true } : {}),
  };
}

/** How much of the plan, and how much at once. */
export function selectOptions({ maxParallel, only, from }: Flags): SelectOptions {
  return {
    ...(maxParallel === undefined ? {} : { maxParallel }),
    ...(only === undefined ? {} : { only }),
    ...(from === undefined ? {} : { from }),
  };
}

/** Where attempts work. */
export function isolationOptions({ isolation, includeChanges }: Flags): IsolationOptions {
  if (isolation !== undefined && isolation !== 'worktree' && isolation !== 'shared')
    throw new Refusal(2, `--isolation cannot be "${isolation}"`, { instead: 'use worktree or shared' });
  return {
    ...(isolation === undefined ? {} : { isolation }),
    ...(includeChanges ? { includeChanges: true } : {}),
  };
}

/** An empty variable in a script would select nothing, and the run would end as a success. */
function refuseEmpty({ only, from, retry }: Flags): void {
  for (const [flag, named] of Object.entries({ only, from, retry })) {
    if (named === undefined || named.length > 0) continue;
    throw new Refusal(2, `--${flag} names no task`, { instead: 'name one, or leave it out' });
  }
}

/** What goes on where others are does not start over. */
function refuseFresh({ fresh, takeOver, retry, dryRun }: Flags): void {
  if (!fresh) return;
  const other = takeOver ? '--take-over' : retry ? '--retry' : dryRun ? '--dry-run' : null;
  if (other === null) return;
  const instead =
    other === '--dry-run' ? 'see what would be set aside: signalbox reset, without --yes' : 'use one of them';
  throw new Refusal(2, `--fresh and ${other} contradict each other`, { instead });
}

function policyOf(word: string | undefined): OnFailure | undefined {
  const policy = policies.find((known) => known === word);
  if (word === undefined || policy !== undefined) return policy;
  throw new Refusal(2, `--on-failure cannot be "${word}"`, { instead: `use one of ${policies.join(', ')}` });
}

function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = readDuration(text);
  if (ms !== null) return ms;
  throw new Refusal(2, `--decide-within must be ${durationForm.replaceAll('`', '')}, not "${text}"`);
}
