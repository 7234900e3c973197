// Work that goes on without progress: attempts that change nothing, the same call again and again, files that go back and forth. Each
// becomes a decision with its evidence. Repeated rejections are in `rejection.ts`.

import { unendedLeaves } from '../explain/stuck.ts';
import type { Event } from '../model/event.ts';
import { undoneFile } from '../state/loop-memory.ts';
import type { PlanState, State } from '../state/state.ts';
import { ask } from './open-decisions.ts';
import { isHeld } from './outcome.ts';

export function findLoop(state: State, plan: PlanState, now: number): Event[] | null {
  if (isHeld(plan) || plan.run!.stopping) return null;
  const { livelock } = plan.run!;
  const { idle } = plan.loops;
  const about = { kind: 'livelock', about: -1, choice: null, now } as const;
  if (livelock.noProgress > 0 && idle.length >= livelock.noProgress) {
    return ask(state, plan, {
      ...about,
      blocked: unendedLeaves(plan),
      evidence: { kind: 'no-progress', attempts: idle },
    });
  }
  const undone = livelock.undoing === 0 ? null : undoneFile(plan.loops, livelock.undoing);
  if (undone === null) return null;
  const evidence = { kind: 'undoing', ...undone, times: livelock.undoing } as const;
  return ask(state, plan, { ...about, blocked: unendedLeaves(plan), evidence });
}
