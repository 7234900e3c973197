// The queries and the command about saved work: reads what files/ has kept, and compares it with the tree as it is now.
import { resolve } from 'node:path';
import { listWords } from '../../core/model/count-words.ts';
import { shownName } from '../../files/disk/disk-name.ts';
import { FileOutage } from '../../files/disk/file-outage.ts';
import { restoreSaved } from '../../files/restore-saved.ts';
import { savedDiff } from '../../files/saved-diff.ts';
import { listSaved, readSaved, type SavedFile, type SavedManifest } from '../../files/saved-manifest.ts';
import { nearest } from '../../plan/diagnostics/nearest.ts';
import { folderMistake } from '../files/write-mistake.ts';
import { Refusal } from '../refusal.ts';
import type { SavedFileReport, SavedListReport, SavedRestoreReport, SavedShowReport } from '../reports/saved.ts';
import type { SavedRestoreOptions } from '../results/results-door.ts';
import type { Workspace } from '../workspace.ts';

export function savedListReport({ stateFolder }: Workspace): SavedListReport {
  const found = orRefusal(() => listSaved(stateFolder));
  return { saved: found.map((one) => ({ ...aboutOf(one), files: one.files.length })) };
}

/** Whoever looks learns what is wrong with the files; nothing went wrong. */
function orRefusal<T>(look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (!(error instanceof FileOutage)) throw error;
    throw new Refusal(2, `what was saved cannot be read: ${error.message}`);
  }
}

export function savedShowReport(workspace: Workspace, id: string): SavedShowReport {
  const found = savedAs(workspace, id);
  return { ...aboutOf(found), files: found.files.map((file) => fileReport(workspace, id, file)) };
}

export async function restoreWork(
  workspace: Workspace,
  cwd: string,
  id: string,
  { to, force = false }: SavedRestoreOptions,
  /** As people know it. */
  name = id,
): Promise<SavedRestoreReport> {
  savedAs(workspace, id);
  const { root, stateFolder: folder } = workspace;
  const because = to === undefined ? undefined : folderMistake(resolve(cwd, to));
  if (because !== undefined) {
    throw new Refusal(2, `nothing was restored: ${to} cannot be a folder, because ${because}`, {
      instead: 'name a folder, or one that can be created',
    });
  }
  const report = (await restoreSaved({
    root,
    folder,
    id,
    force,
    ...(to === undefined ? {} : { to: resolve(cwd, to) }),
  }))!;
  const { changedSince, written, deleted, same, left, ...rest } = report;
  if (changedSince.length === 0 || force) {
    const shown = left.map(({ path, why }) => ({ path: shownName(path), why }));
    const [a, b, c] = [written, deleted, same].map((paths) => paths.map(shownName)) as [string[], string[], string[]];
    return { ...rest, id: name, written: a, deleted: b, same: c, left: shown };
  }
  const named = listWords(changedSince.map(shownName), 10);
  throw new Refusal(2, `nothing was restored: ${named} would be overwritten, and changed since ${name} was saved`, {
    instead: `signalbox saved restore ${name} --to DIR writes it elsewhere; --force overwrites`,
  });
}

/** Whether copies were saved under this id; broken ones too. */
export const hasCopy = ({ stateFolder }: Workspace, id: string): boolean =>
  orRefusal(() => readSaved(stateFolder, id)) !== null;

const aboutOf = ({ id, task, attempt, plan, at, reason }: SavedManifest) => ({ id, task, attempt, plan, at, reason });

function savedAs({ stateFolder }: Workspace, id: string): SavedManifest {
  const found = orRefusal(() => readSaved(stateFolder, id));
  if (found) return found;
  const near = nearest(
    id,
    orRefusal(() => listSaved(stateFolder)).map((one) => one.id),
  );
  throw new Refusal(2, `nothing was saved as ${id}`, {
    instead: near === undefined ? 'see what was saved: signalbox saved' : `did you mean ${near}?`,
  });
}

function fileReport(workspace: Workspace, id: string, file: SavedFile): SavedFileReport {
  const { path, was, mode, saved } = file;
  return {
    path: shownName(path),
    was,
    mode: mode === null ? null : mode.toString(8).padStart(4, '0'),
    bytes: saved.kind === 'file' ? saved.size : null,
    target: saved.kind === 'symlink' ? shownName(saved.target) : null,
    ...savedDiff(workspace, id, file),
  };
}
