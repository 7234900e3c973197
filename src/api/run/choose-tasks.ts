// Turns what a person selected for a run into a selection of the core, or says why it cannot be run on its own.

import { commandLine } from '../../core/model/command-line.ts';
import { outsideInTheWay, type Selection, selectLeaves } from '../../core/model/selection.ts';
import type { PlanState } from '../../core/state/state.ts';
import { findTask } from '../look/find-task.ts';
import { Refusal } from '../refusal.ts';
import type { SelectOptions } from '../signalbox.ts';

export interface Choice {
  readonly selection: Selection;
  readonly selected: Uint8Array;
}

/** Null: all of the plan. */
export function chooseTasks(plan: PlanState, { only, from }: SelectOptions): Choice | null {
  if (only === undefined && from === undefined) return null;
  if (only !== undefined && from !== undefined) throw new Refusal(2, 'either --only or --from, not both');
  if (only?.length === 0) throw new Refusal(2, 'the selection names no task');
  const idOf = (id: string) => plan.plan.tasks[findTask(plan, id)]!.id;
  const selection: Selection = from === undefined ? { only: only!.map(idOf) } : { from: idOf(from) };
  const selected = selectLeaves(plan, selection);
  refuseOutside(plan, selected);
  return { selection, selected };
}

export function refuseOutside(plan: PlanState, selected: Uint8Array): void {
  const [first, ...more] = outsideInTheWay(plan, selected);
  if (!first) return;
  const also = more.length > 0 ? ` (and ${more.length} more like it)` : '';
  throw new Refusal(
    2,
    `${first.task} ${verbs[first.why]} ${first.waitsFor}, which is not selected and not completed${also}`,
    {
      instead: `select ${first.waitsFor} too, or see why it is not completed: ${commandLine('why', first.waitsFor)}`,
    },
  );
}

const verbs = { need: 'needs', preference: 'prefers', order: 'comes after' } as const;
