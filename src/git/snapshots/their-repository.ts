// What the repository of the workspace says about its files: which are ignored, which are tracked all the same. It may be missing or
// broken: then it says nothing.
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type GitCall, type GitPlace, git } from '../git.ts';
import { splitNames } from '../git-caller.ts';

export interface TheirRepository {
  /** The path of the root below the folder with `.git`; empty where that is the root itself, or where there is none. */
  readonly below: string;
  /** The folder with its objects; null: we cannot use them. */
  readonly objects: string | null;
  /** Patterns of ignored files, but for those of `.gitignore` in the tree. */
  readonly excludes: string;
  /** The folder with its configuration and its hooks; null: there is none. */
  readonly gitFolder: string | null;
}

const most = 64 * 1024 * 1024;
/** Of the names of changed files. */
const mostChanged = 16 * 1024 * 1024;
const largestExcludes = 1024 * 1024;

export async function theirRepository(place: GitPlace): Promise<TheirRepository> {
  const { root, environment } = place;
  const asked = ['--show-object-format', '--git-path', 'objects', '--git-path', 'info/exclude', '--git-common-dir'];
  const said = await lineOf(place, { args: ['rev-parse', ...asked] });
  const [format, objects, excludes, common, ...more] = said.split('\n');
  if (common === undefined || more.length > 0) return { below: '', objects: null, excludes: '', gitFolder: null };
  const configured = await lineOf(place, { args: ['config', '--type=path', '--get', 'core.excludesFile'] });
  const general = configured === '' ? join(environment.HOME ?? '/', '.config/git/ignore') : configured;
  return {
    below: belowTop(root),
    objects: format === 'sha1' ? resolve(root, objects!) : null,
    // The later one counts.
    excludes: [general, excludes!].map((file) => textOf(resolve(root, file))).join('\n'),
    gitFolder: resolve(root, common),
  };
}

/** The commit that the workspace stands on; empty: there is none. */
export const theirHead = (place: GitPlace): Promise<string> =>
  lineOf(place, { args: ['rev-parse', '--verify', '--quiet', 'HEAD'] });

/** Files that are tracked although a pattern ignores them. */
export async function trackedIgnored(place: GitPlace): Promise<Buffer> {
  const args = ['ls-files', '-z', '--cached', '--ignored', '--exclude-standard'];
  const answer = await git(place, { args, mostBytes: most });
  return answer.ok && !answer.cut ? answer.bytes : Buffer.alloc(0);
}

/** Files below a folder of the workspace that are tracked; none where no repository can tell. */
export async function trackedBelow(place: GitPlace, folder: string): Promise<string[]> {
  const args = ['ls-files', '-z', '--cached', '--', relative(place.root, folder)];
  const answer = await git(place, { args, mostBytes: most });
  return answer.ok
    ? answer.bytes
        .toString('utf8')
        .split('\0')
        .filter((name) => name !== '')
    : [];
}

async function lineOf(place: GitPlace, call: GitCall): Promise<string> {
  const answer = await git(place, call);
  return answer.ok ? answer.bytes.toString('utf8').trim() : '';
}

function belowTop(root: string): string {
  for (let folder = root; ; folder = dirname(folder)) {
    if (statSync(join(folder, '.git'), { throwIfNoEntry: false })) return relative(folder, root);
    if (folder === dirname(folder)) return '';
  }
}

function textOf(file: string): string {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats?.isFile() && stats.size <= largestExcludes ? readFileSync(file, 'utf8') : '';
  } catch {
    return ''; // not for us
  }
}

/** Files that differ from the index, and new ones but for ignored ones. From the root; null: there is no repository that can tell. */
export async function changedFiles(place: GitPlace): Promise<Buffer[] | null> {
  const args = ['ls-files', '-z', '--modified', '--others', '--exclude-standard', '--deduplicate'];
  const answer = await git(place, { args, mostBytes: mostChanged });
  if (!answer.ok || answer.cut) return null;
  return splitNames(answer.bytes);
}
