// What the author's file says with a change of the plan's shape in it. Afterwards the file says what the log has: what was changed before and
// kept in the log only is written with it. Refused when no way of writing it reads back the same.
import { matchRevision } from '../../core/commands/match-revision.ts';
import { type Restructure, restructure, withoutClosingTasks } from '../../core/commands/restructure.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { PlanState } from '../../core/state/state.ts';
import type { Acting } from '../act/act.ts';
import { readPlanFile, validPlan, withSettings } from '../files/plan-file.ts';
import { linksIn } from '../locks/lock-key.ts';
import { Refusal } from '../refusal.ts';
import { freshPlan } from '../run/imagine-plan.ts';
import type { Workspace } from '../workspace.ts';

const instead = 'leave out --write: Signalbox then records the change, and the file stays as it is';

export async function editedText(
  { workspace, path, store }: Pick<Acting, 'path' | 'store'> & { readonly workspace: Workspace },
  changes: readonly Restructure[],
): Promise<string> {
  const file = readPlanFile(workspace, path);
  const before = await validPlan(workspace, file);
  const { steps, isEdited, earlier } = await store.read((state) => {
    const known = state.plans.get(path)!;
    return {
      steps: stepsOf(known, changes),
      isEdited: known.revision !== file.revision && saysOtherwise(known, before),
      earlier: unwritten(before, withoutClosingTasks(known.plan)),
    };
  });
  for (const { result } of steps) if (!result.ok) throw new Refusal(2, result.because, { instead: result.instead });
  if (isEdited) throw new Refusal(2, `${path} was edited since it was loaded`, { instead });
  const { editPlan } = await import('../../plan/edit-plan.ts');
  const { readPlan } = await import('../../plan/read-plan.ts');
  const { settings, root } = workspace;
  const read = (text: string) => {
    const { plan } = readPlan({ text, file: path, path, settings, followLinks: linksIn(root) });
    return plan && withSettings(plan, settings);
  };
  let text = file.text;
  let plan = before;
  const write = (all: ReturnType<typeof stepsOf>, why: string) => {
    for (const { change, result } of all) {
      if (!result.ok) throw new Refusal(2, `${why}: ${result.because}`, { instead });
      const next = editPlan({ text, change, before: plan, after: result.plan, read });
      if (!next.ok) throw new Refusal(2, `${why}: ${next.because}`, { instead });
      text = next.text;
      plan = read(text)!;
    }
  };
  const both = `${path} was restructured before without --write, and Signalbox cannot write that into the file`;
  if (earlier === null) throw new Refusal(2, `${both}: a task became a part of another one`, { instead });
  write(stepsOf(freshPlan(before), earlier), both);
  write(steps, earlier.length > 0 ? both : `Signalbox cannot write this change into ${path}`);
  return text;
}

/** The file is changed as the plan is: one change after the other. */
const stepsOf = (plan: PlanState, changes: readonly Restructure[]) =>
  changes.map((change, i) => ({ change, result: restructure(plan, changes.slice(0, i + 1)) }));

/** Not by what this command wrote: the file then says what the log has. */
function saysOtherwise(known: PlanState, file: Plan): boolean {
  const { added, removed, changed, planChanges, conflicts } = matchRevision(known, file);
  return added.length + removed.length + changed.length + planChanges.length + conflicts.length > 0;
}

/** What makes of the file what is known. Null: a task became a part of another one, which no file says. */
function unwritten(file: Plan, known: Plan): readonly Restructure[] | null {
  const byId = new Map(known.tasks.map((task) => [task.id, task]));
  const found: Restructure[] = [];
  for (const { id, needs = [], phase, parent } of file.tasks) {
    const now = byId.get(id);
    if (!now) return null;
    for (const need of needs) if (!now.needs?.includes(need)) found.push({ kind: 'drop-need', task: id, need });
    const { name } = known.phases[now.phase]!;
    // What is inside a group moves with it.
    if (parent === undefined && name !== file.phases[phase]!.name) found.push({ kind: 'move', task: id, phase: name });
  }
  return found;
}
