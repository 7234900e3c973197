// What kind of ground a workspace stands on: whether runs can have worktrees there, and what a person should know before. It only looks.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hasGit } from '../git.ts';
import { type GitCaller, GitTrouble, splitNames } from '../git-caller.ts';
import { commitOf } from '../trees/trees.ts';
import { clashesIn } from './name-clashes.ts';
import { setApart } from './set-apart.ts';

/** Merges without a work tree came with it. */
export const oldestGit = '2.38';

/** Why there can be no worktrees. */
export type BadGround =
  | { readonly kind: 'no-git' }
  | { readonly kind: 'old-git'; readonly version: string }
  | { readonly kind: 'no-repository' }
  /** There is one, and git does not use it. As the end of a sentence. */
  | { readonly kind: 'unusable'; readonly because: string }
  /** A bare repository, or the inside of `.git`. */
  | { readonly kind: 'no-work-tree' }
  | { readonly kind: 'no-commit' };

export interface GoodGround {
  readonly kind: 'good';
  readonly version: string;
  /** Absolute, without links. */
  readonly top: string;
  /** The workspace below it, with slashes; empty: it is the top itself. */
  readonly prefix: string;
  readonly head: string;
  /** Without `refs/heads/`; null: none is checked out. */
  readonly branch: string | null;
  /** The workspace is a worktree of another one. */
  readonly isLinked: boolean;
  readonly isShallow: boolean;
  readonly isSparse: boolean;
  /** Some objects are only at the remote. */
  readonly isPartial: boolean;
  readonly hasSubmodules: boolean;
  readonly hasLfs: boolean;
  /** The disk does not tell cases apart, as git found when the repository was made. */
  readonly ignoresCase: boolean;
  /** Tracked paths that are one where case is ignored: some pairs. */
  readonly clashes: readonly (readonly [string, string])[];
  /** Of the whole repository. */
  readonly dirty: { readonly tracked: number; readonly untracked: number };
  /** Hooks from elsewhere; null: they are in the repository. */
  readonly hooksPath: string | null;
}

export type Ground = BadGround | GoodGround;

/**
 * @param apart files and folders of the workspace that are nobody's change, such as what we write ourselves
 * @throws GitTrouble when git cannot tell
 */
export async function lookAtGround(caller: GitCaller, apart: readonly string[]): Promise<Ground> {
  if (!hasGit(caller.place)) return { kind: 'no-git' };
  const first = await firstLook(caller);
  if (first.kind !== 'work-tree') return first;
  const head = await commitOf(caller, 'HEAD');
  if (head === null) return { kind: 'no-commit' };
  const top = await text(caller, 'rev-parse', '--show-toplevel');
  const prefix = (await text(caller, 'rev-parse', '--show-prefix')).replace(/\/$/, '');
  const settings = await settingsOf(caller);
  const { paths, hasSubmodules } = await trackedIn(caller, top);
  return {
    kind: 'good',
    version: first.version,
    top,
    prefix,
    head,
    branch: await branchOf(caller),
    isLinked: await isLinked(caller),
    isShallow: first.isShallow,
    isSparse: isOn(settings.get('core.sparsecheckout')),
    isPartial: [...settings].some(([key, value]) => isPromise.test(key) && value !== 'false'),
    hasSubmodules,
    hasLfs: await hasLfs(caller, top, paths),
    ignoresCase: isOn(settings.get('core.ignorecase')),
    clashes: clashesIn(paths),
    dirty: await dirtIn(caller, setApart(prefix, apart)),
    hooksPath: settings.get('core.hookspath') ?? null,
  };
}

const isPromise = /^(?:extensions\.partialclone|remote\..*\.promisor)$/s;
const isOn = (value: string | undefined): boolean => value !== undefined && /^(?:true|yes|on|1|)$/i.test(value);

function isOlder(version: string, least: string): boolean {
  const [a, b] = [version, least].map((text) => text.split('.').map(Number)) as [number[], number[]];
  return a[0] === b[0] ? (a[1] ?? 0) < b[1]! : a[0]! < b[0]!;
}

/** What it prints, without the one line end that is not of the answer: names may end with spaces and line ends. */
async function text(caller: GitCaller, ...args: string[]): Promise<string> {
  const { bytes } = await caller.run({ args });
  return bytes.toString('utf8').replace(/\n$/, '');
}

type FirstLook = { readonly kind: 'work-tree'; readonly version: string; readonly isShallow: boolean };

