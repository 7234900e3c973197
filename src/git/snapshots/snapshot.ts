// The files of the workspace as they were at one moment, and what is another since. Neither a commit of whoever works here nor their
// index, excludes, attributes or configuration changes what is seen, and their repository is not touched. It works as well where
// the workspace is no repository. Ignored files are not compared; those that came, went or were written meanwhile are named.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasGit, noGit } from '../git.ts';
import { GitTrouble } from '../git-caller.ts';
import { OwnRepository, type SnapshotPlace } from './own-repository.ts';
import { readWorkTree, type TreeRead } from './read-work-tree.ts';
import { theirHead, theirRepository, trackedIgnored } from './their-repository.ts';
import { touchedSince } from './touched-since.ts';

export type { SnapshotPlace } from './own-repository.ts';
export { GitTrouble };

export interface Changes {
  /** In the unified form. */
  readonly text: string;
  /** There was more. */
  readonly cut: boolean;
  /** Ignored files and folders that were not there. */
  readonly ignored: readonly Buffer[];
  /** Ignored ones that were there and were written or removed. */
  readonly touched: readonly Buffer[];
  /** False: there was more of those than can be looked at. */
  readonly allTouched: boolean;
  /** Configuration and hooks of the repository that were written. */
  readonly inGit: readonly Buffer[];
  /** What may not be read, and so could not be compared. */
  readonly unread: readonly Buffer[];
}

/** The rules of the beginning count at the end: who adds to them hides nothing. */
interface Rules {
  readonly below: string;
  readonly excludes: string;
}

interface Kept extends Rules {
  readonly head: string;
  /** In Latin-1, byte by byte. */
  readonly ignored: readonly string[];
  readonly unread: readonly string[];
  /** The time of the file system at the beginning, in nanoseconds; missing in snapshots of older versions. */
  readonly began?: string;
  readonly gitFolder?: string | null;
}

/** @param name one that git takes for a ref */
export async function takeSnapshot(place: SnapshotPlace, name: string): Promise<void> {
  const own = new OwnRepository(place);
  const { objects, gitFolder, ...rules } = await theirRepository(place);
  await own.prepare(objects);
  const began = String(timeAt(own));
  const { tree, ignored, unread } = await readNow(own, place, rules);
  const kept: Kept = {
    ...rules,
    began,
    gitFolder,
    head: await theirHead(place),
    ignored: ignored.map(latin1),
    unread: unread.map(latin1),
  };
  const blob = await own.line({ args: ['hash-object', '-w', '--stdin'], input: Buffer.from(JSON.stringify(kept)) });
  const entries = `100644 blob ${blob}\tabout\n040000 tree ${tree}\tfiles\n`;
  const snapshot = await own.line({ args: ['mktree'], input: Buffer.from(entries) });
  await own.run({ args: ['update-ref', refOf(name), snapshot] });
}

/** The same files in another folder, which is empty: for somebody who may look at them and change nothing. @returns the root in it */
export async function copyWorkspace(place: SnapshotPlace, to: string): Promise<string> {
  const own = new OwnRepository(place);
  const { objects, gitFolder: _, ...rules } = await theirRepository(place);
  await own.prepare(objects);
  const { tree } = await readNow(own, place, rules);
  await own.withNewIndex(async (index) => {
    const variables = { GIT_INDEX_FILE: index, GIT_WORK_TREE: to };
    await own.run({ args: ['read-tree', tree], variables });
    await own.run({ args: ['checkout-index', '--all'], variables }, to);
  });
  const root = join(to, rules.below);
  mkdirSync(root, { recursive: true });
  return root;
}

/** @param isLeftOut whether somebody else tells about the path */
export async function changesSince(
  place: SnapshotPlace,
  name: string,
  { isLeftOut, mostBytes }: { isLeftOut: (path: Buffer) => boolean; mostBytes: number },
): Promise<Changes> {
  const own = new OwnRepository(place);
  const kept = await readKept(own, place, name);
  const now = await readNow(own, place, kept);
  const before = `${refOf(name)}:files`;
  const after = await without(own, { before, after: now.tree, isLeftOut: (path) => isLeftOut(belowRoot(path, kept)) });
  const how = ['-r', '-p', '--no-renames', '--no-color', '--no-ext-diff', '--no-textconv', '--relative'];
  const variables = { GIT_WORK_TREE: topOf(place, kept) };
  const { bytes, cut } = await own.run({ args: ['diff-tree', ...how, before, after], variables, mostBytes });
  const [known, unread] = [new Set(kept.ignored), new Set([...kept.unread, ...now.unread.map(latin1)])];
  return {
    text: bytes.toString('utf8'),
    cut,
    ignored: now.ignored.filter((path) => !known.has(latin1(path))),
    ...(await hiddenSince(own, place, { kept, now, known })),
    unread: [...unread].map((path) => Buffer.from(path, 'latin1')),
  };
}

interface Hidden {
  readonly kept: Kept;
  readonly now: TreeRead;
  readonly known: ReadonlySet<string>;
}

async function hiddenSince(own: OwnRepository, { root }: SnapshotPlace, { kept, now, known }: Hidden) {
  const present = new Set(now.ignored.map(latin1));
  const gone = kept.ignored.filter((path) => !present.has(path)).map((path) => Buffer.from(path, 'latin1'));
  const began = BigInt(kept.began ?? 0);
  // A clock that was set back tells nothing.
  if (kept.began === undefined || timeAt(own) < began) return { touched: gone, allTouched: false, inGit: [] };
  const there = now.ignored.filter((path) => known.has(latin1(path)));
  const { paths, isWhole } = await touchedSince(root, [...there, ...now.packages], began);
  const ofGit = kept.gitFolder ? await touchedSince(kept.gitFolder, steering, began) : null;
  const inGit = (ofGit?.paths ?? []).map((path) => Buffer.concat([Buffer.from('.git/'), path]));
  return { touched: [...gone, ...paths], allTouched: isWhole, inGit };
}

