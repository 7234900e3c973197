// Takes an edited plan: the events that load it, or why it cannot be taken as it is. While the plan is being run, the log also says what
// the edit was, so that everybody who watches hears of it.
import type { Event, PlanDifference, PlanLoaded } from '../model/event.ts';
import type { Plan } from '../model/plan.ts';
import { statusOf } from '../state/questions/status.ts';
import type { PlanState } from '../state/state.ts';
import {
  type Conflict,
  differenceIn,
  isNothing,
  matchRevision,
  type Revision,
  withConflicts,
} from './match-revision.ts';
import { withoutClosingTasks } from './restructure.ts';

export type Taken =
  | { readonly ok: true; readonly match: Revision; readonly events: readonly Event[] }
  | { readonly ok: false; readonly match: Revision; readonly because: string };

export interface TakeOptions {
  /** The person who reloads: the file wins, also over work that is done. */
  readonly by?: string;
}

export function takeRevision(known: PlanState, plan: Plan, revision: string, { by }: TakeOptions = {}): Taken {
  const match = matchRevision(known, plan);
  const against = by === undefined ? match.conflicts : match.conflicts.filter(({ isRunning }) => isRunning);
  if (against.length > 0) return { ok: false, match, because: conflictWords(known, against) };
  const isAnew = isUncompared(known);
  const told = isAnew ? withNothingKept(withConflicts(match)) : withConflicts(match);
  const isWorthTelling = isBeingRun(known) && !isNothing(told);
  const edited: Event[] = isWorthTelling
    ? [editedPlan(known, { revision, result: 'taken', ...(by === undefined ? {} : { by }), ...differenceIn(told) })]
    : [];
  const loaded = isAnew
    ? ({ ...loadedPlan(plan, revision), anew: true } as const)
    : loadedPlan(match.definition, revision);
  return { ok: true, match: told, events: [...edited, loaded] };
}

/** Of no text: a person trusted the state that this plan came with. Statuses count; what it says is compared with the file before it runs. */
const uncompared = '';

export const isUncompared = ({ revision }: PlanState): boolean => revision === uncompared;

export const notCompared = (known: PlanState): Event => loadedPlan(withoutClosingTasks(known.plan), uncompared);

/** No task keeps its text: neither one that is at work, nor an ended one that the file does not have. */
function withNothingKept(match: Revision): Revision {
  const { changed, nextAttempt, removed, kept } = match;
  return { ...match, changed: [...changed, ...nextAttempt], nextAttempt: [], removed: [...removed, ...kept], kept: [] };
}

export const loadedPlan = (definition: Plan, revision: string): PlanLoaded => ({
  type: 'plan-loaded',
  v: 1,
  plan: definition.path,
  revision,
  definition,
});

type Edited = Extract<Event, { readonly type: 'plan-edited' }>;

/** Lists that are empty are left out. */
export function editedPlan(
  known: PlanState,
  {
    revision,
    result,
    because,
    by,
    ...difference
  }: Pick<Edited, 'revision' | 'result' | 'because' | 'by'> & Partial<PlanDifference>,
): Edited {
  const lists = Object.entries(difference).filter(([, list]) => list.length > 0);
  return {
    type: 'plan-edited',
    v: 1,
    plan: known.path,
    run: known.run!.run,
    revision,
    result,
    ...(because === undefined ? {} : { because }),
    ...(by === undefined ? {} : { by }),
    ...Object.fromEntries(lists),
  };
}

export const isBeingRun = ({ run }: PlanState): boolean => run !== null && run.ended === null;

const mostShown = 5;

function conflictWords(known: PlanState, conflicts: readonly Conflict[]): string {
  const shown = conflicts.slice(0, mostShown).map(({ task, what, line, isRunning }) => {
    const is = isRunning ? 'running' : statusOf(known, known.index.get(task)!).replace('_', ' ');
    return `${known.path}:${line}: ${task} was ${what}, and is ${is}`;
  });
  const more = conflicts.length > mostShown ? `; and ${conflicts.length - mostShown} more` : '';
  return `${shown.join('; ')}${more}`;
}
