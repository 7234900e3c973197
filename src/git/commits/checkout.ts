// A branch that a person has checked out, moved to another commit together with its files and its index. Files come first, then the
// index, then the branch: whoever is killed in between has left a branch that did not move, and files that are as they will be. Those
// count as done, so doing it again finishes it.
import { lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GitCaller, GitTrouble } from '../git-caller.ts';
import { type ChangedEntry, changedEntries, isAbsent, isSame, type Version } from './changed-entries.ts';

export interface Move {
  /** The folder that is checked out: the top of the tree. */
  readonly top: string;
  readonly from: string;
  /** A commit or a tree. */
  readonly to: string;
}

export interface PreparedMove {
  readonly changed: readonly ChangedEntry[];
  /** Files of the person that the move would overwrite. */
  readonly inTheWay: readonly Buffer[];
  /** Already as they will be, and not in the index. */
  readonly done: readonly ChangedEntry[];
}

/** The branch that is checked out in a folder, without `refs/heads/`; null: none is. */
export async function branchIn(repository: GitCaller, folder: string): Promise<string | null> {
  const args = ['symbolic-ref', '--quiet', 'HEAD'];
  const name = (await repository.run({ args, answers: [0, 1] }, folder)).bytes.toString('utf8').trim();
  return name === '' ? null : name.replace(/^refs\/heads\//, '');
}

/** The folder with the files of the repository around a folder. */
export const topOf = async (repository: GitCaller, folder: string): Promise<string> =>
  (await repository.run({ args: ['rev-parse', '--show-toplevel'] }, folder)).bytes.toString('utf8').replace(/\n$/, '');

export async function prepareMove(repository: GitCaller, { top, from, to }: Move): Promise<PreparedMove> {
  const changed = await changedEntries(repository, ['diff-tree', '-r', '--no-renames', from, to]);
  const status = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=no', '--ignore-submodules=all'];
  const dirty = (await repository.names({ args: status }, top)).map((one) => key(one.subarray(3)));
  const staged = await changedEntries(repository, ['diff-index', '--cached', '--no-renames', from], { cwd: top });
  const inIndex = new Map(staged.map(({ path, after }) => [key(path), after]));
  const suspects = new Set(dirty);
  const inTheWay: Buffer[] = [];
  const removed = new Set(changed.filter(({ after }) => isAbsent(after)).map(({ path }) => key(path)));
  for (const { path, before, after } of changed) {
    if (!isAbsent(before) || isSubmodule(after) || inIndex.has(key(path))) continue;
    const found = await foundAt(repository, { top, path, removed });
    if (found === 'this') suspects.add(key(path));
    else if (found !== null) inTheWay.push(found);
  }
  const maybe = changed.filter(({ path }) => suspects.has(key(path)));
  const other = await differing(repository, top, maybe);
  const isDone = ({ path, before, after }: ChangedEntry) => {
    const index = inIndex.get(key(path)) ?? before;
    return !other.has(key(path)) && (isSame(index, before) || isSame(index, after));
  };
  for (const entry of maybe) if (!isDone(entry)) inTheWay.push(entry.path);
  return { changed, inTheWay, done: maybe.filter(isDone) };
}

const key = (path: Buffer): string => path.toString('latin1');
const isSubmodule = ({ mode }: Version): boolean => mode === '160000';
const fileAt = (top: string, path: Buffer): Buffer => Buffer.concat([Buffer.from(`${top}/`), path]);
const statsAt = (top: string, path: Buffer) => {
  try {
    return lstatSync(fileAt(top, path), { throwIfNoEntry: false });
  } catch {
    return undefined; // below a file
  }
};

/** What is where a new file will be: something at its place (`this`), another path that keeps it from its place, or nothing. */
async function foundAt(
  repository: GitCaller,
  { top, path, removed }: { top: string; path: Buffer; removed: ReadonlySet<string> },
): Promise<'this' | Buffer | null> {
  for (let at = path.indexOf(0x2f); at !== -1; at = path.indexOf(0x2f, at + 1)) {
    const folder = path.subarray(0, at);
    const stats = statsAt(top, folder);
    if (!stats) return null;
    if (!stats.isDirectory()) return removed.has(key(folder)) ? null : folder;
  }
  const stats = statsAt(top, path);
  if (!stats?.isDirectory()) return stats ? 'this' : null;
  const name = path.toString('utf8');
  // Git cannot be asked about it.
  if (!Buffer.from(name).equals(path)) return path;
  // Ignored ones too: they would go with their folder.
  const others = await repository.names({ args: ['ls-files', '-z', '--others', '--', name] }, top);
  return others[0] ?? null;
}

/** Of these, the files that are not as they will be. Compared through an index of its own: only git knows its line ends. */
async function differing(repository: GitCaller, top: string, entries: readonly ChangedEntry[]): Promise<Set<string>> {
  if (entries.length === 0) return new Set();
  const there = entries.filter(({ after }) => !isAbsent(after));
  const gone = entries.filter(({ path, after }) => isAbsent(after) && statsAt(top, path));
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-index-'));
  try {
    const variables = { GIT_INDEX_FILE: join(folder, 'index') };
    await repository.run({ args: ['update-index', '-z', '--index-info'], input: indexInfo(there), variables }, top);
    await repository.run({ args: ['update-index', '-q', '--refresh'], variables, answers: [0, 1] }, top);
    const names = await repository.names({ args: ['diff-files', '-z', '--name-only'], variables }, top);
    return new Set([...names, ...gone.map(({ path }) => path)].map(key));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const indexInfo = (entries: readonly ChangedEntry[]): Buffer =>
  Buffer.concat(
    entries.flatMap(({ path, after: { mode, object } }) => [
      Buffer.from(`${Number(mode) === 0 ? '0' : mode} ${object}\t`),
      path,
      Buffer.of(0),
    ]),
  );

/** @param branch is checked out at `top`, and stands at `from` @param to a commit @throws GitTrouble when it did not move */
export async function moveCheckout(
  repository: GitCaller,
  { top, from, to, branch, done }: Move & { readonly branch: string; readonly done: readonly ChangedEntry[] },
): Promise<void> {
  if (done.length > 0)
    await repository.run({ args: ['update-index', '-z', '--index-info'], input: indexInfo(done) }, top);
  await repository.run({ args: ['read-tree', '-m', '-u', from, to], limitMs: longMs }, top);
  if ((await branchIn(repository, top)) !== branch) throw new GitTrouble(`${branch} is not checked out any more`);
  const args = ['update-ref', '--create-reflog', '-m', 'signalbox land', `refs/heads/${branch}`, to, from];
  await repository.run({ args }, top);
  // So that the next look need not read every file. It does not matter whether it succeeds.
  await repository.run({ args: ['update-index', '-q', '--refresh'], answers: [0, 1, 128] }, top);
}

/** A large repository takes its time: 375,000 files took 40 s. */
const longMs = 600_000;