/** They tell git which programs to start, and which files to leave out. */
const steering = ['config', 'config.worktree', 'hooks/', 'info/attributes', 'info/exclude'].map((name) =>
  Buffer.from(name),
);

/** What the file system of the workspace takes for now. */
function timeAt(own: OwnRepository): bigint {
  const file = join(own.folder, `working-${randomBytes(6).toString('hex')}`);
  writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
  try {
    return statSync(file, { bigint: true }).ctimeNs;
  } finally {
    rmSync(file, { force: true });
  }
}

/** What is another since then, from the root. */
export interface ChangedPaths {
  readonly paths: readonly Buffer[];
  /** Ignored files and folders that were not there; folders end with a slash. */
  readonly ignored: readonly Buffer[];
  /** The repository of the workspace has another commit, which need not change a file. */
  readonly isCommitted: boolean;
}

export async function changedSince(place: SnapshotPlace, name: string): Promise<ChangedPaths> {
  const own = new OwnRepository(place);
  const kept = await readKept(own, place, name);
  const now = await readNow(own, place, kept);
  const before = await own.line({ args: ['rev-parse', `${refOf(name)}:files`] });
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', before, now.tree];
  const changed = now.tree === before ? [] : await own.names({ args });
  const known = new Set(kept.ignored);
  return {
    paths: changed.map((path) => belowRoot(path, kept)),
    ignored: now.ignored.filter((path) => !known.has(latin1(path))),
    isCommitted: kept.head !== (await theirHead(place)),
  };
}

/** Those that nobody asks for any more. */
export async function forgetSnapshots(place: SnapshotPlace, isNeeded: (name: string) => boolean): Promise<void> {
  const own = new OwnRepository(place);
  if (!own.exists) return;
  const refs = (await own.line({ args: ['for-each-ref', '--format=%(refname)', refOf('')] })).split('\n');
  const gone = refs.filter((ref) => ref !== '' && !isNeeded(ref.slice(refOf('').length)));
  if (gone.length === 0) return;
  const input = Buffer.from(gone.map((ref) => `delete ${ref}\n`).join(''));
  await own.run({ args: ['update-ref', '--stdin'], input });
  // Another process may be about to name what it has just written.
  await own.run({ args: ['prune', '--expire=1.day.ago'] });
  for (const file of readdirSync(own.folder).map((one) => join(own.folder, one))) {
    const isCopy = /\/(?:working|excludes)-[^/]*$/.test(file);
    if (isCopy && (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < Date.now() - dayMs)
      rmSync(file, { force: true });
  }
}

const dayMs = 86_400_000;
const refOf = (name: string): string => `refs/attempts/${name}`;
const latin1 = (path: Buffer): string => path.toString('latin1');
const topOf = ({ root }: SnapshotPlace, { below }: Rules): string =>
  below === '' ? root : root.slice(0, -below.length - 1);

async function readKept(own: OwnRepository, place: SnapshotPlace, name: string): Promise<Kept> {
  const missing = 'nobody looked at the files when it began';
  if (!own.exists) throw new GitTrouble(hasGit(place) ? missing : noGit);
  const found = await own.line({ args: ['for-each-ref', '--format=%(objectname)', refOf(name)] });
  if (found === '') throw new GitTrouble(missing);
  const { bytes } = await own.run({ args: ['cat-file', 'blob', `${refOf(name)}:about`] });
  return JSON.parse(bytes.toString('utf8')) as Kept;
}

async function readNow(own: OwnRepository, place: SnapshotPlace, rules: Rules): Promise<TreeRead> {
  const excludesFile = join(own.folder, `excludes-${randomBytes(6).toString('hex')}`);
  writeFileSync(excludesFile, rules.excludes, { flag: 'wx', mode: 0o600 });
  try {
    const { root, isApart } = place;
    const also = await trackedIgnored(place);
    return await readWorkTree(own, { top: topOf(place, rules), root, excludesFile, also, isApart });
  } finally {
    rmSync(excludesFile, { force: true });
  }
}

const belowRoot = (path: Buffer, { below }: Rules): Buffer =>
  below === '' ? path : path.subarray(Buffer.byteLength(below) + 1);

interface Comparison {
  readonly before: string;
  readonly after: string;
  readonly isLeftOut: (path: Buffer) => boolean;
}

/** The later tree with the earlier version of whatever is left out. */
async function without(own: OwnRepository, { before, after, isLeftOut }: Comparison): Promise<string> {
  const listed = await own.names({ args: ['diff-tree', '-r', '-z', '--raw', '--no-renames', before, after] });
  const undone: Buffer[] = [];
  for (let i = 0; i < listed.length; i += 2) {
    const path = listed[i + 1]!;
    if (!isLeftOut(path)) continue;
    const [mode, , object] = listed[i]!.toString('latin1').slice(1).split(' ');
    undone.push(Buffer.from(`${mode === '000000' ? '0' : mode} ${object}\t`), path, Buffer.of(0));
  }
  if (undone.length === 0) return after;
  return own.withNewIndex(async (index) => {
    const variables = { GIT_INDEX_FILE: index, GIT_WORK_TREE: own.folder };
    await own.run({ args: ['read-tree', after], variables });
    await own.run({ args: ['update-index', '-z', '--index-info'], input: Buffer.concat(undone), variables });
    return own.line({ args: ['write-tree'], variables });
  });
}
