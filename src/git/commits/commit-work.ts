// What is in a tree becomes a commit on its branch, in the name of the configured identity or a default one, unsigned. No hook and no
// filter of the repository runs. Some things are never committed, and are named instead: repositories inside of the tree, new links that
// lead out of it, files with secrets, and what the caller sets apart.
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { LeftFile } from '../../core/model/failure.ts';
import type { Committer } from '../../core/model/run-event.ts';
import type { GitCaller } from '../git-caller.ts';
import type { Overrides } from '../switched-off.ts';
import { commitOf } from '../trees/trees.ts';
import { openOperations } from './open-operations.ts';
import { pastStaleLock } from './ref-lock.ts';

export interface WorkInTree {
  readonly folder: string;
  /** Checked out there, without `refs/heads/`; null: none is. */
  readonly branch: string | null;
  readonly message: string;
  /** Whether it never counts, by its path from the top of the tree. */
  readonly isApart: (path: Buffer) => boolean;
}

export type Committed =
  | {
      readonly kind: 'committed';
      readonly head: string;
      /** What stays in the tree without being committed, with the reason. */
      readonly left: readonly LeftFile[];
    }
  /** The tree is not as an attempt may leave it. As the end of a sentence. */
  | { readonly kind: 'unfit'; readonly because: string }
  /** A merge was begun in it, and these files still have its marks. */
  | { readonly kind: 'unresolved'; readonly files: readonly string[] };

export async function commitWork(repository: GitCaller, work: WorkInTree): Promise<Committed> {
  const { folder, branch } = work;
  const unfit = await whyUnfit(repository, folder, branch);
  if (unfit !== null) return { kind: 'unfit', because: unfit };
  const merging = await commitOf(repository, 'MERGE_HEAD', folder);
  const unmerged = await unmergedFiles(repository, folder);
  const marked = unmerged.filter((path) => hasMarks(folder, path));
  if (marked.length > 0) return { kind: 'unresolved', files: marked.map(String) };
  const { paths, left } = await changedPaths(repository, work);
  if (paths.length > 0) {
    const args = ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'];
    await repository.run({ args, input: Buffer.concat(paths.flatMap((path) => [path, end])) }, folder);
  }
  const parent = (await commitOf(repository, 'HEAD', folder))!;
  const tree = await repository.line({ args: ['write-tree'] }, folder);
  const before = await repository.line({ args: ['rev-parse', 'HEAD^{tree}'] }, folder);
  if (tree === before && merging === null) return { kind: 'committed', head: parent, left };
  const parents = merging === null ? [parent] : [parent, merging];
  const head = await commitTree(repository, { tree, parents, message: work.message }, folder);
  const move = (settings: Overrides = []) =>
    repository.run({ args: ['update-ref', 'HEAD', head, parent], settings }, folder);
  await (branch === null ? move() : pastStaleLock(repository, `refs/heads/${branch}`, move));
  if (merging !== null) await repository.run({ args: ['merge', '--quit'] }, folder);
  return { kind: 'committed', head, left };
}

const end = Buffer.of(0);

/** @param parents the first is the branch's own */
export async function commitTree(
  repository: GitCaller,
  { tree, parents, message }: { readonly tree: string; readonly parents: readonly string[]; readonly message: string },
  cwd?: string,
): Promise<string> {
  const variables = await identity(repository);
  const args = ['commit-tree', ...parents.flatMap((parent) => ['-p', parent]), tree];
  return repository.line({ args, variables, input: Buffer.from(message) }, cwd);
}

/** All four together: one that is missing would make git guess it from the machine. */
export const identity = async (repository: GitCaller): Promise<Record<string, string>> =>
  variablesOf(await committerIn(repository));

/** For others who commit there: nothing where git knows a name and an address, else all four variables. */
export async function missingIdentity(repository: GitCaller): Promise<Record<string, string>> {
  const { name, email } = await committerIn(repository);
  return name === ours.name && email === ours.email ? variablesOf(ours) : {};
}

