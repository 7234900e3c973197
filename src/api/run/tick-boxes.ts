// `run --tick`: writes what has ended back into the boxes of a markdown plan. Only the sign inside a box changes, only from empty, and only
// where the plan is still the text that was loaded.
import type { PlanState } from '../../core/state/state.ts';
import { readPlanFile } from '../files/plan-file.ts';
import { replaceFile } from '../files/replace-file.ts';
import { Refusal } from '../refusal.ts';
import type { Workspace } from '../workspace.ts';

/** Asked before anything runs: a plan without boxes cannot be ticked. */
export function refuseTick(path: string): void {
  if (!/\.ya?ml$/i.test(path)) return;
  throw new Refusal(2, `${path} is YAML, and has no boxes to tick`, {
    instead: 'status.json says what has ended; --tick is for markdown plans',
  });
}

export interface Ticking {
  readonly ticked: number;
  /** Why nothing was written; null when all is well. */
  readonly hindrance: string | null;
}

/** An empty box as the first thing of a list item. */
const box = /^(\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[)([ ])(\])/;

const anyBox = /^\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[.\]/;

/** The new text; the same when there is nothing to tick. */
function tickBoxes(text: string, plan: PlanState): { readonly text: string; readonly ticked: number } {
  const lines = text.split('\n');
  let ticked = 0;
  plan.plan.tasks.forEach(({ line, group, closes }, i) => {
    if (group || closes !== undefined) return;
    const { status } = plan.tasks[i]!;
    const sign = status === 'completed' ? 'x' : status === 'skipped' ? '-' : null;
    const before = lines[line - 1];
    if (sign === null || before === undefined || !box.test(before)) return;
    lines[line - 1] = before.replace(box, `$1${sign}$3`);
    ticked++;
  });
  return { text: ticked === 0 ? text : lines.join('\n'), ticked };
}

const noBoxes = (path: string) => `${path} has tasks without boxes only, so none was ticked`;

/** Tables and headings have none; boxes of groups and criteria are not those of tasks. */
function hasBoxes(text: string, { plan }: PlanState): boolean {
  const lines = text.split('\n');
  return plan.tasks.some(({ line, group }) => !group && anyBox.test(lines[line - 1] ?? ''));
}

export function tickPlanFile(workspace: Workspace, plan: PlanState): Ticking {
  const file = readPlanFile(workspace, plan.path);
  if (file.revision !== plan.revision)
    return { ticked: 0, hindrance: `${plan.path} was edited meanwhile, so no box was ticked` };
  const { text, ticked } = tickBoxes(file.text, plan);
  if (ticked === 0) return { ticked, hindrance: hasBoxes(file.text, plan) ? null : noBoxes(plan.path) };
  try {
    replaceFile(`${workspace.root}/${plan.path}`, text, file.text);
    return { ticked, hindrance: null };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return { ticked: 0, hindrance: `no box of ${plan.path} could be ticked: ${message}` };
  }
}
