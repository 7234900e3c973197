// What an attempt changed: of a run with worktrees from its branch or its tree, else from what is known of the workspace when it began.
import { relative, sep } from 'node:path';
import { commandLine } from '../../core/model/command-line.ts';
import { countWords } from '../../core/model/count-words.ts';
import { attemptId, type PlanPath, type TaskId } from '../../core/model/ids.ts';
import type { Isolation } from '../../core/model/run-event.ts';
import { nameOf, shownName } from '../../files/disk/disk-name.ts';
import { commitDiff, type FileChange } from '../../git/commits/commit-diff.ts';
import { type GitCaller, GitTrouble } from '../../git/git-caller.ts';
import { withTreeNow } from '../../git/trees/tree-now.ts';
import { commitOf, listTrees } from '../../git/trees/trees.ts';
import { attemptBranch } from '../../runner/trees/tree-places.ts';
import { Refusal } from '../refusal.ts';
import type { DiffReport, FileDiffReport } from '../reports/results.ts';
import { readPatch } from './read-patch.ts';
import type { RecordedAttempt, RecordedWork } from './recorded-work.ts';

export interface ChangesAsked {
  readonly repository: GitCaller;
  readonly plan: PlanPath;
  readonly task: TaskId;
  /** Null: the last one. */
  readonly number: number | null;
  readonly recorded: RecordedWork;
  readonly isApart: (path: Buffer) => boolean;
  /** What changed in the workspace since an attempt began that worked there. */
  readonly inWorkspace: (token: number) => Promise<{ text: string; cut: boolean; notes: readonly string[] }>;
}

const mostBytes = 16 * 1024 * 1024;

export async function attemptChanges(asked: ChangesAsked): Promise<DiffReport> {
  const found = findAttempt(asked);
  const { task, attempt, isolation, work } = found;
  const about = { plan: asked.plan, task, attempt };
  try {
    if (isolation === null) return { ...about, ...(await fromWorkspace(asked, found)) };
    if (work !== null) return { ...about, ...(await fromBranch(asked, work)) };
    if (found.end === null) return { ...about, ...(await fromTree(asked, isolation, found)) };
    const left = await fromWhatItLeft(asked, isolation, found);
    if (left !== null) return { ...about, ...left };
  } catch (error) {
    if (!(error instanceof GitTrouble)) throw error;
    throw unknown(found, error.message);
  }
  throw unknown(found, 'it left nothing on a branch');
}

const unknown = ({ attempt, task, number }: RecordedAttempt, because: string): Refusal =>
  new Refusal(2, `what ${attempt} changed is not known: ${because}`, {
    instead: `see what it did: ${commandLine('logs', task, `--attempt ${number}`)}`,
  });

function findAttempt({ plan, task, number, recorded }: ChangesAsked): RecordedAttempt {
  const all = recorded.attempts.filter((one) => one.task === task);
  const last = all.at(-1);
  if (!last) throw new Refusal(2, `${task} of ${plan} has not been tried yet`, { instead: commandLine('why', task) });
  const found = number === null ? last : all.find((one) => one.number === number);
  if (found) return found;
  const tried = countWords(all.length, 'attempt');
  throw new Refusal(2, `there is no ${attemptId(task, number!)}: ${task} has ${tried}`, {
    instead: `the last one is ${commandLine('diff', last.attempt)}`,
  });
}

type Changes = Omit<DiffReport, 'plan' | 'task' | 'attempt'>;

async function fromBranch(
  { repository, isApart }: ChangesAsked,
  { base, head }: { readonly base: string; readonly head: string },
): Promise<Changes> {
  for (const commit of [base, head])
    if ((await commitOf(repository, commit)) === null)
      throw new GitTrouble(`the commit ${commit.slice(0, 12)} is not in the repository any more`);
  const { files, cut } = await commitDiff(repository, { from: base, to: head, isApart, mostBytes });
  return { source: 'branch', base, head, files: files.map(fileReport), cut, notes: [] };
}

