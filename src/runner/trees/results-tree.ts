// The tree in which the results are seen: it stands where their branch is. What a person has changed or committed there is kept on a branch
// of its own before, because no attempt begins with it.
import { saveTree, treeOfEverything } from '../../git/commits/save-everything.ts';
import { type GitCaller, GitTrouble } from '../../git/git-caller.ts';
import { foundIn } from '../../git/trees/found-in-tree.ts';
import { untilNobodyWorks } from '../../git/trees/left-at-work.ts';
import { resetTree } from '../../git/trees/reset-tree.ts';
import { entriesOf, freeEntry, leadsTo } from '../../git/trees/tree-entries.ts';
import { isMarked } from '../../git/trees/tree-marker.ts';
import { endBeginning, noteBeginning, readBeginning, readNote } from '../../git/trees/tree-note.ts';
import { commitOf, tipOf } from '../../git/trees/trees.ts';
import { differing, hasMore } from './keep-changes.ts';
import { noteResults } from './notes-of-trees.ts';

export interface ResultsTree {
  readonly folder: string;
  /** The branch on which the results are. */
  readonly results: string;
  /** The branch for what a person has changed there, or the beginning of its name. */
  readonly keepOn: string;
  readonly message: string;
  readonly isApart: (path: Buffer) => boolean;
}

export interface FollowedResults {
  /** Where the results are. */
  readonly base: string;
  /** What was changed there is on this branch; null: nothing was. */
  readonly keptOn: string | null;
}

/** Nobody of ours works there. */
export async function followResults(repository: GitCaller, tree: ResultsTree): Promise<FollowedResults> {
  const { folder } = tree;
  const base = await tipOf(repository, tree.results);
  await untilNobodyWorks(repository, folder);
  const [before] = entriesOf(repository, folder);
  const isKnown = before !== undefined && isMarked(before) && leadsTo(folder, before);
  if (isKnown) freeEntry(before);
  const keptOn = isKnown ? await keep(repository, tree, before).catch(inBrokenTree) : null;
  if (isKnown) noteBeginning(before, [...(readBeginning(before) ?? []), base]);
  const entry = await resetTree(repository, { folder, commit: base });
  await noteResults(repository, tree);
  endBeginning(entry);
  return { base, keptOn };
}

/** It is made anew. */
function inBrokenTree(error: unknown): null {
  if (error instanceof GitTrouble) return null;
  throw error;
}

async function keep(repository: GitCaller, tree: ResultsTree, entry: string): Promise<string | null> {
  const { folder, results, keepOn } = tree;
  const save = (everything: string) =>
    saveTree(repository, { ...tree, branch: results, wanted: keepOn, tree: everything });
  const begun = readBeginning(entry);
  if (begun !== null) {
    const everything = await treeOfEverything(repository, tree);
    return (await hasMore(repository, { everything, folder, commits: begun })) ? save(everything) : null;
  }
  const note = readNote(entry);
  const isMoved = note !== null && (await commitOf(repository, 'HEAD', folder)) !== note.head;
  const found = await foundIn(repository, tree);
  if (!isMoved && differing(note?.found ?? {}, found).length === 0) return null;
  return save(await treeOfEverything(repository, tree));
}
