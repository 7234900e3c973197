// Brings the plan file and the log together: the first load, or an edited plan matched by id with what is known.

import { matchRevision, type Revision } from '../../core/commands/match-revision.ts';
import type { Event } from '../../core/model/event.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { PlanState } from '../../core/state/state.ts';
import { Refusal } from '../refusal.ts';

/** The event that loads the plan, or null when the log has it already. Refuses what only a person may decide. */
export function loadRevision(known: PlanState | undefined, plan: Plan, revision: string): Event | null {
  if (!known) return loaded(plan, revision);
  if (known.revision === revision) {
    // The same text, but a link in it leads elsewhere now. Running attempts keep the locks they have.
    if (known.live > 0 || hasSameLinks(known.plan, plan)) return null;
    return forceRevision(known, plan, revision).event;
  }
  if (known.live > 0) {
    throw new Refusal(2, `${plan.path} was edited while its attempts are running`, {
      instead: 'wait for the run to end, or stop it: signalbox stop',
    });
  }
  const match = matchRevision(known, plan);
  if (match.conflicts.length > 0)
    throw new Refusal(3, conflictText(plan, match), { instead: 'load the file as it is now: signalbox reload' });
  return loaded(match.definition, revision);
}

/** As `reload` does it: the file wins, also over a task that has run. */
export function forceRevision(known: PlanState, plan: Plan, revision: string): { event: Event; match: Revision } {
  const match = matchRevision(known, plan);
  const gone = match.conflicts.filter(({ what }) => what === 'removed').map(({ task }) => task);
  return { event: loaded(match.definition, revision), match: { ...match, removed: [...match.removed, ...gone] } };
}

/** The changes that a run takes from an edited plan, in words; none when only boxes, remarks and places changed. */
export function revisionWords(known: PlanState, plan: Plan): readonly string[] {
  const { added, removed, kept, changed, planChanges } = matchRevision(known, plan);
  const parts = (
    [
      ['new', added],
      ['removed', removed],
      ['changed', changed],
      ['changed in the whole plan', planChanges],
      ['removed from the file, kept in the log', kept],
    ] as const
  ).flatMap(([word, ids]) => (ids.length === 0 ? [] : [`${word}: ${someOf(ids)}`]));
  if (parts.length === 0) return [];
  return [`${plan.path} was edited since it was loaded, and is taken as it is now (${parts.join('; ')})`];
}

const someOf = (ids: readonly string[]): string =>
  ids.length > 5 ? `${ids.slice(0, 5).join(', ')} and ${ids.length - 5} more` : ids.join(', ');

export const hasSameLinks = (a: Plan, b: Plan): boolean => JSON.stringify(a.links) === JSON.stringify(b.links);

function conflictText(plan: Plan, { conflicts }: Revision): string {
  const shown = conflicts.slice(0, 5).map(({ task, what }) => `${task} was ${what}`);
  const more = conflicts.length > shown.length ? `, and ${conflicts.length - shown.length} more` : '';
  return `${plan.path} was edited where work is already done: ${shown.join(', ')}${more}`;
}

function loaded(definition: Plan, revision: string): Event {
  return { type: 'plan-loaded', v: 1, plan: definition.path, revision, definition };
}
