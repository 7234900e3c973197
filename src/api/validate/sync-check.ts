// Compares the plan file with what was loaded of it, and says what `run` and `reload` would make of the difference.
import { differenceIn, isNothing, matchRevision, noDifference } from '../../core/commands/match-revision.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import type { Plan } from '../../core/model/plan.ts';
import { createState } from '../../core/state/evolve.ts';
import { agentAlive } from '../../core/state/questions/agent-work.ts';
import type { PlanState, State } from '../../core/state/state.ts';
import { hasSameLinks } from '../act/load-revision.ts';
import { readPlanFile, validPlan } from '../files/plan-file.ts';
import { type Seen, viewPlan } from '../look/state-view.ts';
import type { SyncReport } from '../reports/plan-files.ts';
import type { Workspace } from '../workspace.ts';

export async function syncReport(
  workspace: Workspace,
  seen: Seen,
  path: PlanPath,
  warn: (text: string) => void,
): Promise<SyncReport> {
  const file = readPlanFile(workspace, path);
  const { store, broken, uncompared } = seen;
  // What others loaded by this revision need not be what it says.
  const revision = uncompared ? null : file.revision;
  const same = await store?.read((state) => isUnchanged(state.plans.get(path) ?? null, revision));
  if (same) return same;
  const definition = await validPlan(workspace, file);
  const look = (state: State) => syncCheck(state, definition, revision);
  if (broken) return viewPlan(workspace, seen, path, look, warn);
  return store ? store.read(look) : look(createState());
}

/** The usual case needs no reading of the plan: the text is the loaded one, and no link can lead elsewhere now. */
function isUnchanged(known: PlanState | null, revision: string | null): SyncReport | null {
  if (known?.revision !== revision || known.takesLocks) return null;
  return { ...unchanged, plan: known.path, running: known.live > 0 };
}

const empty = { ...noDifference, renamed: [], conflicts: [] };
const unchanged = { loaded: true, inSync: true, ...empty, run: 'nothing' } as const;

/** @param revision of the file; null: an equal one says nothing. */
export function syncCheck(state: State, file: Plan, revision: string | null): SyncReport {
  const known = state.plans.get(file.path);
  if (!known) {
    const added = file.tasks.map(({ id }) => id);
    return { plan: file.path, loaded: false, inSync: false, running: false, ...empty, added, run: 'takes' };
  }
  const match = matchRevision(known, file);
  const { added, removed, kept } = match;
  const conflicts = match.conflicts.map(({ task, what, line }) => ({ task, what, line }));
  const isSame = known.revision === revision && hasSameLinks(known.plan, file);
  const running = known.live > 0;
  const some = conflicts.length > 0 || !isNothing(match);
  // Ended tasks that an earlier revision dropped are in the record for good, and no news.
  const inSync = isSame || !some;
  if (isSame) return { ...unchanged, plan: file.path, running };
  const gone = [...removed, ...kept, ...conflicts.filter(({ what }) => what === 'removed').map(({ task }) => task)];
  return {
    plan: file.path,
    loaded: true,
    inSync,
    running,
    ...differenceIn(match),
    renamed: renamedOf(known, file, gone, added),
    conflicts,
    run: whatRunDoes(some, conflicts.length > 0, running && agentAlive(state)),
  };
}

function whatRunDoes(some: boolean, hasConflicts: boolean, isAgentAlive: boolean): SyncReport['run'] {
  if (!some) return 'nothing';
  if (hasConflicts) return 'refuses';
  return isAgentAlive ? 'waits' : 'takes';
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
