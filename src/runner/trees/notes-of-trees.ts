// What is noted of a tree while Signalbox works there, so that later it is known what somebody else has changed: `tree-note.ts`.
import type { GitCaller } from '../../git/git-caller.ts';
import { foundIn } from '../../git/trees/found-in-tree.ts';
import { entriesOf } from '../../git/trees/tree-entries.ts';
import { endBeginning, readNote, type TreeNote, writeNote } from '../../git/trees/tree-note.ts';
import { commitOf } from '../../git/trees/trees.ts';

interface NotedTree {
  readonly folder: string;
  readonly isApart: (path: Buffer) => boolean;
}

/** An attempt has its tree, also where the setup failed: from now on everything is the attempt's. */
export async function noteBegun(
  repository: GitCaller,
  tree: NotedTree,
  { branch, carried }: Pick<TreeNote, 'branch' | 'carried'>,
): Promise<void> {
  const [entry] = entriesOf(repository, tree.folder);
  const head = await commitOf(repository, `refs/heads/${branch}`);
  if (entry === undefined || head === null) return;
  writeNote(entry, { branch, head, carried, found: await foundIn(repository, tree), isBegun: true });
  endBeginning(entry);
}

/**
 * work     all that it left is committed
 * unfit    it is kept beside its branch; in a tree of its own it is still its work, which somebody may make fit
 * unknown  nobody could find out
 */
type Ending = 'work' | 'unfit' | 'unknown';

export async function noteEnd(
  repository: GitCaller,
  { branch, checkedOut, ...tree }: NotedTree & { readonly branch: string; readonly checkedOut: string | null },
  how: Ending,
): Promise<void> {
  const [entry] = entriesOf(repository, tree.folder);
  const head = await commitOf(repository, checkedOut === null ? 'HEAD' : `refs/heads/${checkedOut}`, tree.folder);
  if (entry === undefined || head === null) return;
  const carried = how === 'work' ? null : (readNote(entry)?.carried ?? null);
  const isIts = how === 'work' || (how === 'unfit' && checkedOut !== null);
  const found = isIts ? {} : await foundIn(repository, tree);
  writeNote(entry, { branch, head, carried, found, isBegun: false });
}

/** The tree of results stands where they are, and is set up. */
export async function noteResults(repository: GitCaller, tree: NotedTree): Promise<void> {
  const [entry] = entriesOf(repository, tree.folder);
  const head = await commitOf(repository, 'HEAD', tree.folder);
  if (entry === undefined || head === null) return;
  const found = await foundIn(repository, tree);
  writeNote(entry, { branch: '', head, carried: null, found, isBegun: false });
}

/** A check or a review is over. */
export async function noteLeftBehind(repository: GitCaller, tree: NotedTree): Promise<void> {
  const [entry] = entriesOf(repository, tree.folder);
  const known = entry === undefined ? null : readNote(entry);
  if (entry !== undefined && known !== null) writeNote(entry, { ...known, found: await foundIn(repository, tree) });
}
