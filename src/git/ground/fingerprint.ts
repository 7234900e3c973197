// What the person's checkout and the state that all trees share look like at one moment. Taken before and after an attempt, it tells what
// changed meanwhile. It goes around every attempt, so nothing is hashed that git does not hash itself: files count by their times.
import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { type GitCall, type GitPlace, git } from '../git.ts';
import { splitNames } from '../git-caller.ts';
import { findGitFolders } from '../git-folders.ts';

export interface FingerprintPlace extends GitPlace {
  /** Whether it never counts, by its path from the top of the checkout: what Signalbox writes there itself. */
  readonly isApart: (path: Buffer) => boolean;
}

export interface Fingerprint {
  /** Configuration, hooks, the stash: by their paths in the shared git folder. */
  readonly shared: ReadonlyMap<string, SharedFile>;
  /** Every key of the configuration with its values, in lower case as git lists it; null: git cannot read it. */
  readonly settings: ReadonlyMap<string, readonly string[]> | null;
  /** The stash and the branches that are not ours, with their commits; null: git cannot tell. */
  readonly refs: ReadonlyMap<string, string> | null;
  readonly checkout: Checkout | Unseen;
}

export interface SharedFile {
  /** Changes with its contents and with its right to be run. */
  readonly stamp: string;
  /** Null: it is too large to be kept, or no file. */
  readonly text: Buffer | null;
}

export interface Checkout {
  readonly head: string;
  /** Null: none is checked out. */
  readonly branch: string | null;
  /** By the path from the top, in Latin-1: what is staged there. Unchanged files are missing. */
  readonly staged: ReadonlyMap<string, string>;
  /** In the same way: when a changed or new file was written. */
  readonly files: ReadonlyMap<string, string>;
}

export interface Unseen {
  /** Why git cannot tell, as the end of a sentence. */
  readonly because: string;
}

export async function takeFingerprint(place: FingerprintPlace): Promise<Fingerprint> {
  const folders = findGitFolders(place.root);
  if (folders === null)
    return { shared: new Map(), settings: null, refs: null, checkout: { because: 'there is no repository' } };
  const [settings, refs, checkout] = await Promise.all([
    readSettings(place),
    readRefs(place),
    readCheckout(place, folders.top),
  ]);
  const hooksPath = settings?.get('core.hookspath')?.at(-1);
  return {
    shared: readShared({ ...folders, hooks: hooksPath === undefined ? null : resolve(folders.top, hooksPath) }),
    settings,
    refs,
    checkout,
  };
}

const isOurs = (ref: string): boolean => /^refs\/heads\/signalbox(?:-attempts)?\//.test(ref);

/** They tell git which programs to start, which files to leave out, and where objects are. The last one is the list of the stash. */
const sharedFiles = ['config', 'info/attributes', 'info/exclude', 'objects/info/alternates', 'logs/refs/stash'];

interface SharedPlaces {
  readonly common: string;
  readonly own: string;
  /** Where the configuration says that hooks are; null: it says nothing. */
  readonly hooks: string | null;
}

function readShared({ common, own, hooks }: SharedPlaces): Map<string, SharedFile> {
  const found = new Map<string, SharedFile>();
  const add = (name: string, file: string) => {
    const shared = sharedFile(file);
    if (shared !== null) found.set(name, shared);
  };
  for (const name of sharedFiles) add(name, join(common, name));
  add('config.worktree', join(own, 'config.worktree'));
  const folders = new Map([[join(common, 'hooks'), 'hooks']]);
  if (hooks !== null && !folders.has(hooks))
    folders.set(hooks, relative(common, hooks).startsWith('..') ? hooks : relative(common, hooks));
  for (const [folder, name] of folders)
    for (const hook of namesIn(folder)) if (!hook.endsWith('.sample')) add(`${name}/${hook}`, join(folder, hook));
  return found;
}

/** More than any repository has; each may be a program of its own. */
const mostHooks = 200;
const mostText = 256 * 1024;

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort().slice(0, mostHooks);
  } catch {
    return []; // it is not there, or not for us
  }
}

/** Null: it is not there, or a folder. */
function sharedFile(file: string): SharedFile | null {
  try {
    const stats = lstatSync(file);
    if (stats.isSymbolicLink()) return { stamp: `link ${readlinkSync(file)}`, text: null };
    if (!stats.isFile()) return null;
    if (stats.size > mostText) return { stamp: timesOf(stats), text: null };
    const text = readFileSync(file);
    return { stamp: `${stats.mode & 0o111 ? 'program' : 'file'} ${text.toString('latin1')}`, text };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : { stamp: code, text: null };
  }
}

