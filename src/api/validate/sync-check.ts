// Compares the plan file with what was loaded of it, and says what `run` and `reload` would make of the difference.
import { matchRevision } from '../../core/commands/match-revision.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { PlanState } from '../../core/state/state.ts';
import { hasSameLinks } from '../act/load-revision.ts';
import type { SyncReport } from '../reports/plan-files.ts';

/** The usual case needs no reading of the plan: the text is the loaded one, and no link can lead elsewhere now. */
export function isUnchanged(known: PlanState | null, revision: string): SyncReport | null {
  if (known?.revision !== revision || known.takesLocks) return null;
  return { ...unchanged, plan: known.path, running: known.live > 0 };
}

const unchanged = {
  loaded: true,
  inSync: true,
  added: [],
  removed: [],
  kept: [],
  changed: [],
  planChanges: [],
  renamed: [],
  conflicts: [],
  run: 'nothing',
} as const;

/** @param known null when the log knows nothing of the plan. */
export function syncCheck(known: PlanState | null, file: Plan, revision: string): SyncReport {
  const nothing = { removed: [], kept: [], changed: [], planChanges: [], renamed: [], conflicts: [] };
  if (!known) {
    const added = file.tasks.map(({ id }) => id);
    return { plan: file.path, loaded: false, inSync: false, running: false, added, ...nothing, run: 'takes' };
  }
  const { added, removed, kept, changed, planChanges, conflicts } = matchRevision(known, file);
  const isSame = known.revision === revision && hasSameLinks(known.plan, file);
  const running = known.live > 0;
  const some = [added, removed, kept, changed, planChanges, conflicts].some(({ length }) => length > 0);
  // Ended tasks that an earlier revision dropped are in the record for good, and no news.
  const inSync = isSame || !some;
  if (isSame) return { ...unchanged, plan: file.path, running };
  const gone = [...removed, ...kept, ...conflicts.filter(({ what }) => what === 'removed').map(({ task }) => task)];
  return {
    plan: file.path,
    loaded: true,
    inSync,
    running,
    added,
    removed,
    kept,
    changed,
    planChanges,
    renamed: renamedOf(known, file, gone, added),
    conflicts,
    run: whatRunDoes(running, some, conflicts.length > 0),
  };
}

function whatRunDoes(running: boolean, some: boolean, hasConflicts: boolean): SyncReport['run'] {
  if (!some) return 'nothing';
  if (running) return 'waits';
  return hasConflicts ? 'refuses' : 'takes';
}

/** Each is paired once, in the order of the plan. */
function renamedOf(
  known: PlanState,
  file: Plan,
  gone: readonly string[],
  added: readonly string[],
): SyncReport['renamed'] {
  const left = new Set(gone);
  const isNew = new Set(added);
  const old = known.plan.tasks.filter(({ id }) => left.has(id));
  return file.tasks.flatMap((task) => {
    if (!isNew.has(task.id)) return [];
    const from = old.find(({ id, title, prompt }) => left.has(id) && title === task.title && prompt === task.prompt);
    if (!from) return [];
    left.delete(from.id);
    return [{ from: from.id, to: task.id }];
  });
}
