// Who asks for a lock: the attempt that the command is called from, or somebody by a name.
import { type LockOwner, ownerIn, ownerOfToken } from '../../core/state/lock-state.ts';
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
  // Another name inside an attempt is another party, for instance a person's. A review has no attempt of its own, but a token.
  const own = attempt ?? agent;
  if (of === store && own && /^\d+$/.test(token) && (named === undefined || named === own)) {
    return { token: Number(token), name: own };
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
  const owner = token === 0 ? name : ownerOfToken(token);
  const known = ownerIn(state, owner);
  return token === 0 || known.token !== 0 ? known : { ...known, name, token };
}
