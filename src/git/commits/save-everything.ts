// Everything in a tree as one commit on a branch beside that of its attempt: `<branch>.left`, then `.left-2` and so on. It has an index of
// its own, because that of the tree may be in the middle of something. What is never committed stays where it is.
import { copyFileSync, lstatSync } from 'node:fs';
import { resolve } from 'node:path';
import { GitCaller } from '../git-caller.ts';
import { commitOf } from '../trees/trees.ts';
import { setBranch } from './branches.ts';
import { changedPaths, commitTree, type WorkInTree } from './commit-work.ts';
import { isContained } from './merge.ts';

export interface EverythingIn extends Pick<WorkInTree, 'folder' | 'isApart' | 'message'> {
  /** Of the attempt, without `refs/heads/`. */
  readonly branch: string;
}

/** The tree of git that has all of it. */
export async function treeOfEverything(
  { place }: GitCaller,
  { folder, isApart }: Pick<EverythingIn, 'folder' | 'isApart'>,
): Promise<string> {
  const plain = new GitCaller(place);
  const [theirs, own] = (
    await plain.line({ args: ['rev-parse', ...gitPaths('index', 'signalbox-left.index')] }, folder)
  )
    .split('\n')
    .map((path) => resolve(folder, path));
  // It knows which files have not changed.
  if (lstatSync(theirs!, { throwIfNoEntry: false })) copyFileSync(theirs!, own!);
  const repository = new GitCaller(place, { variables: { GIT_INDEX_FILE: own! } });
  await repository.run({ args: ['read-tree', '--reset', 'HEAD'] }, folder);
  const { paths } = await changedPaths(repository, { folder, isApart });
  const args = ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'];
  const input = Buffer.concat(paths.flatMap((path) => [path, Buffer.of(0)]));
  if (input.length > 0) await repository.run({ args, input }, folder);
  return repository.line({ args: ['write-tree'] }, folder);
}

const gitPaths = (...names: readonly string[]): string[] => names.flatMap((name) => ['--git-path', name]);

/** @returns the branch that was made; null: all of it is on a branch of the attempt already */
export async function saveEverything(repository: GitCaller, everything: EverythingIn): Promise<string | null> {
  const { folder } = everything;
  if ((await commitOf(repository, 'HEAD', folder)) === null) return null;
  return saveTree(repository, { ...everything, tree: await treeOfEverything(repository, everything) });
}

/** @param everything with the tree of git that is in the folder, and the name that its branch gets if it is free */
export async function saveTree(
  repository: GitCaller,
  {
    folder,
    branch,
    message,
    tree,
    wanted = `${branch}.left`,
  }: EverythingIn & { readonly tree: string; readonly wanted?: string },
): Promise<string | null> {
  const parent = await repository.line({ args: ['rev-parse', 'HEAD'] }, folder);
  const tip = await commitOf(repository, `refs/heads/${branch}`);
  const isCommitted = tree === (await repository.line({ args: ['rev-parse', 'HEAD^{tree}'] }, folder));
  if (isCommitted && tip !== null && (await isContained(repository, parent, tip))) return null;
  const name = await freeName(repository, wanted, `${tree} ${parent}`);
  if (name === null) return null;
  await setBranch(repository, name, await commitTree(repository, { tree, parents: [parent], message }, folder));
  return name;
}

/** Commits that no branch would have any more. */
export async function saveCommit(repository: GitCaller, branch: string, commit: string): Promise<void> {
  const content = await repository.line({ args: ['log', '-1', '--format=%T %P', commit] });
  const name = await freeName(repository, `${branch}.left`, content);
  if (name !== null) await setBranch(repository, name, commit);
}

/** Null: one of them has the very same, as when a step is repeated. */
async function freeName(repository: GitCaller, wanted: string, content: string): Promise<string | null> {
  const format = '--format=%(refname) %(tree) %(parent)';
  const args = ['for-each-ref', format, `refs/heads/${wanted}`, `refs/heads/${wanted}-*`];
  const taken = (await repository.line({ args })).split('\n').filter((line) => line !== '');
  if (taken.some((line) => line.endsWith(` ${content}`))) return null;
  const names = new Set(taken.map((line) => line.split(' ')[0]));
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted}-${n}`;
    if (!names.has(`refs/heads/${name}`)) return name;
  }
}
