// Work that was saved: one folder each below `saved`, which appears under its name when it is whole, and is never removed.
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentName, type Token } from './before-image.ts';
import { FileOutage } from './disk/file-outage.ts';
import { existingFolder } from './disk/private-files.ts';
import { safeName } from './disk/safe-name.ts';
import { isTreePath } from './disk/tree-path.ts';
import type { FileState } from './file-state.ts';

export interface SavedAbout {
  /** `<task>#<n>`. */
  readonly attempt: string;
  readonly task: string;
  readonly plan: string;
  /** When it is saved, in milliseconds. */
  readonly at: number;
  /** Why, for people. */
  readonly reason: string;
}

export interface SavedManifest {
  readonly version: 1;
  readonly id: string;
  readonly token: string;
  readonly attempt: string;
  readonly task: string;
  readonly plan: string;
  readonly at: string;
  readonly reason: string;
  readonly files: readonly SavedFile[];
}

export interface SavedFile {
  readonly path: string;
  readonly was: 'changed' | 'new' | 'deleted';
  /** Of the saved version; of a deleted file, the one it had. Null for what has none, and where it is not known. */
  readonly mode: number | null;
  /** The saved version. */
  readonly saved: FileState;
  /** The name of its copy, in the folder `content`; null for what is no file. */
  readonly content: string | null;
  /** What it was put back to; null: it could not be kept, and was not put back. */
  readonly before: FileState | null;
}

/** Those that are whole, the oldest first. One that somebody broke hides no other. */
export function listSaved(folder: string): SavedManifest[] {
  const home = existingFolder(folder, 'saved');
  if (home === null) return [];
  const all = readdirSync(home).flatMap((id) => {
    const found = lookUp(home, id);
    return found === null || found === 'broken' ? [] : [found];
  });
  return all.sort((a, b) => (a.at === b.at ? order(a.id, b.id) : order(a.at, b.at)));
}

const order = (a: string, b: string) => (a < b ? -1 : 1);

/** Null: nothing of this id was saved. */
export function readSaved(folder: string, id: string): SavedManifest | null {
  const home = existingFolder(folder, 'saved');
  const found = home === null ? null : lookUp(home, id);
  if (found !== 'broken') return found;
  throw new FileOutage(
    'broken-manifest',
    `${join(home!, id)} is not as Signalbox wrote it; the copies of the files in it are as they are.`,
  );
}

function lookUp(home: string, id: string): SavedManifest | 'broken' | null {
  if (!isSavedId(id) || !lstatSync(join(home, id), { throwIfNoEntry: false })?.isDirectory()) return null;
  const file = join(home, id, 'manifest.json');
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return 'broken';
  const manifest = parse(readFileSync(file, 'utf8'));
  return manifest?.id === id ? manifest : 'broken';
}

/** Of the token that saved under this id; null when the id is free, undefined when nobody can tell. */
export function tokenOfSaved(folder: string, id: string): string | null | undefined {
  const home = existingFolder(folder, 'saved');
  const found = home === null ? null : lookUp(home, id);
  return found === 'broken' ? undefined : (found?.token ?? null);
}

export const findSavedByToken = (folder: string, token: Token): SavedManifest | null =>
  listSaved(folder).find((one) => one.token === String(token)) ?? null;

export const contentFile = (folder: string, id: string, content: string): string =>
  join(folder, 'saved', id, 'content', content);

/** In the order in which they are tried: the first that is free, or that has the same token. */
export function* savedIds({ task, attempt }: Pick<SavedAbout, 'task' | 'attempt'>): Generator<string> {
  const n = /#(\d{1,9})$/.exec(attempt)?.[1] ?? '1';
  const first = `${safeName(task)}-${n}`;
  yield first;
  for (let again = 2; ; again++) yield `${first}-${again}`;
}

const isSavedId = (id: string) => /^[A-Za-z0-9_%][A-Za-z0-9_%.-]{0,200}$/.test(id);

function parse(text: string): SavedManifest | null {
  try {
    const manifest = JSON.parse(text) as SavedManifest;
    const texts = [manifest.token, manifest.attempt, manifest.task, manifest.plan, manifest.at, manifest.reason];
    const isWhole =
      manifest.version === 1 &&
      texts.every((one) => typeof one === 'string') &&
      manifest.files.every(({ path, content }) => isTreePath(path) && (content === null || contentName.test(content)));
    return isWhole ? manifest : null;
  } catch {
    return null;
  }
}
