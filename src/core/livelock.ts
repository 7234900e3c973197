// Work that goes on and gets nowhere, as far as it concerns more than one review: attempts that change nothing, calls that are made
// again and again, files that go back and forth. Each is asked about with its evidence. (Rejections: `rejection.ts`.)
import type { Event } from './event.ts';
import { undoneFile } from './loops.ts';
import { ask } from './open-decisions.ts';
import { isHeld } from './outcome.ts';
import type { PlanState, State } from './state.ts';
import { unendedLeaves } from './stuck.ts';

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
