// A merge without a work tree: two commits become a tree, the tree a commit, and the branch moves to it in one step or not at all.
// Nothing half-merged ever exists. Whoever is killed in between has moved nothing.
import { commitTree } from './commit-work.ts';
import { type GitCaller, GitTrouble, splitNames } from './git-caller.ts';
import { commitOf, listTrees } from './trees.ts';

export type Merged =
  /** @param files that the merge changes on the branch */
  | { readonly kind: 'clean'; readonly tree: string; readonly files: readonly string[] }
  | { readonly kind: 'conflict'; readonly files: readonly string[] }
  /** One side changed these files, the other did not, and the result has them as they were before. */
  | { readonly kind: 'reverts'; readonly files: readonly string[] };

/** @param tip of the branch @param head what is merged into it */
export async function mergeInto(repository: GitCaller, tip: string, head: string): Promise<Merged> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', tip, head];
  const { bytes, code } = await repository.run({ args, answers: [0, 1] });
  const [tree, ...conflicts] = splitNames(bytes).map(String);
  if (code === 1) return { kind: 'conflict', files: [...new Set(conflicts)] };
  const reverted = await silentReverts(repository, { ours: tip, theirs: head, result: tree! });
  if (reverted.length > 0) return { kind: 'reverts', files: reverted };
  const files = await repository.names({ args: ['diff-tree', '-r', '-z', '--name-only', '--no-renames', tip, tree!] });
  return { kind: 'clean', tree: tree!, files: files.map(String) };
}

/** Merges that were made by somebody else on the way to a commit: an agent that resolved a conflict may have thrown changes away. */
export async function revertsIn(repository: GitCaller, since: string, head: string): Promise<string[]> {
  const args = ['rev-list', '--min-parents=2', '--max-parents=2', '--parents', `${since}..${head}`];
  const merges = (await repository.line({ args })).split('\n').filter((one) => one !== '');
  const files = new Set<string>();
  for (const merge of merges) {
    const [result, ours, theirs] = merge.split(' ') as [string, string, string];
    for (const file of await silentReverts(repository, { ours, theirs, result })) files.add(file);
  }
  return [...files];
}

interface Sides {
  readonly ours: string;
  readonly theirs: string;
  /** A tree or a commit. */
  readonly result: string;
}

async function silentReverts(repository: GitCaller, { ours, theirs, result }: Sides): Promise<string[]> {
  const base = (await repository.line({ args: ['merge-base', '--all', ours, theirs] })).split('\n');
  // Without one of its own, or with several, nobody can say what each side has changed.
  if (base.length !== 1 || base[0] === '') return [];
  const changed = async (to: string) => {
    const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', base[0]!, to];
    return new Set((await repository.names({ args })).map((path) => path.toString('latin1')));
  };
  const [byOurs, byTheirs, inResult] = [await changed(ours), await changed(theirs), await changed(result)];
  const one = [...byOurs].filter((path) => !byTheirs.has(path));
  const other = [...byTheirs].filter((path) => !byOurs.has(path));
  return [...one, ...other]
    .filter((path) => !inResult.has(path))
    .map((path) => Buffer.from(path, 'latin1').toString('utf8'));
}

export interface Landing {
  /** Without `refs/heads/`. */
  readonly branch: string;
  readonly tip: string;
  readonly head: string;
  readonly tree: string;
  readonly message: string;
}

export type Landed =
  | { readonly kind: 'landed'; readonly commit: string }
  /** Somebody else was faster; the caller begins again. */
  | { readonly kind: 'moved' }
  /** A branch that is checked out is not moved: that checkout would show everything as undone. */
  | { readonly kind: 'checked-out'; readonly folder: string };

export async function land(repository: GitCaller, { branch, tip, head, tree, message }: Landing): Promise<Landed> {
  const there = (await listTrees(repository)).find((one) => one.branch === branch);
  if (there) return { kind: 'checked-out', folder: there.folder };
  const commit = await commitTree(repository, { tree, parents: [tip, head], message });
  const ref = `refs/heads/${branch}`;
  try {
    await repository.run({ args: ['update-ref', '--create-reflog', '-m', 'signalbox: merge', ref, commit, tip] });
  } catch (error) {
    if (!(error instanceof GitTrouble) || (await commitOf(repository, ref)) === tip) throw error;
    return { kind: 'moved' };
  }
  return { kind: 'landed', commit };
}

/** Whether everything of a commit is on the branch. */
export async function isContained(repository: GitCaller, head: string, tip: string): Promise<boolean> {
  const { code } = await repository.run({ args: ['merge-base', '--is-ancestor', head, tip], answers: [0, 1] });
  return code === 0;
}
