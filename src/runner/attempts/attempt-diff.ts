// What an attempt has changed since it began, for whoever reviews it or goes on with it: its locked files from what they were when it
// got them, everything else from what the workspace was when it began. All of it, or an error that says why nobody knows.
import { listWords } from '../../core/model/count-words.ts';
import { type BeforeImage, readBeforeImage } from '../../files/before-image.ts';
import { nameOf, shownName } from '../../files/disk/disk-name.ts';
import { textInTree, textOf } from '../../files/disk/file-text.ts';
import { lineDiff } from '../../files/disk/line-diff.ts';
import type { FileState } from '../../files/file-state.ts';
import { type Difference, findDifferences } from '../../files/find-differences.ts';
import { noGit } from '../../git/git.ts';
import { type Changes, changesSince, GitTrouble, type SnapshotPlace } from '../../git/snapshots/snapshot.ts';

export interface AttemptDiff {
  readonly text: string;
  /** There was more. */
  readonly cut: boolean;
  /** What the difference does not show, in sentences. */
  readonly notes: readonly string[];
}

const mostBytes = 100_000;
const mostNames = 50;

/** @param name under which its before-images lie and its beginning is kept */
export async function attemptDiff(place: SnapshotPlace, name: string): Promise<AttemptDiff> {
  const image = readBeforeImage(place.folder, name);
  const locked = image?.grants.length ? await fromImage(place.root, image) : null;
  try {
    const isLeftOut = (path: Buffer) => locked !== null && image!.covers(nameOf(path));
    const room = Math.max(mostBytes / 2, mostBytes - (locked?.text.length ?? 0));
    return joined(locked, await changesSince(place, name, { isLeftOut, mostBytes: room }));
  } catch (error) {
    if (!(error instanceof GitTrouble)) throw error;
    // Its own files are known without git. Nobody but the person could have taken git away.
    if (locked === null || error.message !== noGit) throw error;
    return { ...locked, notes: [`Only its locked files were compared: ${noGit}.`] };
  }
}

function joined(locked: { text: string; cut: boolean } | null, changes: Changes): AttemptDiff {
  const { text, cut, ignored, touched, allTouched, inGit, unread } = changes;
  const about = (paths: readonly Buffer[], what: string) =>
    paths.length === 0 ? [] : [`${what}: ${named(paths)}. Look at the files themselves.`];
  return {
    text: `${locked?.text ?? ''}${text}`,
    cut: cut || (locked?.cut ?? false),
    notes: [
      ...(text === '' ? [] : ['Other tasks may have changed files in the same folder at the same time.']),
      ...about(ignored, 'New and ignored by git, so not shown'),
      ...about(touched, 'Ignored by git and written or removed meanwhile, so not shown'),
      ...(allTouched ? [] : ['Not all of the files that git ignores could be looked at.']),
      ...about(inGit, 'Configuration or hooks of git that were written'),
      ...about(unread, 'Not readable, so not shown'),
    ],
  };
}

const named = (paths: readonly Buffer[]): string =>
  listWords(
    paths.map((path) => JSON.stringify(shownName(nameOf(path)))),
    mostNames,
  );

async function fromImage(root: string, image: BeforeImage): Promise<{ text: string; cut: boolean }> {
  const { files } = await findDifferences(root, image);
  let text = '';
  for (const file of files) {
    const shown = showFile(root, image, file);
    if (text.length + shown.length > mostBytes)
      return { text: text + shown.slice(0, mostBytes - text.length), cut: true };
    text += shown;
  }
  return { text, cut: false };
}

function showFile(root: string, image: BeforeImage, { path, was, before, stateBefore, now }: Difference): string {
  const name = shownName(path);
  const [then, since] = [kindOf(stateBefore), kindOf(was === 'deleted' ? { kind: 'absent' } : now)];
  const kinds = then === since ? ['', ''] : [` (${then})`, ` (${since})`];
  const head = `--- ${name}${kinds[0]}\n+++ ${name}${kinds[1]}\n`;
  const old = before.kind === 'file' ? textOf(image.contentOf(before)) : { text: '' };
  const current = now.kind === 'file' ? textInTree(root, path) : { text: '' };
  if (before.kind === 'unknown' || 'without' in old || 'without' in current)
    return `${head}(no text, or too large to be compared)\n`;
  return `${head}${lineDiff(old.text, current.text)}`;
}

function kindOf(state: FileState | null): string {
  switch (state?.kind) {
    case undefined:
      return 'not kept';
    case 'absent':
      return 'not there';
    case 'symlink':
      return `symlink to ${shownName(state.target)}`;
    case 'behind-symlink':
      return `behind the symlink ${shownName(state.symlink)}`;
    case 'special':
      return 'FIFO, socket or device';
    case 'unreadable':
      return 'not readable';
    case 'file':
    case 'folder':
      return `${state.kind}, mode ${state.mode.toString(8)}`;
  }
}
