// What was found out while a task was done: one file per task, which readers see whole or not at all.
import { existsSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { accept } from '../../core/commands/accept-or-refuse.ts';
import type { PlanState, State } from '../../core/state/state.ts';
import { findingFile, placesOf } from '../../status/output-places.ts';
import { type WrittenFinding, writeFinding } from '../../status/write-finding.ts';
import { act } from '../act/act.ts';
import { readNotes, readShown } from '../files/read-text.ts';
import { targetOf } from '../files/real-path.ts';
import { withOutage } from '../files/with-outage.ts';
import { findTask } from '../look/find-task.ts';
import { Refusal } from '../refusal.ts';
import type { FindingsReport } from '../reports/hand.ts';
import type { Workspace } from '../workspace.ts';
import type { HandParts } from './hand-desk.ts';
import type { WriteFindingsOptions } from './hand-door.ts';
import { signsOfLife } from './signs-of-life.ts';

export async function writeFindings(
  parts: HandParts,
  task: string,
  options: WriteFindingsOptions,
): Promise<FindingsReport> {
  const { workspace, path, user, cwd, warn } = parts;
  const given = 'text' in options ? options.text : readNotes(resolve(cwd, options.file), options.file);
  if (given.trim() === '')
    throw new Refusal(2, 'there is nothing to write', { instead: 'pipe the text in, or name a file with --file' });
  // Inside the transaction: of two who add to one file, neither loses the other's part.
  let written: WrittenFinding | null = null;
  const { seen: id } = await act(
    parts,
    (plan, state, now) => {
      written = write(workspace, state, plan, task, { text: given, append: options.append === true });
      return accept(signsOfLife(state, plan, user, now));
    },
    (plan) => plan.plan.tasks[findTask(plan, task)]!.id,
  );
  const { file, text, kept } = written!;
  if (kept !== null) warn(kept);
  return { plan: path, task: id, file: named(workspace, file), text };
}

function write(
  workspace: Workspace,
  state: State,
  plan: PlanState,
  task: string,
  what: { readonly text: string; readonly append: boolean },
): WrittenFinding {
  const { id } = plan.plan.tasks[findTask(plan, task)]!;
  const places = placesOf(workspace, state.plans, plan.path);
  const written = withOutage(`the findings of ${id} could not be written`, () =>
    writeFinding({ stateFolder: workspace.stateFolder, places, task: id, ...what }),
  );
  if (written !== null) return written;
  throw new Refusal(2, `${named(workspace, places.findings)} is not a folder, or leads through a link`, {
    instead: 'move away what is there, or name another folder with outputs: in signalbox.yaml',
  });
}

/** Null: nothing was written about it. */
export function findFindings(workspace: Workspace, state: State, plan: PlanState, task: string): FindingsReport | null {
  const i = findTask(plan, task);
  const file = fileOf(workspace, state, plan, i);
  // A link leads to what nobody wrote about the task.
  if (!existsSync(file) || targetOf(file) !== null) return null;
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
