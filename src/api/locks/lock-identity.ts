// Who asks for a lock: the attempt that the command is called from, or somebody by a name.
import type { AttemptId, PlanPath, RunId, TaskId } from '../../core/model/ids.ts';
import { type LockOwner, ownerOfToken } from '../../core/state/lock-state.ts';
import type { State } from '../../core/state/state.ts';
import { Refusal } from '../refusal.ts';

export interface Identity {
  /** 0: not an attempt. */
  readonly token: number;
  readonly name: string;
}

/** @param store its id: an attempt of another one is nobody here. */
export function whoAsks(
  env: Readonly<Record<string, string | undefined>>,
  named: string | undefined,
  store: string,
): Identity {
  const { SIGNALBOX_AGENT: agent, SIGNALBOX_TOKEN: marker = '', SIGNALBOX_ATTEMPT: attempt } = env;
  const [of, token = ''] = marker.split(':');
  // Another name inside an attempt is another party, for instance a person's.
  if (of === store && attempt && /^\d+$/.test(token) && (named === undefined || named === attempt)) {
    return { token: Number(token), name: attempt };
  }
  const name = named ?? agent;
  if (name === undefined || name.trim() === '') {
    throw new Refusal(2, 'no agent was named for this lock', { instead: 'add --agent NAME, or set SIGNALBOX_AGENT' });
  }
  if (name.startsWith('#'))
    throw new Refusal(2, `an agent cannot be called ${name}`, { instead: 'choose another name' });
  return { token: 0, name };
}

/** As the lock table knows it; an attempt that is over keeps its name, so that it can be told so. */
export function ownerFor(state: State, { token, name }: Identity): LockOwner {
  if (token === 0) {
    const known = state.locks.owners.get(name);
    return (
      known ?? { owner: name, name, plan: '' as PlanPath, task: null, token: 0, run: null, until: 0, process: null }
    );
  }
  const owner = ownerOfToken(token);
  const live = state.live.get(token);
  const { plan, task, run, attempt } = live ?? {
    plan: '' as PlanPath,
    task: null as TaskId | null,
    run: null as RunId | null,
    attempt: name as AttemptId,
  };
  return { owner, name: attempt, plan, task, token, run, until: 0, process: null };
}
