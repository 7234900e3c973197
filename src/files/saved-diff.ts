// From a file as it is now to its saved version, by lines; and why there is nothing to show where there is not.
import { onDisk } from './disk/disk-name.ts';
import { textInTree, textOf } from './disk/file-text.ts';
import { lineDiff } from './disk/line-diff.ts';
import { modeOf, statsOf, symlinkAround } from './file-state.ts';
import { contentFile, type SavedFile } from './saved-manifest.ts';

type Without = 'same' | 'binary' | 'large' | 'deleted' | 'no-file' | 'unreadable' | 'lost' | 'not-there' | 'mode';

export type SavedDiff =
  | { readonly diff: string; readonly without: null }
  | { readonly diff: null; readonly without: Without };

export interface SavedPlace {
  readonly root: string;
  /** `.signalbox` */
  readonly stateFolder: string;
}

export function savedDiff({ root, stateFolder }: SavedPlace, id: string, file: SavedFile): SavedDiff {
  const { path, saved, content } = file;
  const without = (why: Without): SavedDiff => ({ diff: null, without: why });
  if (saved.kind === 'absent') return without('deleted');
  if (saved.kind !== 'file' || content === null) return without('no-file');
  const copy = contentFile(stateFolder, id, content);
  // Somebody removed it.
  if (!statsOf(copy)?.isFile()) return without('lost');
  const then = textOf(copy);
  if ('without' in then) return without(then.without);
  const now = textInTree(root, path);
  if ('without' in now) return without(now.without);
  const diff = lineDiff(now.text, then.text);
  if (diff !== '') return { diff, without: null };
  const stats = symlinkAround(root, path) === null ? statsOf(onDisk(root, path)) : null;
  // An empty file and none have the same lines.
  if (!stats?.isFile()) return without('not-there');
  return without(modeOf(stats) === saved.mode ? 'same' : 'mode');
}