/** It is at work, or was killed before anybody wrote down what it did. */
async function fromTree(asked: ChangesAsked, isolation: Isolation, { attempt }: RecordedAttempt): Promise<Changes> {
  const { repository, isApart } = asked;
  const branch = attemptBranch(isolation, attempt);
  const head = await commitOf(repository, `refs/heads/${branch}`);
  if (head === null) throw new GitTrouble('it has no branch');
  const base = await beginningOf(repository, isolation, head);
  const tree = (await listTrees(repository)).find((one) => one.branch === branch && !one.isGone);
  if (!tree) return fromBranch(asked, { base, head });
  return withTreeNow(repository, { folder: tree.folder, isApart }, async ({ tree: to, variables }) => {
    const { files, cut } = await commitDiff(repository, { from: base, to, isApart, mostBytes, variables });
    return { source: 'tree', base, head, files: files.map(fileReport), cut, notes: [] };
  });
}

/** It has ended, and nothing of it can be merged. Null: it changed nothing either. */
async function fromWhatItLeft(
  asked: ChangesAsked,
  isolation: Isolation,
  { attempt, end }: RecordedAttempt,
): Promise<Changes | null> {
  const { repository } = asked;
  // Its branch has only the work of earlier ones.
  if (end?.kind === 'never-started' || end?.kind === 'unstartable') return null;
  const own = attemptBranch(isolation, attempt);
  for (const branch of [`${own}.left`, own]) {
    const head = await commitOf(repository, `refs/heads/${branch}`);
    if (head === null) continue;
    const changes = await fromBranch(asked, { base: await beginningOf(repository, isolation, head), head });
    const notes = [`What it left cannot be merged as it is: ${branch} has it.`];
    if (changes.files.length > 0) return { ...changes, notes };
  }
  return null;
}

/** Where the results stood when its branch began: later merges are not on it. */
export async function beginningOf(repository: GitCaller, { branch, base }: Isolation, head: string): Promise<string> {
  const tip = (await commitOf(repository, `refs/heads/${branch}`)) ?? base;
  const { bytes } = await repository.run({ args: ['merge-base', tip, head], answers: [0, 1] });
  return bytes.toString('latin1').trim() || base;
}

async function fromWorkspace({ recorded, inWorkspace }: ChangesAsked, found: RecordedAttempt): Promise<Changes> {
  const isLast = recorded.attempts.findLast(({ task }) => task === found.task) === found;
  if (!isLast) throw new GitTrouble('it worked in the workspace, and a later attempt went on from there');
  const { text, cut, notes } = await inWorkspace(found.token);
  const files = readPatch(text).map(({ lines, added, removed, ...file }): FileDiffReport => {
    const isText = lines !== '';
    return {
      ...{ ...file, from: null, modeBefore: null, mode: null, bytesBefore: null, bytes: null },
      ...{ added: isText ? added : null, removed: isText ? removed : null, diff: isText ? lines : null },
    };
  });
  return { source: 'workspace', base: null, head: null, files, cut, notes };
}

const fileReport = ({ path, from, lines, ...file }: FileChange): FileDiffReport => ({
  ...file,
  path: shownName(nameOf(path)),
  from: from === null ? null : shownName(nameOf(from)),
  diff: lines,
});

/** What belongs to Signalbox: its state, and the files that it writes for other programs. */
export function apartIn(
  { root, outputsFolder }: { readonly root: string; readonly outputsFolder: string },
  prefix: string,
): (path: Buffer) => boolean {
  const outputs = `${relative(root, outputsFolder).split(sep).join('/')}/`;
  const start = prefix === '' ? '' : `${prefix}/`;
  return (path) => {
    const name = nameOf(path);
    return name.split('/').includes('.signalbox') || name.startsWith(start + outputs);
  };
}
