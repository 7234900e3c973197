// A merge without a work tree: two commits become a tree, the tree a commit, and the branch moves to it in one step or not at all.
// Nothing half-merged ever exists. Whoever is killed in between has moved nothing.
import { type GitCaller, splitNames } from '../git-caller.ts';
import { listTrees } from '../trees/trees.ts';
import { moveBranch } from './branches.ts';

export type Merged =
  /** @param files that the merge changes on the branch */
  | { readonly kind: 'clean'; readonly tree: string; readonly files: readonly string[] }
  /** @param tree with the marks of the conflicts in it */
  | { readonly kind: 'conflict'; readonly tree: string; readonly files: readonly string[] }
  /** One side changed these files, the other did not, and the result has them as they were before. */
  | { readonly kind: 'reverts'; readonly files: readonly string[] };

/** @param tip of the branch @param head what is merged into it */
export async function mergeInto(repository: GitCaller, tip: string, head: string): Promise<Merged> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', tip, head];
  const { bytes, code } = await repository.run({ args, answers: [0, 1] });
  const [tree, ...conflicts] = splitNames(bytes).map(String);
  if (code === 1) return { kind: 'conflict', tree: tree!, files: [...new Set(conflicts)] };
  const { reverted } = await silentReverts(repository, { ours: tip, theirs: head, result: tree! });
  if (reverted.length > 0) return { kind: 'reverts', files: reverted.map(readable) };
  return { kind: 'clean', tree: tree!, files: await filesBetween(repository, tip, tree!) };
}

/** That differ between two commits or trees. */
export const filesBetween = async (repository: GitCaller, from: string, to: string): Promise<string[]> =>
  [...(await changed(repository, from, to))].map(readable);

/** Where two lines of commits have parted; null: they have nothing in common. */
export async function forkOf(repository: GitCaller, one: string, other: string): Promise<string | null> {
  const { bytes, code } = await repository.run({ args: ['merge-base', one, other], answers: [0, 1] });
  return code === 0 ? bytes.toString('latin1').trim() : null;
}

/** Of these files, those that both have changed since they parted. */
export async function changedByBoth(
  repository: GitCaller,
  [one, other]: readonly [string, string],
  files: readonly string[],
): Promise<string[]> {
  const fork = files.length === 0 ? null : await forkOf(repository, one, other);
  if (fork === null) return [];
  const byOne = new Set(await filesBetween(repository, fork, one));
  const byOther = new Set(await filesBetween(repository, fork, other));
  return files.filter((file) => byOne.has(file) && byOther.has(file));
}

/** The merge on a branch that brought a commit into it, and what the branch was before; null: none did. */
export async function mergeOf(
  repository: GitCaller,
  head: string,
  tip: string,
): Promise<{ readonly commit: string; readonly before: string } | null> {
  const args = ['rev-list', '--first-parent', '--min-parents=2', '--parents', `${head}..${tip}`];
  const merges = (await repository.line({ args })).split('\n').map((line) => line.split(' '));
  const found = merges.find(([, , second]) => second === head);
  return found === undefined ? null : { commit: found[0]!, before: found[1]! };
}

/**
 * Merges that were made by somebody else on the way to a commit: an agent that resolved a conflict may have thrown changes away. What a
 * later commit has mended does not count, nor what the branch has the same way.
 * @param since where the way began
 */
export async function revertsIn(
  repository: GitCaller,
  { since, tip, head }: { readonly since: string; readonly tip: string; readonly head: string },
): Promise<string[]> {
  const args = ['rev-list', '--min-parents=2', '--parents', head, `^${since}`, `^${tip}`];
  const merges = (await repository.line({ args })).split('\n').filter((one) => one !== '');
  const files = new Set<string>();
  for (const merge of merges) {
    const [result, ours, ...others] = merge.split(' ') as [string, string, ...string[]];
    for (const theirs of others) {
      const { base, reverted } = await silentReverts(repository, { ours, theirs, result });
      if (reverted.length === 0) continue;
      const [mended, different] = [await changed(repository, base!, head), await changed(repository, tip, head)];
      for (const path of reverted) if (!mended.has(path) && different.has(path)) files.add(readable(path));
    }
  }
  return [...files];
}

interface Sides {
  readonly ours: string;
  readonly theirs: string;
  /** A tree or a commit. */
  readonly result: string;
}

/** Paths as latin1, byte for byte. */
async function silentReverts(
  repository: GitCaller,
  { ours, theirs, result }: Sides,
): Promise<{ readonly base: string | null; readonly reverted: readonly string[] }> {
  const { bytes } = await repository.run({ args: ['merge-base', '--all', ours, theirs], answers: [0, 1] });
  const [base = '', ...more] = bytes.toString('latin1').trim().split('\n');
  // Without one of its own, or with several, nobody can say what each side has changed.
  if (base === '' || more.length > 0) return { base: null, reverted: [] };
  const byOurs = await changed(repository, base, ours);
  const byTheirs = await changed(repository, base, theirs);
  const inResult = await changed(repository, base, result);
  const one = [...byOurs].filter((path) => !byTheirs.has(path));
  const other = [...byTheirs].filter((path) => !byOurs.has(path));
  return { base, reverted: [...one, ...other].filter((path) => !inResult.has(path)) };
}

/** Paths as latin1, byte for byte. */
async function changed(repository: GitCaller, from: string, to: string): Promise<Set<string>> {
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to];
  return new Set((await repository.names({ args })).map((path) => path.toString('latin1')));
}

const readable = (path: string): string => Buffer.from(path, 'latin1').toString('utf8');

export type Landed =
  | { readonly kind: 'landed'; readonly commit: string }
  /** Somebody else was faster; the caller begins again. */
  | { readonly kind: 'moved' }
  /** A branch that is checked out is not moved: that checkout would show everything as undone. */
  | { readonly kind: 'checked-out'; readonly folder: string };

/** In one step from the commit where it stood, or not at all. */
export async function advanceBranch(
  repository: GitCaller,
  { branch, tip, commit }: { readonly branch: string; readonly tip: string; readonly commit: string },
): Promise<Landed> {
  const folder = await checkoutOf(repository, branch);
  if (folder !== null) return { kind: 'checked-out', folder };
  const isMoved = await moveBranch(repository, { branch, from: tip, to: commit, note: 'signalbox: merge' });
  return isMoved ? { kind: 'landed', commit } : { kind: 'moved' };
}

/** Where a branch is checked out; null: nowhere. */
export const checkoutOf = async (repository: GitCaller, branch: string): Promise<string | null> =>
  (await listTrees(repository)).find((one) => one.branch === branch)?.folder ?? null;

/** Whether everything of a commit is on the branch. */
export async function isContained(repository: GitCaller, head: string, tip: string): Promise<boolean> {
  const { code } = await repository.run({ args: ['merge-base', '--is-ancestor', head, tip], answers: [0, 1] });
  return code === 0;
}
