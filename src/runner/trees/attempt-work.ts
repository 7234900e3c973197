// What an attempt left in its tree becomes a commit on its branch, whatever became of the attempt. What cannot be committed as it is goes to
// a branch beside it, so that nothing is lost. A reviewer gets its diff.
import { join } from 'node:path';
import { listWords } from '../../core/model/count-words.ts';
import type { Evidence, LeftFile, WorkOnBranch } from '../../core/model/failure.ts';
import { setBranch } from '../../git/commits/branches.ts';
import { commitWork } from '../../git/commits/commit-work.ts';
import { saveEverything } from '../../git/commits/save-everything.ts';
import type { GitCaller } from '../../git/git-caller.ts';
import { freeTree } from '../../git/trees/recover-tree.ts';
import { commitOf } from '../../git/trees/trees.ts';
import type { AttemptDiff } from '../attempts/attempt-diff.ts';
import { noteEnd } from './notes-of-trees.ts';

export interface TreeEnding {
  readonly folder: string;
  /** Of this attempt, without `refs/heads/`. */
  readonly branch: string;
  /** Null: it works where the results are seen, on no branch. */
  readonly checkedOut: string | null;
  readonly base: string;
  readonly message: string;
  readonly isApart: (path: Buffer) => boolean;
  /** From the top of the tree: what says how its work is checked. */
  readonly judgedBy: readonly string[];
}

export type TreeEvidence = Pick<Evidence, 'work' | 'unfit' | 'changed' | 'files' | 'left' | 'flags'>;

const mostFiles = 50;
const mostLeft = 20;
const mostBytes = 100_000;

export async function endTree(repository: GitCaller, ending: TreeEnding): Promise<TreeEvidence> {
  await freeTree(repository, ending.folder);
  const evidence = await bringIn(repository, ending).catch(async (error: Error) => {
    await noteEnd(repository, ending, 'unknown').catch(() => undefined);
    throw error;
  });
  await noteEnd(repository, ending, evidence.work === undefined ? 'unfit' : 'work');
  return evidence;
}

async function bringIn(repository: GitCaller, ending: TreeEnding): Promise<TreeEvidence> {
  const { folder, branch, base } = ending;
  const committed = await commitWork(repository, { ...ending, branch: ending.checkedOut });
  if (committed.kind !== 'committed') {
    await saveEverything(repository, ending);
    const marks = committed.kind === 'unresolved' ? `${listWords(committed.files)} still has marks of a merge` : null;
    return { unfit: marks ?? (committed as { because: string }).because };
  }
  const { head, left } = committed;
  if (ending.checkedOut === null) await setBranch(repository, branch, head);
  const told = left.length === 0 ? {} : { left: left.slice(0, mostLeft) };
  const nested = await repositoriesIn(repository, folder, left);
  if (nested.length > 0)
    return { ...told, unfit: `it left repositories with commits of their own in ${listWords(nested)}` };
  const work: WorkOnBranch = { branch, base, head };
  const files = await changedFiles(repository, base, head);
  const flags = flagsOf(files, ending.judgedBy);
  return {
    ...told,
    ...(flags.length === 0 ? {} : { flags }),
    work,
    changed: files.length > 0,
    ...(files.length === 0 ? {} : { files: files.slice(0, mostFiles) }),
  };
}

async function repositoriesIn(repository: GitCaller, folder: string, left: readonly LeftFile[]): Promise<string[]> {
  const found: string[] = [];
  for (const { path, because } of left) {
    if (because !== 'repository') continue;
    const head = await commitOf(repository, 'HEAD', join(folder, path)).catch(() => '');
    if (head !== null) found.push(path);
  }
  return found;
}

/** With what they were and are: the names that git gives to contents. */
async function changedFiles(
  repository: GitCaller,
  base: string,
  head: string,
): Promise<NonNullable<Evidence['files']>> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--abbrev=12', base, head];
  const fields = (await repository.names({ args })).map(String);
  const files: { file: string; before: string; after: string }[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [from, to, before, after] = fields[at]!.slice(1).split(' ');
    files.push({ file: fields[at + 1]!, before: `${before}:${from}`, after: `${after}:${to}` });
  }
  return files;
}

/** Work that takes away what would have judged it. */
function flagsOf(files: NonNullable<Evidence['files']>, judgedBy: readonly string[]): string[] {
  const judges = files.filter(({ file }) => judgedBy.includes(file)).map(({ file }) => file);
  const tests = files.filter(({ file, after }) => after.endsWith(':000000') && isTest(file)).map(({ file }) => file);
  return [
    ...(judges.length === 0 ? [] : [`it changed what says how work is checked: ${listWords(judges)}`]),
    ...(tests.length === 0 ? [] : [`it deleted tests: ${listWords(tests)}`]),
  ];
}

const isTest = (file: string): boolean =>
  /(?:^|\/)(?:tests?|specs?|__tests__)\/|[._-](?:test|spec)\.\w+$|(?:^|\/)test_[^/]+\.py$/i.test(file);

/** For whoever reviews it. */
export async function workDiff(repository: GitCaller, { base, head }: WorkOnBranch): Promise<AttemptDiff> {
  const args = ['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--find-renames', base, head];
  const { bytes, cut } = await repository.run({ args, mostBytes });
  return { text: bytes.toString('utf8'), cut, notes: [] };
}

/** What differs in a tree from what was committed. Whoever only looks leaves it as it was. */
export async function lookOf(repository: GitCaller, folder: string): Promise<readonly string[]> {
  const head = await repository.line({ args: ['rev-parse', 'HEAD'] }, folder);
  const status = await repository.names({ args: ['status', '--porcelain', '-z', '--no-renames'] }, folder);
  return [`HEAD ${head}`, ...status.map(String)];
}

/** Why the answer of a reviewer is no review, by two such looks; null: it only looked. */
export function changedInWords(
  before: readonly string[],
  after: readonly string[],
  isLitter: (path: string) => boolean,
): string | null {
  const changed = [
    ...after.filter((line) => !before.includes(line)),
    ...before.filter((line) => !after.includes(line)),
  ];
  const names = new Set(changed.map((line) => (line.startsWith('HEAD ') ? 'its branch' : line.slice(3))));
  for (const name of names) if (isLitter(name)) names.delete(name);
  if (names.size === 0) return null;
  return `the reviewer changed ${[...names].slice(0, 5).join(', ')}, and a reviewer changes no files`;
}
