// Makes the branch for the results of a run, or moves it, in one step or not at all. Whoever was faster is seen, and asked again.

import { listWords } from '../../../core/model/count-words.ts';
import type { LeftFile } from '../../../core/model/failure.ts';
import type { Isolation } from '../../../core/model/run-event.ts';
import { moveBranch } from '../../../git/commits/branches.ts';
import { commitChanges } from '../../../git/commits/commit-changes.ts';
import { commitTree, committerIn } from '../../../git/commits/commit-work.ts';
import { mergeInto } from '../../../git/commits/merge.ts';
import { type GitCaller, GitTrouble } from '../../../git/git-caller.ts';
import { setApart } from '../../../git/ground/set-apart.ts';
import { Refusal } from '../../refusal.ts';
import {
  chooseIsolation,
  gitOf,
  type IsolationAsked,
  type Note,
  ownFiles,
  refuseTrouble,
  type WorktreesChosen,
} from './choose-isolation.ts';

export interface BegunIsolation {
  /** Null: all share the workspace. */
  readonly isolation: Isolation | null;
  readonly notes: readonly Note[];
}

/** Two runs at once, and a person who works meanwhile, are slower than that. */
const mostTries = 5;

export async function beginIsolation(asked: IsolationAsked): Promise<BegunIsolation> {
  for (let left = mostTries; left > 0; left--) {
    const chosen = await chooseIsolation(asked);
    if (chosen.kind === 'shared') return { isolation: null, notes: chosen.notes };
    const begun = await begin(chosen, asked).catch(refuseTrouble);
    if (begun) return begun;
  }
  throw new Refusal(2, 'the branch for the results moves all the time', {
    instead: 'see who moves it, and run it again',
  });
}

/** Null: the branch stands elsewhere by now. */
async function begin(chosen: WorktreesChosen, asked: IsolationAsked): Promise<BegunIsolation | null> {
  const repository = gitOf(asked.workspace, asked.env);
  const { ground, results, trees } = chosen;
  const { branch, tip, maker } = results;
  const { base, left } = asked.includeChanges
    ? await withChanges(repository, chosen, asked)
    : { base: results.base, left: [] };
  if (base !== tip) {
    const note = tip === null ? maker : 'signalbox: begin a run';
    if (!(await moveBranch(repository, { branch, from: tip, to: base, note }))) return null;
  }
  const committer = asked.earlier.committer ?? (await committerIn(repository));
  const onto = ground.branch === null ? {} : { onto: ground.branch };
  const isNew = tip === null || results.base !== tip;
  return {
    isolation: { branch, base, trees, prefix: ground.prefix, ...onto, committer },
    notes: [{ text: whereWords(chosen, isNew), kind: 'remark' }, ...chosen.notes, ...leftWords(left)],
  };
}

/** Where results go: the line at the start of a run. */
function whereWords({ ground, results: { branch, base } }: WorktreesChosen, isNew: boolean): string {
  const short = base.slice(0, 7);
  const from = isNew ? `from ${ground.branch ?? 'HEAD'} at ${short}` : `which goes on at ${short}`;
  return `results gather on ${branch}, ${from}`;
}

async function withChanges(
  repository: GitCaller,
  { ground: { top, prefix, head }, results: { base, branch } }: WorktreesChosen,
  { plan, workspace }: IsolationAsked,
): Promise<{ base: string; left: readonly LeftFile[] }> {
  const message = `Take along what was not committed when the run began\n\nSignalbox-Plan: ${plan.path}\n`;
  const isApart = setApart(prefix, ownFiles(workspace));
  const { commit, left } = await commitChanges(repository, { top, head, message, isApart }).catch(refuseChanges);
  if (commit === head || base === head) return { base: commit === head ? base : commit, left };
  const merged = await mergeInto(repository, base, commit);
  if (merged.kind !== 'clean')
    throw new Refusal(2, `what you have not committed conflicts with ${branch}: ${listWords(merged.files, 5)}`, {
      instead: 'run it without --include-changes, or bring both together first',
    });
  if (merged.files.length === 0) return { base, left };
  return { base: await commitTree(repository, { tree: merged.tree, parents: [base, commit], message }), left };
}

function refuseChanges(error: Error): never {
  if (!(error instanceof GitTrouble)) throw error;
  throw new Refusal(2, `your changes cannot be taken along: ${error.message}`, {
    instead: 'put that right, or run it without --include-changes',
  });
}

const reasons: Readonly<Record<LeftFile['because'], string>> = {
  repository: 'a repository of its own',
  link: 'a link that leads out',
  secret: 'a file with secrets',
};

const leftWords = (left: readonly LeftFile[]): Note[] =>
  left.map(({ path, because }) => ({ text: `${path} is not taken along: it is ${reasons[because]}`, kind: 'warning' }));