/** Whoever works in the repository can change its configuration, so a run asks once, at its start. */
export const committerIn = async (repository: GitCaller): Promise<Committer> =>
  repository.place.committer ?? (await configured(repository)) ?? ours;

const ours: Committer = { name: 'Signalbox', email: 'signalbox@localhost' };

/** Null: a name or an address is missing. */
async function configured(repository: GitCaller): Promise<Committer | null> {
  const args = ['config', '--null', '--get-regexp', '^user.(name|email)$'];
  const { bytes } = await repository.run({ args, answers: [0, 1] });
  const said = bytes.toString('utf8').split('\0');
  // Of several the last one counts.
  const get = (key: string) => {
    const found = said.findLast((one) => one.startsWith(`${key}\n`));
    return found?.slice(key.length + 1).trim() ?? '';
  };
  const [name, email] = [get('user.name'), get('user.email')];
  return name === '' || email === '' ? null : { name, email };
}

const variablesOf = ({ name, email }: Committer): Record<string, string> => ({
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: email,
  GIT_COMMITTER_NAME: name,
  GIT_COMMITTER_EMAIL: email,
});

async function whyUnfit(repository: GitCaller, folder: string, branch: string | null): Promise<string | null> {
  const args = ['symbolic-ref', '--quiet', 'HEAD'];
  const { bytes } = await repository.run({ args, answers: [0, 1] }, folder);
  const found = bytes
    .toString('utf8')
    .trim()
    .replace(/^refs\/heads\//, '');
  if (found !== (branch ?? ''))
    return `its folder is on ${found === '' ? 'no branch' : `branch ${found}`}, and not on ${branch ?? 'none'}`;
  // A merge is ended for whoever began it.
  const begun = (await openOperations(repository, folder)).find((one) => one !== 'a merge');
  return begun === undefined ? null : `${begun} was begun in its folder and not ended`;
}

export async function unmergedFiles(repository: GitCaller, folder: string): Promise<Buffer[]> {
  const listed = await repository.names({ args: ['ls-files', '-z', '--unmerged'] }, folder);
  const paths = listed.map((one) => one.subarray(one.indexOf(0x09) + 1).toString('latin1'));
  return [...new Set(paths)].map((path) => Buffer.from(path, 'latin1'));
}

/** Of a conflict, as git writes them into a file. */
function hasMarks(folder: string, path: Buffer): boolean {
  const file = Buffer.concat([Buffer.from(`${folder}/`), path]);
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return false;
  return /^(?:<{7} |>{7} )/m.test(readFileSync(file, 'latin1'));
}

/** What would be committed, and what would be left. */
export async function changedPaths(
  repository: GitCaller,
  { folder, isApart }: Pick<WorkInTree, 'folder' | 'isApart'>,
): Promise<{ paths: Buffer[]; left: LeftFile[] }> {
  const list = (...args: string[]) => repository.names({ args: ['ls-files', '-z', '--deduplicate', ...args] }, folder);
  const tracked = (await list('--modified', '--deleted')).filter((path) => !isApart(path));
  const left: LeftFile[] = [];
  const added = (await list('--others', '--exclude-standard')).filter((path) => {
    if (isApart(path)) return false;
    const because = whyLeftOut(folder, path);
    if (because !== null) left.push({ path: path.toString('utf8'), because });
    return because === null;
  });
  return { paths: [...tracked, ...added], left };
}

/** Of a new file; null: it is committed. */
export function whyLeftOut(folder: string, path: Buffer): LeftFile['because'] | null {
  if (path.at(-1) === 0x2f) return 'repository';
  const name = path.toString('utf8');
  if (/(?:^|\/)\.env(?:\.(?!example$|sample$|template$|dist$)[^/]*)?$/.test(name)) return 'secret';
  const file = Buffer.concat([Buffer.from(`${folder}/`), path]);
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return null;
  const target = resolve(dirname(join(folder, name)), readlinkSync(file, 'utf8'));
  return relative(folder, target).startsWith('..') ? 'link' : null;
}
