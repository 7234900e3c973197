// Removes trees and branches of a plan that nobody needs any more: those of merged attempts of completed tasks, and what a complete and
// landed plan had for all. Everything else stays, with the reason.
import { lstatSync, realpathSync, rmdirSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { processesIn } from '../../agents/process/working-folder.ts';
import { quoted } from '../../core/model/command-line.ts';
import type { PlanPath, TaskId } from '../../core/model/ids.ts';
import type { Isolation } from '../../core/model/run-event.ts';
import type { Status } from '../../core/state/state.ts';
import { isContained } from '../../git/commits/merge.ts';
import { type GitCaller, GitTrouble } from '../../git/git-caller.ts';
import { type BrokenTree, brokenTrees, pathsOf, removeBroken, whatIsOnlyIn } from '../../git/trees/broken-trees.ts';
import { removeBranch, removeTree, wayTo, whyKept } from '../../git/trees/remove-tree.ts';
import { commitOf, listTrees, type TreeEntry } from '../../git/trees/trees.ts';
import type { CleanReport } from '../reports/results.ts';
import { attemptsOf, isOfResults, ownerOf } from './attempt-branch.ts';
import type { RecordedWork } from './recorded-work.ts';
import { attemptBranches, resultTips } from './unmerged-work.ts';

export interface Cleaning {
  readonly repository: GitCaller;
  readonly plan: PlanPath;
  readonly recorded: RecordedWork;
  readonly statuses: ReadonlyMap<TaskId, Status>;
  readonly isRunning: boolean;
  /** Every task of the plan is done. */
  readonly isComplete: boolean;
}

type Item = CleanReport['items'][number];

/** @param yes without it, nothing is removed */
export async function cleanUp(cleaning: Cleaning, yes: boolean): Promise<CleanReport> {
  const { isolation } = cleaning.recorded;
  const items = isolation === null ? [] : await lookAtAll(cleaning, isolation);
  if (!yes) return { plan: cleaning.plan, items: items.map(({ item }) => item) };
  const done: Item[] = [];
  for (const { item, remove } of items) {
    const why = item.state === 'would-go' ? await remove() : null;
    if (item.state !== 'would-go') done.push(item);
    else done.push(why === null ? { ...item, state: 'gone' } : { ...item, state: 'failed', because: why });
  }
  if (isolation !== null) removeEmpty(homeOf(isolation));
  return { plan: cleaning.plan, items: done };
}

interface Found {
  readonly item: Item;
  readonly remove: () => Promise<string | null>;
}

/** As git knows it: links around it are followed, it is none itself. */
function homeOf({ trees }: Isolation): string {
  try {
    return join(realpathSync.native(dirname(trees)), basename(trees));
  } catch {
    return trees;
  }
}

async function lookAtAll(cleaning: Cleaning, isolation: Isolation): Promise<Found[]> {
  const { repository } = cleaning;
  const home = homeOf(isolation);
  const tip = await commitOf(repository, `refs/heads/${isolation.branch}`);
  const about = { cleaning, isolation, home, tip, tips: await resultTips(repository, isolation, cleaning.recorded) };
  const found: Found[] = [];
  const all = await listTrees(repository);
  for (const tree of all.filter(({ folder }) => folder.startsWith(`${home}/`))) {
    const { task, because } = await judgeTree(about, tree);
    const why = because ?? (await whoIsIn(tree.folder)) ?? (await whyKept(repository, tree.folder, home));
    const bytes = await sizeOf(tree.folder);
    found.push({
      item: { kind: 'tree', name: tree.folder, task, bytes, state: why === null ? 'would-go' : 'stays', because: why },
      // Once more: somebody may have come meanwhile.
      remove: async () => (await whoIsIn(tree.folder)) ?? removeTree(repository, tree.folder),
    });
  }
  const goes = new Set(found.filter(({ item }) => item.state === 'would-go').map(({ item }) => item.name));
  for (const { name, head } of await attemptBranches(repository, isolation)) {
    const { task, because } = await judgeBranch(about, name, head);
    const there = all.find(({ branch, folder }) => branch === name && !goes.has(folder));
    const why = because ?? (there ? `it is checked out in ${there.folder}` : null);
    found.push({
      item: { kind: 'branch', name, task, bytes: null, state: why === null ? 'would-go' : 'stays', because: why },
      remove: () => removeBranch(repository, name, head),
    });
  }
  for (const broken of brokenTrees(join(home, 'tasks'))) found.push(await lookAtBroken(about, broken));
  return found;
}

/** Of no use to any run: only what would be lost with it counts. */
async function lookAtBroken(about: CleaningOf, broken: BrokenTree): Promise<Found> {
  const { cleaning, home } = about;
  const paths = pathsOf(broken);
  const why = async () => {
    const way = wayTo(dirname(broken.folder), home);
    if (typeof way === 'object') return `${way.link} is no plain folder`;
    if (cleaning.isRunning) return 'a run of the plan is going on';
    const commits = await commitsFor(about, broken);
    return (await whoIsIn(broken.folder)) ?? (await whatIsOnlyIn(cleaning.repository, broken, commits).catch(inWords));
  };
  const because = await why();
  const sizes = await Promise.all(paths.map(sizeOf));
  const bytes = sizes.reduce((all, size) => all + size, 0);
  const byHand = `when you need nothing of it: rm -r ${paths.map(quoted).join(' ')}`;
  const state = because === null ? 'would-go' : 'stays';
  return {
    item: {
      ...{ kind: 'broken', name: broken.folder, task: null, bytes, state },
      because: because === null || cleaning.isRunning ? because : `${because}; ${byHand}`,
    },
    // Once more: somebody may have changed it meanwhile.
    remove: async () => (await why()) ?? removeBroken(broken),
  };
}

/** What git cannot say is no reason to remove anything. */
function inWords(error: unknown): string {
  if (error instanceof GitTrouble) return error.message;
  throw error;
}

/** Those that may have the content of a tree: the results, and what its task left. */
async function commitsFor({ cleaning, isolation, tip }: CleaningOf, { of }: BrokenTree): Promise<string[]> {
  const branches = await attemptBranches(cleaning.repository, isolation);
  const prefix = `${attemptsOf(isolation)}${of}.`;
  const own = branches.filter(({ name }) => name.startsWith(prefix)).map(({ head }) => head);
  return [...new Set([...own, tip ?? isolation.base])];
}

async function whoIsIn(folder: string): Promise<string | null> {
  const [pid] = await processesIn(folder);
  return pid === undefined ? null : `process ${pid} works in it`;
}

interface CleaningOf {
  readonly cleaning: Cleaning;
  readonly isolation: Isolation;
  readonly home: string;
  /** Null: the branch of results is gone. */
  readonly tip: string | null;
  /** Also of earlier rounds. */
  readonly tips: readonly string[];
}

/** Null: it may go. */
type Judged = { readonly task: string | null; readonly because: string | null };

async function judgeTree(about: CleaningOf, { folder, branch, head }: TreeEntry): Promise<Judged> {
  const { cleaning, isolation, home, tip } = about;
  const name = relative(home, folder);
  if (name.startsWith('tasks/') && branch !== null) return judgeBranch(about, branch, head);
  const say = (because: string | null): Judged => ({ task: null, because });
  if (cleaning.isRunning) return say('a run of the plan is going on');
  if (name !== 'integration' && name !== 'queue') return say('nobody knows whose it is');
  if (tip === null) return say(`the branch ${isolation.branch} is gone`);
  if (!cleaning.isComplete) return say('the plan is not complete');
  if (!(await isContained(cleaning.repository, head, tip))) return say('it has commits that are not among the results');
  const { onto } = isolation;
  const mine = onto === undefined ? null : await commitOf(cleaning.repository, `refs/heads/${onto}`);
  const isLanded = mine !== null && (await isContained(cleaning.repository, tip, mine));
  return say(isLanded ? null : `the results are not on ${onto ?? 'a branch of yours'} yet: signalbox land`);
}

async function judgeBranch({ cleaning, isolation, tips }: CleaningOf, branch: string, head: string): Promise<Judged> {
  const { repository, recorded, statuses, isRunning } = cleaning;
  const task = ownerOf(branch, isolation, recorded.attempts)?.task ?? null;
  const say = (because: string | null): Judged => ({ task, because });
  const status = task === null ? undefined : statuses.get(task as TaskId);
  if (isRunning) return say('a run of the plan is going on');
  const isByHand = isOfResults(branch, isolation);
  if (status === undefined && !isByHand) return say('nobody knows whose it is');
  if (status !== 'completed' && !isByHand) return say(`${task} is not completed`);
  if (tips.length === 0) return say(`the branch ${isolation.branch} is gone`);
  for (const tip of tips) if (await isContained(repository, head, tip)) return say(null);
  return say('its work is not merged');
}

/** Those of ours, and only when nothing is in them. */
function removeEmpty(home: string): void {
  for (const folder of [join(home, 'tasks'), home]) {
    try {
      if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) rmdirSync(folder);
    } catch {
      return; // something is in it
    }
  }
}

/** Of a folder with everything in it, on the disk, in bytes. Symlinks are not followed. What cannot be read is not counted. */
async function sizeOf(path: string | Buffer): Promise<number> {
  const stats = await lstat(path).catch(() => null);
  let bytes = (stats?.blocks ?? 0) * 512;
  if (!stats?.isDirectory()) return bytes;
  const names = await readdir(path, { encoding: 'buffer' }).catch(() => []);
  for (const name of names) bytes += await sizeOf(Buffer.concat([Buffer.from(path), Buffer.from('/'), name]));
  return bytes;
}