const timesOf = ({ mtimeMs, size, mode }: Stats): string => `${mtimeMs} ${size} ${mode}`;

async function answerOf(place: GitPlace, call: GitCall): Promise<Buffer | Unseen> {
  const answer = await git(place, { mostBytes, ...call });
  if (!answer.ok) return { because: answer.why };
  return answer.cut ? { because: 'it has too many changed files' } : answer.bytes;
}

const mostBytes = 16 * 1024 * 1024;

async function readSettings(place: GitPlace): Promise<Map<string, string[]> | null> {
  const listed = await answerOf(place, { args: ['config', '--list', '--show-scope', '-z'] });
  if (!Buffer.isBuffer(listed)) return null;
  const fields = splitNames(listed).map(String);
  const settings = new Map<string, string[]>();
  for (let i = 0; i + 1 < fields.length; i += 2) {
    // Ours, which switch programs off.
    if (fields[i] === 'command') continue;
    const [key, ...value] = fields[i + 1]!.split('\n') as [string, ...string[]];
    // Without an equals sign it means yes.
    settings.set(key, [...(settings.get(key) ?? []), value.length === 0 ? 'true' : value.join('\n')]);
  }
  return settings;
}

async function readRefs(place: GitPlace): Promise<Map<string, string> | null> {
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/stash', 'refs/heads'];
  const listed = await answerOf(place, { args });
  if (!Buffer.isBuffer(listed)) return null;
  const lines = listed.toString('utf8').split('\n');
  const refs = lines.map((line): [string, string] => [
    line.slice(line.indexOf(' ') + 1),
    line.slice(0, line.indexOf(' ')),
  ]);
  return new Map(refs.filter(([name]) => name.startsWith('refs/') && !isOurs(name)));
}

async function readCheckout({ isApart, ...place }: FingerprintPlace, top: string): Promise<Checkout | Unseen> {
  // A submodule has a configuration of its own, which may name programs: nobody looks into it.
  const how = [
    '--porcelain=v2',
    '--branch',
    '-z',
    '--untracked-files=all',
    '--no-renames',
    '--ignore-submodules=dirty',
  ];
  const listed = await answerOf({ ...place, root: top }, { args: ['status', ...how] });
  if (!Buffer.isBuffer(listed)) return listed;
  const [staged, files] = [new Map<string, string>(), new Map<string, string>()];
  const head = new Map<string, string>();
  for (const field of splitNames(listed)) {
    const text = field.toString('latin1');
    const about = /^# branch\.(oid|head) (.*)$/s.exec(text);
    if (about) head.set(about[1]!, Buffer.from(about[2]!, 'latin1').toString('utf8'));
    const entry = entryOf(text);
    if (entry === null || isApart(Buffer.from(entry.path, 'latin1'))) continue;
    if (entry.staged !== null) staged.set(entry.path, entry.staged);
    if (entry.isChanged) files.set(entry.path, files.size < mostStamps ? stampOf(top, entry.path) : '');
  }
  const branch = head.get('head') ?? '(detached)';
  return { head: head.get('oid') ?? '', branch: branch === '(detached)' ? null : branch, staged, files };
}

/** Some 20 ms; of more than this, only the names count. */
const mostStamps = 5_000;

interface Entry {
  /** In Latin-1. */
  readonly path: string;
  /** What the index has; null: the same as the commit. */
  readonly staged: string | null;
  /** The file is another than in the index, or is not in it. */
  readonly isChanged: boolean;
}

/** One field of `git status --porcelain=v2`. */
function entryOf(text: string): Entry | null {
  const words = text.split(' ');
  if (words[0] === '?') return { path: text.slice(2), staged: null, isChanged: true };
  const isUnmerged = words[0] === 'u';
  if (words[0] !== '1' && !isUnmerged) return null;
  const [inIndex, inFiles] = [words[1]![0], words[1]![1]];
  const about = words.slice(2, isUnmerged ? 10 : 8);
  const path = words.slice(isUnmerged ? 10 : 8).join(' ');
  if (isUnmerged) return { path, staged: about.join(' '), isChanged: true };
  // The mode and the contents in the index.
  return { path, staged: inIndex === '.' ? null : `${about[2]} ${about[5]}`, isChanged: inFiles !== '.' };
}

function stampOf(top: string, path: string): string {
  const found = lstatSync(Buffer.concat([Buffer.from(`${top}/`), Buffer.from(path, 'latin1')]), {
    throwIfNoEntry: false,
  });
  return found === undefined ? 'gone' : timesOf(found);
}
