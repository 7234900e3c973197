// Trees of runs: those that belong to nothing any more, how much disk they take, and locks that killed processes left in them.
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { quoted } from '../../core/model/command-line.ts';
import { countWords } from '../../core/model/count-words.ts';
import { findGitFolders } from '../../git/git-folders.ts';
import { type BrokenTree, brokenTrees, pathsOf } from '../../git/trees/broken-trees.ts';
import { workspaceOfTree } from '../../git/trees/tree-marker.ts';
import { realPath } from '../files/real-path.ts';
import type { StoreDoor } from '../open-store.ts';
import type { DoctorCheck } from '../reports/health.ts';
import type { Workspace } from '../workspace.ts';

/** All trees of one plan. */
interface TreesFolder {
  readonly folder: string;
  readonly trees: readonly string[];
  /** Those that git could no longer work in. */
  readonly broken: readonly BrokenTree[];
  /** The workspace that they were made for; null: it or its repository is gone. */
  readonly root: string | null;
}

export async function checkTrees(workspace: Workspace, store: Pick<StoreDoor, 'open'>): Promise<DoctorCheck[]> {
  const known = await knownFolders(store);
  const own = (root: string | null) => root !== null && realPath(root) === realPath(workspace.root);
  const found = [...new Set([...inUserFolder(workspace.userFolder), ...known])].map(treesIn).filter(hasTrees);
  const mine = found.filter(({ folder, root }) => own(root) || known.has(folder));
  return [
    ...found.filter((one) => one.root === null && !(known.has(one.folder) && one.trees.length === 0)).map(lost),
    ...mine.filter(({ folder, root }) => root !== null && !known.has(folder)).map(unknown),
    ...(mine.length > 0 ? [size(mine)] : []),
    ...mine.flatMap(({ trees }) => trees.flatMap(staleLock)),
    ...mine.flatMap(({ broken }) => broken.map(moved)),
  ];
}

/** Of the runs that the store knows. One that cannot be read is told about elsewhere. */
async function knownFolders(door: Pick<StoreDoor, 'open'>): Promise<ReadonlySet<string>> {
  const store = await door.open(false).catch(() => null);
  const folders = await store?.read(({ plans }) => [...plans.values()].map(({ run }) => run?.isolation?.trees));
  return new Set((folders ?? []).flatMap((folder) => (folder === undefined ? [] : [realPath(folder)])));
}

/** A folder for each workspace, and in it one for each plan. */
function inUserFolder(userFolder: string | null): string[] {
  if (userFolder === null) return [];
  const top = realPath(join(userFolder, 'trees'));
  return foldersIn(top).flatMap(foldersIn);
}

function treesIn(folder: string): TreesFolder {
  const broken = brokenTrees(join(folder, 'tasks'));
  const aside = new Set(broken.flatMap(pathsOf));
  const trees = [...foldersIn(folder), ...foldersIn(join(folder, 'tasks'))].filter(
    (tree) => statsOf(join(tree, '.git')) !== null && !aside.has(tree),
  );
  const roots = trees.map((tree) => workspaceOfTree(tree)?.root ?? null);
  return { folder, trees, broken, root: roots.find((root) => root !== null) ?? null };
}

const hasTrees = ({ trees, broken }: TreesFolder): boolean => trees.length + broken.length > 0;

function lost({ folder, trees, broken }: TreesFolder): DoctorCheck {
  return {
    id: 'trees-lost',
    status: 'warning',
    message: `${countWords(trees.length + broken.length, 'tree')} in ${folder}: their workspace or repository is gone (${diskWords([folder])})`,
    help: `look for work that you still need, then remove them: rm -r ${quoted(folder)}`,
  };
}

function unknown({ folder, trees }: TreesFolder): DoctorCheck {
  const [first] = trees;
  return {
    id: 'trees-unknown',
    status: 'warning',
    message: `${countWords(trees.length, 'tree')} in ${folder}: no run of this workspace knows them (${diskWords([folder])})`,
    help: `look for work that you still need, then remove each: git worktree remove ${quoted(first!)}`,
  };
}

const gigabyte = 1024 ** 3;
const much = 10 * gigabyte;

function size(folders: readonly TreesFolder[]): DoctorCheck {
  const id = 'trees-size';
  const paths = folders.map(({ folder }) => folder);
  const count = folders.reduce((sum, { trees }) => sum + trees.length, 0);
  const message = `runs have ${countWords(count, 'tree')}, ${diskWords(paths)} on the disk`;
  if (diskUse(paths).bytes < much) return { id, status: 'ok', message };
  return { id, status: 'warning', message, help: 'see what can go: signalbox clean' };
}

function moved(broken: BrokenTree): DoctorCheck {
  return {
    id: 'tree-broken',
    status: 'warning',
    message: `git could no longer work in a tree, and its files were moved to ${broken.folder} (${diskWords(pathsOf(broken).filter((path) => statsOf(path)?.isDirectory()))})`,
    help: 'see what is only there, and remove what is not: signalbox clean',
  };
}

/** Git holds it for moments; what is older was left by a process that was killed. */
const staleMs = 10 * 60_000;

function staleLock(tree: string): DoctorCheck[] {
  const folders = findGitFolders(tree);
  const lock = folders === null ? null : join(folders.own, 'index.lock');
  const stats = lock === null ? null : statsOf(lock);
  if (lock === null || stats === null || Date.now() - stats.mtimeMs < staleMs) return [];
  return [
    {
      id: 'tree-lock',
      status: 'warning',
      message: `git cannot change ${tree}: a process that was killed has left ${lock}`,
      help: `when no git runs there: rm ${quoted(lock)}`,
    },
  ];
}

/** Some 300 ms. */
const mostEntries = 50_000;

/** What is there, without following links; more than can be looked at is not counted. */
function diskUse(folders: readonly string[]): { readonly bytes: number; readonly isWhole: boolean } {
  const open = [...folders];
  let [bytes, entries] = [0, 0];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const name of namesIn(folder)) {
      if (++entries > mostEntries) return { bytes, isWhole: false };
      const path = join(folder, name);
      const stats = statsOf(path);
      if (stats?.isDirectory()) open.push(path);
      bytes += (stats?.blocks ?? 0) * 512;
    }
  }
  return { bytes, isWhole: true };
}

function diskWords(folders: readonly string[]): string {
  const { bytes, isWhole } = diskUse(folders);
  const words = bytes >= gigabyte ? `${(bytes / gigabyte).toFixed(1)} GB` : `${Math.ceil(bytes / 1024 ** 2)} MB`;
  return isWhole ? words : `more than ${words}`;
}

const foldersIn = (folder: string): string[] =>
  namesIn(folder)
    .map((name) => join(folder, name))
    .filter((path) => statsOf(path)?.isDirectory());

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // not there, or not for us
  }
}

/** Of a link, its own. */
function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
