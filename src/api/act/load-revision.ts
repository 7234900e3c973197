// Brings the plan file and the log together: the first load, or an edited plan matched by id with what is known.
import { isDeepStrictEqual } from 'node:util';

import type { Revision } from '../../core/commands/match-revision.ts';
import { isUncompared, loadedPlan, takeRevision } from '../../core/commands/take-revision.ts';
import type { Event } from '../../core/model/event.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { PlanState } from '../../core/state/state.ts';
import { Refusal } from '../refusal.ts';

export interface Loading {
  /** None when the log has it already. */
  readonly events: readonly Event[];
  readonly match: Revision | null;
}

/** As a new run does it: refuses what only a person may decide. */
export function loadRevision(known: PlanState | undefined, plan: Plan, revision: string): Loading {
  if (!known) return { events: [loadedPlan(plan, revision)], match: null };
  // The same text, but a link in it may lead elsewhere now.
  if (known.revision === revision && hasSameLinks(known.plan, plan)) return { events: [], match: null };
  const taken = takeRevision(known, plan, revision);
  if (taken.ok) return taken;
  const how = isUncompared(known) ? 'is not what was loaded' : 'was edited';
  throw new Refusal(3, `${plan.path} ${how} where work is already done: ${taken.because}`, {
    instead: 'load the file as it is now: signalbox reload',
  });
}

/** As `reload` does it: the file wins, also over work that is done, but takes nothing away that is running. */
export function reloadRevision(
  known: PlanState,
  plan: Plan,
  revision: string,
  by: string,
): Loading & { match: Revision } {
  const taken = takeRevision(known, plan, revision, { by });
  if (taken.ok) {
    // Of the same text a restructure, or state that was trusted, may have made another plan.
    const isSame = known.revision === revision && isDeepStrictEqual(known.plan, taken.match.definition);
    return isSame ? { events: [], match: taken.match } : taken;
  }
  throw new Refusal(2, taken.because, {
    instead: 'put it back, wait until it has ended, or stop it: signalbox suspend TASK',
  });
}

export const hasSameLinks = (a: Plan, b: Plan): boolean => JSON.stringify(a.links) === JSON.stringify(b.links);
