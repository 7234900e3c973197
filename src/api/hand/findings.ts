// What was found out while a task was done: one file per task, which readers see whole or not at all.
import { existsSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import type { PlanState, State } from '../../core/state.ts';
import { findingFile } from '../../status/output-places.ts';
import { writeFinding } from '../../status/write-finding.ts';
import { findTask } from '../find-task.ts';
import { readInput, readNotes, readShown } from '../read-text.ts';
import { Refusal } from '../refusal.ts';
import { placesOf } from '../status/places-of.ts';
import { withOutage } from '../with-outage.ts';
import type { Workspace } from '../workspace.ts';
import type { HandDesk, HandParts } from './hand-desk.ts';
import type { FindingsReport, WriteFindingsOptions } from './hand-reports.ts';
import { signsOfLife } from './signs-of-life.ts';

export async function writeFindings(
  parts: HandParts,
  desk: HandDesk,
  task: string,
  options: WriteFindingsOptions,
): Promise<FindingsReport> {
  const { workspace, path, user, cwd } = parts;
  const given =
    options.text ?? (options.file === undefined ? readInput() : readNotes(resolve(cwd, options.file), options.file));
  if (given.trim() === '')
    throw new Refusal(2, 'there is nothing to write', { instead: 'say it on the standard input, or name a file' });
  // Inside the transaction: of two who add to one file, neither loses the other's part.
  return desk.transact((tx, plan) => {
    const i = findTask(plan, task);
    const { id } = plan.plan.tasks[i]!;
    const places = placesOf(workspace, tx.state.plans, plan.path);
    const append = options.append === true;
    const written = withOutage(`the findings of ${id} could not be written`, () =>
      writeFinding({ root: workspace.root, places, task: id, text: given, append }),
    );
    if (written === null) {
      throw new Refusal(2, `${named(workspace, places.findings)} is no folder, or leads through a link`, {
        instead: 'take what is in its place away, or say another folder with outputs: in signalbox.yaml',
      });
    }
    for (const event of signsOfLife(tx.state, plan, user, tx.now)) tx.record(event);
    return { plan: path, task: id, file: named(workspace, written.file), text: written.text };
  });
}

/** Null: nothing was written about it. */
export function findFindings(workspace: Workspace, state: State, plan: PlanState, task: string): FindingsReport | null {
  const i = findTask(plan, task);
  const file = fileOf(workspace, state, plan, i);
  if (!existsSync(file)) return null;
  return {
    plan: plan.path,
    task: plan.plan.tasks[i]!.id,
    file: named(workspace, file),
    text: readShown(file, named(workspace, file)),
  };
}

const fileOf = (workspace: Workspace, state: State, plan: PlanState, i: number): string =>
  findingFile(placesOf(workspace, state.plans, plan.path), plan.plan.tasks[i]!.id);

const named = ({ root }: Workspace, file: string): string => relative(root, file).split(sep).join('/');
