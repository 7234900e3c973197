// From a file as it is now to its saved version, by lines; and why there is nothing to show where there is not.
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { lineDiff } from './line-diff.ts';
import { contentFile, type SavedFile } from './saved-manifest.ts';

export type SavedDiff =
  | { readonly diff: string; readonly without: null }
  | { readonly diff: null; readonly without: 'same' | 'binary' | 'large' | 'deleted' | 'no-file' };

export interface SavedPlace {
  readonly root: string;
  /** `.signalbox` */
  readonly stateFolder: string;
}

/** Larger texts are only told by their size. */
const largestText = 1024 * 1024;

export function savedDiff({ root, stateFolder }: SavedPlace, id: string, file: SavedFile): SavedDiff {
  const { path, saved, content } = file;
  const without = (why: NonNullable<SavedDiff['without']>): SavedDiff => ({ diff: null, without: why });
  if (saved.kind === 'absent') return without('deleted');
  if (saved.kind !== 'file' || content === null) return without('no-file');
  const now = textOf(join(root, path));
  const then = saved.size > largestText ? 'large' : textOf(contentFile(stateFolder, id, content));
  if (now === 'large' || then === 'large') return without('large');
  if (now === 'binary' || then === 'binary') return without('binary');
  const diff = lineDiff(now.text, then.text);
  return diff === '' ? without('same') : { diff, without: null };
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
