// Writes saved work back into the tree, or into another folder. All of it or, where something else was changed since, nothing: what
// a restore would overwrite is named first.
import { mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { nameOf, onDisk, shownName } from './disk/disk-name.ts';
import { orOutage } from './disk/file-outage.ts';
import { type FileState, sameState, sha256Of, stateOf, statsOf, symlinkAround } from './file-state.ts';
import { makeFoldersAround, type Placed, placeFile, removeFile, syncPlaces } from './place-file.ts';
import { contentFile, readSaved, type SavedFile } from './saved-manifest.ts';

export interface RestoreRequest {
  readonly root: string;
  readonly folder: string;
  readonly id: string;
  /** Another folder than the workspace: it gets the files, and nothing is deleted there. */
  readonly to?: string;
  /** Also over what was changed since. */
  readonly force?: boolean;
}

export interface RestoreReport {
  readonly id: string;
  /** The folder that it was written to. */
  readonly to: string;
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  /** Already as they were saved. */
  readonly same: readonly string[];
  /** Changed since; with any of them, and without `force`, nothing was done at all. */
  readonly changedSince: readonly string[];
  /** What could not be done, each with the end of a sentence that begins with the path. */
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

/** Null: nothing of this id was saved. */
export async function restoreSaved(request: RestoreRequest): Promise<RestoreReport | null> {
  const { folder, id, force = false } = request;
  const manifest = readSaved(folder, id);
  if (!manifest) return null;
  const elsewhere = request.to === undefined ? null : resolve(request.to);
  const to = elsewhere ?? request.root;
  return orOutage('Saved work could not be restored', async () => {
    const written: string[] = [];
    const deleted: string[] = [];
    const same: string[] = [];
    const changedSince: string[] = [];
    const left: { path: string; why: string }[] = [];
    const todo: SavedFile[] = [];
    const gone = new Set(manifest.files.filter(({ saved }) => saved.kind === 'absent').map(({ path }) => path));
    for (const file of manifest.files) {
      if (elsewhere !== null && file.was === 'deleted') continue;
      const now = await stateOf(to, file.path);
      const expected: FileState | null = elsewhere === null ? file.before : { kind: 'absent' };
      if (sameState(now, file.saved)) same.push(file.path);
      else {
        const isFree = now.kind === 'absent' || (now.kind === 'folder' && isEmptied(to, file.path, gone));
        if (!isFree && !(expected && sameState(now, expected))) changedSince.push(file.path);
        todo.push(file);
      }
    }
    const report = { id, to, written, deleted, same, changedSince, left };
    if (changedSince.length > 0 && !force) return report;
    for (const file of todo) await checkCopy(folder, id, file);
    if (elsewhere !== null) mkdirSync(elsewhere, { recursive: true });
    // Deleted ones first: a folder may come where a file was.
    for (const { path } of todo.filter(({ saved }) => saved.kind === 'absent')) {
      const now = await stateOf(to, path);
      if (now.kind === 'behind-symlink' || now.kind === 'folder') left.push({ path, why: 'is no file, so it stays' });
      else {
        await removeFile(onDisk(to, path));
        deleted.push(path);
      }
    }
    for (const file of todo.filter(({ saved }) => saved.kind !== 'absent' && saved.kind !== 'folder')) {
      const placed = placedOf(folder, id, file);
      if (isEmptied(to, file.path, new Set())) removeFolders(to, file.path);
      const why = placed ? await placeFile(to, file.path, placed, null) : 'was no file, so there is no copy of it';
      if (why === null) written.push(file.path);
      else left.push({ path: file.path, why });
    }
    // Last, because a mode may forbid to write into the folder.
    for (const { path, saved } of todo) {
      if (saved.kind !== 'folder') continue;
      const why = await setMode(to, path, saved.mode);
      if (why === null) written.push(path);
      else left.push({ path, why });
    }
    await syncPlaces(to, [...written, ...deleted]);
    return report;
  });
}

async function setMode(to: string, path: string, mode: number): Promise<string | null> {
  const hindrance = makeFoldersAround(to, path);
  if (hindrance !== null) return hindrance;
  const place = onDisk(to, path);
  if (!statsOf(place)) await mkdir(place);
  if (!statsOf(place)?.isDirectory()) return 'is no folder any more, so its mode stays';
  await chmod(place, mode);
  return null;
}

/** Whether the folder has no files in it, or only those that are `gone` when this is restored. */
function isEmptied(to: string, path: string, gone: ReadonlySet<string>): boolean {
  if (symlinkAround(to, path) !== null || !statsOf(onDisk(to, path))?.isDirectory()) return false;
  return entriesIn(to, path).every(({ inside, isFolder }) =>
    isFolder ? isEmptied(to, inside, gone) : gone.has(inside),
  );
}

function entriesIn(to: string, path: string): { readonly inside: string; readonly isFolder: boolean }[] {
  return readdirSync(onDisk(to, path), { withFileTypes: true, encoding: 'buffer' }).map((entry) => ({
    inside: `${path}/${nameOf(entry.name)}`,
    isFolder: entry.isDirectory(),
  }));
}

/** Folders with nothing but folders in them. */
function removeFolders(to: string, path: string): void {
  for (const { inside } of entriesIn(to, path)) removeFolders(to, inside);
  rmdirSync(onDisk(to, path));
}

function placedOf(folder: string, id: string, { saved, content }: SavedFile): Placed | null {
  if (saved.kind === 'symlink') return saved;
  if (saved.kind !== 'file' || content === null) return null;
  return { kind: 'file', from: contentFile(folder, id, content), mode: saved.mode };
}

/** Before the first file is touched: a copy that somebody changed is not what was saved. */
async function checkCopy(folder: string, id: string, { path, saved, content }: SavedFile): Promise<void> {
  if (saved.kind !== 'file' || content === null) return;
  if ((await sha256Of(contentFile(folder, id, content))) === saved.sha256) return;
  throw Object.assign(
    new Error(`the saved copy of ${shownName(path)} was changed: ${contentFile(folder, id, content)}`),
    {
      code: 'EIO',
    },
  );
}