/** Git says nothing at all, not even its version, where it finds a repository that it does not use. */
async function firstLook(caller: GitCaller): Promise<FirstLook | BadGround> {
  try {
    const version = /\d+\.\d+(?:\.\d+)*/.exec(await text(caller, 'version'))?.[0] ?? '0';
    if (isOlder(version, oldestGit)) return { kind: 'old-git', version };
    const words = await text(caller, 'rev-parse', '--is-inside-work-tree', '--is-shallow-repository');
    const [isInside, isShallow] = words.split('\n').map((word) => word === 'true');
    return isInside ? { kind: 'work-tree', version, isShallow: isShallow! } : { kind: 'no-work-tree' };
  } catch (error) {
    if (!(error instanceof GitTrouble)) throw error;
    if (/not a git repository \(or any/.test(error.message)) return { kind: 'no-repository' };
    return { kind: 'unusable', because: error.message };
  }
}

async function branchOf(caller: GitCaller): Promise<string | null> {
  const { bytes, code } = await caller.run({ args: ['symbolic-ref', '--quiet', 'HEAD'], answers: [0, 1] });
  const ref = bytes.toString('utf8').replace(/\n$/, '');
  return code === 0 && ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null;
}

/** Both are printed one behind the other, and a path may have line ends: the halves are compared. */
async function isLinked(caller: GitCaller): Promise<boolean> {
  const args = ['rev-parse', '--path-format=absolute', '--git-dir', '--git-common-dir'];
  const { bytes } = await caller.run({ args });
  const half = bytes.length / 2;
  return !bytes.subarray(0, half).equals(bytes.subarray(half));
}

/** The last of each name, without what we set ourselves for the call. */
async function settingsOf(caller: GitCaller): Promise<Map<string, string>> {
  const fields = (await caller.names({ args: ['config', '--list', '-z', '--show-scope'] })).map(String);
  const found = new Map<string, string>();
  for (let i = 0; i + 1 < fields.length; i += 2) {
    if (fields[i] === 'command') continue;
    const [key, ...value] = fields[i + 1]!.split('\n');
    found.set(key!, value.join('\n'));
  }
  return found;
}

async function trackedIn(caller: GitCaller, top: string): Promise<{ paths: Buffer[]; hasSubmodules: boolean }> {
  const entries = await caller.names({ args: ['ls-files', '-z', '--stage'], mostBytes: 512 * 1024 * 1024 }, top);
  return {
    paths: entries.map((entry) => entry.subarray(entry.indexOf(0x09) + 1)),
    hasSubmodules: entries.some((entry) => entry.subarray(0, 7).equals(gitlink)),
  };
}

const gitlink = Buffer.from('160000 ');

/** Attributes can stand in any folder; more than so many are not read. */
const mostAttributes = 1_000;
const largestAttributes = 1024 * 1024;

async function hasLfs(caller: GitCaller, top: string, paths: readonly Buffer[]): Promise<boolean> {
  const own = await text(caller, 'rev-parse', '--path-format=absolute', '--git-path', 'info/attributes');
  const tracked = paths.filter((path) => /(?:^|\/)\.gitattributes$/.test(path.toString('latin1')));
  const files = tracked.slice(0, mostAttributes).map((path) => join(top, path.toString('utf8')));
  return [own, ...files].some(namesLfs);
}

function namesLfs(file: string): boolean {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return !!stats?.isFile() && stats.size <= largestAttributes && /\bfilter=lfs\b/.test(readFileSync(file, 'utf8'));
  } catch {
    return false; // not for us
  }
}

async function dirtIn(caller: GitCaller, isApart: (path: Buffer) => boolean): Promise<GoodGround['dirty']> {
  const args = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all'];
  const { bytes } = await caller.run({ args });
  const changed = splitNames(bytes).filter((entry) => !isApart(entry.subarray(3)));
  const untracked = changed.filter((entry) => entry[0] === 0x3f).length;
  return { tracked: changed.length - untracked, untracked };
}

/**
 * Whether git ignores a path, by all rules of the repository and of the person. Also of a path where nothing is yet. False as well where git
 * cannot say it, such as behind a symlink.
 * @param path from the caller's folder on
 */
export async function isIgnored(caller: GitCaller, path: string): Promise<boolean> {
  const args = ['--no-literal-pathspecs', 'check-ignore', '--quiet', '--no-index', '--', `./${path}`];
  try {
    return (await caller.run({ args, answers: [0, 1] })).code === 0;
  } catch (error) {
    if (error instanceof GitTrouble) return false;
    throw error;
  }
}
