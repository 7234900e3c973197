// The queries and the command about saved work: reads what git/ has kept, and compares it with the tree as it is now.
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { restoreSaved } from '../../git/restore-saved.ts';
import { contentFile, listSaved, readSaved, type SavedFile, type SavedManifest } from '../../git/saved-manifest.ts';
import { nearest } from '../../plan/nearest.ts';
import { Refusal } from '../refusal.ts';
import type {
  SavedFileReport,
  SavedListReport,
  SavedRestoreOptions,
  SavedRestoreReport,
  SavedShowReport,
} from '../saved-reports.ts';
import type { Workspace } from '../workspace.ts';
import { folderMistake } from '../write-mistake.ts';
import { lineDiff } from './line-diff.ts';

/** Larger texts are only told by their size. */
const largestText = 1024 * 1024;

export function savedListReport({ stateFolder }: Workspace): SavedListReport {
  return { saved: listSaved(stateFolder).map((one) => ({ ...aboutOf(one), files: one.files.length })) };
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
): Promise<SavedRestoreReport> {
  savedAs(workspace, id);
  const { root, stateFolder: folder } = workspace;
  const because = to === undefined ? undefined : folderMistake(resolve(cwd, to));
  if (because !== undefined) {
    throw new Refusal(2, `nothing was restored: ${to} cannot be a folder, because ${because}`, {
      instead: 'name a folder, or one that is to be made',
    });
  }
  const report = (await restoreSaved({
    root,
    folder,
    id,
    force,
    ...(to === undefined ? {} : { to: resolve(cwd, to) }),
  }))!;
  const { changedSince, ...done } = report;
  if (changedSince.length === 0 || force) return done;
  const named = `${changedSince.slice(0, 10).join(', ')}${changedSince.length > 10 ? ` and ${changedSince.length - 10} more` : ''}`;
  throw new Refusal(2, `nothing was restored: ${named} would be overwritten, and changed since ${id} was saved`, {
    instead: `signalbox saved restore ${id} --to DIR writes it elsewhere, --force overwrites`,
  });
}

const aboutOf = ({ id, task, attempt, plan, at, reason }: SavedManifest) => ({ id, task, attempt, plan, at, reason });

function savedAs({ stateFolder }: Workspace, id: string): SavedManifest {
  const found = readSaved(stateFolder, id);
  if (found) return found;
  const near = nearest(
    id,
    listSaved(stateFolder).map((one) => one.id),
  );
  throw new Refusal(2, `nothing was saved as ${id}`, {
    instead: near === undefined ? 'signalbox saved list shows what was saved' : `did you mean ${near}?`,
  });
}

function fileReport({ root, stateFolder }: Workspace, id: string, file: SavedFile): SavedFileReport {
  const { path, was, mode, saved, content } = file;
  const shown = {
    path,
    was,
    mode: mode === null ? null : mode.toString(8).padStart(4, '0'),
    bytes: saved.kind === 'file' ? saved.size : null,
    target: saved.kind === 'symlink' ? saved.target : null,
  };
  const without = (why: SavedFileReport['without']): SavedFileReport => ({ ...shown, diff: null, without: why });
  if (saved.kind === 'absent') return without('deleted');
  if (saved.kind !== 'file' || content === null) return without('no-file');
  const now = textOf(join(root, path));
  const then = saved.size > largestText ? 'large' : textOf(contentFile(stateFolder, id, content));
  if (now === 'large' || then === 'large') return without('large');
  if (now === 'binary' || then === 'binary') return without('binary');
  const diff = lineDiff(now.text, then.text);
  return diff === '' ? without('same') : { ...shown, diff, without: null };
}

/** What is not there, or no file, is compared as if it were empty. */
function textOf(file: string): { readonly text: string } | 'binary' | 'large' {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink()) return { text: `symlink to ${readlinkSync(file)}\n` };
  if (!stats?.isFile()) return { text: '' };
  if (stats.size > largestText) return 'large';
  const bytes = readFileSync(file);
  if (bytes.includes(0)) return 'binary';
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return 'binary';
  }
}
