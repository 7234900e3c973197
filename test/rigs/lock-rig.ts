// For tests: a state in which somebody holds and somebody waits, made of events as the log has them.
import type { StoredEvent } from '../../src/core/model/event.ts';
import { hostId, planPath } from '../../src/core/model/ids.ts';
import { createState, evolve } from '../../src/core/state/evolve.ts';
import type { State } from '../../src/core/state/state.ts';

export const startOfTime = Date.UTC(2026, 10, 15, 12, 0, 0);
const process = { host: hostId('h'), pid: 42, startTime: '7' };

export type Step =
  | readonly [who: string, does: 'holds' | 'reads', resource: string]
  | readonly [who: string, does: 'waits', ...resources: string[]];

/** In this order, a second between two steps. */
export function locked(...steps: readonly Step[]): State {
  const state = createState();
  for (const [owner, does, ...resources] of steps) {
    const seq = state.seq + 1;
    const about = { v: 1, plan: planPath(''), owner, agent: owner, seq, at: startOfTime + seq * 1000 };
    const mode = does === 'reads' ? 'shared' : 'exclusive';
    const wants = resources.map((key) => ({ key, mode }));
    const event =
      does === 'waits'
        ? { ...about, type: 'lock-waiting', resource: resources[0], wants, blockedBy: [], process }
        : { ...about, type: 'lock-acquired', resource: resources[0], mode };
    evolve(state, event as unknown as StoredEvent);
  }
  return state;
}
