// Trees that git could no longer work in, moved aside by `recoverTree`: what they still have that no commit has, and removing them.
//
//   api.broken-1        the files
//   api.broken-1.git    what was git's own folder of the tree; .git2 and so on where there were several
import { copyFileSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listWords } from '../../core/model/count-words.ts';
import { type GitCaller, GitTrouble } from '../git-caller.ts';
import { findGitFolders } from '../git-folders.ts';
import { removeFolder } from './tree-entries.ts';
import { commitOf } from './trees.ts';

export interface BrokenTree {
  /** Without its end: the folder of the tree that it was. */
  readonly of: string;
  readonly folder: string;
  /** What was git's own; some or all of these two may be gone. */
  readonly entries: readonly string[];
}

/** @param folder in which trees lie */
export function brokenTrees(folder: string): BrokenTree[] {
  const found = new Map<string, BrokenTree>();
  for (const name of namesIn(folder)) {
    const [, whole, of, entry] = /^((.+)\.broken-\d+)(\.git\d*)?$/.exec(name) ?? [];
    if (whole === undefined || of === undefined) continue;
    const known = found.get(whole) ?? { of, folder: join(folder, whole), entries: [] };
    found.set(whole, entry === undefined ? known : { ...known, entries: [...known.entries, join(folder, name)] });
  }
  return [...found.values()];
}

export const pathsOf = ({ folder, entries }: BrokenTree): string[] =>
  [folder, ...entries].filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);

/**
 * What would be lost with it, as the end of a sentence; null: all that it has is in commits of branches. Ignored files do not count.
 * @param commits that may have its content
 */
export async function whatIsOnlyIn(
  repository: GitCaller,
  broken: BrokenTree,
  commits: readonly string[],
): Promise<string | null> {
  for (const path of pathsOf(broken))
    if (!lstatSync(path).isDirectory()) return `${path} is no plain folder, and nobody looks behind it`;
  if (lstatSync(join(broken.folder, '.git'), { throwIfNoEntry: false })?.isDirectory())
    return 'it has a repository of its own';
  for (const entry of broken.entries) {
    // Their commits are kept there, and go with it.
    if (existsSync(join(entry, 'modules')))
      return 'it has submodules, and nobody knows whether their commits are elsewhere';
    const head = await headOf(repository, entry);
    if (head !== null && !(await isOnBranch(repository, head)))
      return `it stands at a commit that is on no branch: git branch NAME ${head.slice(0, 12)} keeps that`;
  }
  const differing = await Promise.all(commits.map((commit) => differences(repository, broken, commit)));
  const [fewest] = differing.sort((a, b) => a.length - b.length);
  if (fewest === undefined) return 'nobody knows which commits it belongs to';
  return fewest.length === 0 ? null : `it has what is in no commit: ${listWords(fewest)}`;
}

/** The files first: whoever is killed in between finds the rest again. @returns what is in the way; null: it is removed */
export function removeBroken(broken: BrokenTree): string | null {
  try {
    for (const path of pathsOf(broken)) removeFolder(path);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Null: it names no commit that is still there. */
function headOf(repository: GitCaller, entry: string): Promise<string | null> | null {
  const file = join(entry, 'HEAD');
  const text = lstatSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, 'utf8').trim() : '';
  return /^[0-9a-f]{40,64}$/.test(text) ? commitOf(repository, text) : null;
}

async function isOnBranch(repository: GitCaller, commit: string): Promise<boolean> {
  const args = ['for-each-ref', '--count=1', '--format=%(refname)', '--contains', commit];
  return (await repository.line({ args })) !== '';
}

/** Files that are not as the commit has them, or not in it. What is missing is not lost: the commit has it. */
async function differences(repository: GitCaller, broken: BrokenTree, commit: string): Promise<string[]> {
  const temporary = mkdtempSync(join(tmpdir(), 'signalbox-broken-'));
  const folders = findGitFolders(repository.place.root);
  if (folders === null) throw new GitTrouble(`${repository.place.root} is in no repository`);
  try {
    const found: Buffer[] = [];
    for (const [i, entry] of broken.entries.entries())
      found.push(...(await stagedIn(repository, { entry, copy: join(temporary, `staged-${i}`), commit })));
    if (existsSync(broken.folder)) {
      const variables = {
        ...{ GIT_DIR: folders.common, GIT_WORK_TREE: broken.folder },
        GIT_INDEX_FILE: join(temporary, 'index'),
      };
      const list = (...args: string[]) =>
        repository.names({ args: ['ls-files', '-z', ...args], variables }, broken.folder);
      await repository.run({ args: ['read-tree', commit], variables }, broken.folder);
      const gone = new Set((await list('--deleted')).map((path) => path.toString('latin1')));
      const changed = await list('--modified', '--others', '--exclude-standard');
      found.push(...changed.filter((path) => !gone.has(path.toString('latin1'))));
    }
    return [...new Set(found.map(String))].sort();
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** An index that git cannot read has nothing that anybody could get out of it. */
async function stagedIn(
  repository: GitCaller,
  { entry, copy, commit }: { readonly entry: string; readonly copy: string; readonly commit: string },
): Promise<Buffer[]> {
  const index = join(entry, 'index');
  if (!lstatSync(index, { throwIfNoEntry: false })?.isFile()) return [];
  copyFileSync(index, copy);
  const args = ['diff-index', '--cached', '--name-only', '--diff-filter=d', '-z', commit];
  try {
    return await repository.names({ args, variables: { GIT_INDEX_FILE: copy } });
  } catch (error) {
    if (error instanceof GitTrouble) return [];
    throw error;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // not there, or not for us
  }
}
