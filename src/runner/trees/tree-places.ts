// Where the trees of a run lie, and what its branches are called. Names are short, lower-case and flat: file systems and git may take two
// that differ in case for one, and a branch `a` makes `a/b` impossible.
import { join, relative, resolve, sep } from 'node:path';
import { litterOf } from '../../agents/performer.ts';
import type { OwnTree } from '../../agents/prompt/own-tree.ts';
import { type AttemptId, attemptId, type TaskId } from '../../core/model/ids.ts';
import type { Isolation } from '../../core/model/run-event.ts';
import { shortHash } from '../../core/model/short-hash.ts';
import { isByAgent, worksOnResults } from '../../core/state/questions/isolated.ts';
import { setApart } from '../../git/ground/set-apart.ts';
import type { Work } from '../attempts/work.ts';
import type { RunSite } from '../run-site.ts';

/** Follows the branch; commands and closing tasks work there. */
export const integrationTree = ({ trees }: Isolation): string => join(trees, 'integration');

/** Where checks of merged results run. */
export const queueTree = ({ trees }: Isolation): string => join(trees, 'queue');

export const taskTree = ({ trees }: Isolation, task: TaskId): string => join(trees, 'tasks', slug(task));

/** Where an attempt works, and its checks and its review. */
export function treeOf(isolation: Isolation, { task, live, about }: Pick<Work, 'task' | 'live' | 'about'>): string {
  const isOthers = isByAgent(live.job) || about?.ended.byAgent === true;
  return worksOnResults(task, isOthers) ? integrationTree(isolation) : taskTree(isolation, task.id);
}

/** The workspace in a tree. */
export const rootIn = ({ prefix }: Isolation, tree: string): string => join(tree, prefix);

/** Where it works: in a tree, or in the workspace itself. */
export const rootFor = (work: Pick<Work, 'isolation' | 'task' | 'live' | 'about'>, workspace: string): string =>
  work.isolation === null ? workspace : rootIn(work.isolation, treeOf(work.isolation, work));

export function ownTree(isolation: Isolation, work: Work): OwnTree {
  const isOwn = treeOf(isolation, work) !== integrationTree(isolation);
  const { merging, byHand, live } = work;
  return {
    branch: isOwn ? attemptBranch(isolation, live.attempt) : null,
    ...(merging.length === 0 ? {} : { merging }),
    ...(byHand.length === 0 ? {} : { byHand }),
  };
}

/** The top folder of the person's own checkout. */
export const topOf = ({ prefix }: Isolation, root: string): string =>
  prefix === '' ? root : resolve(root, ...prefix.split('/').map(() => '..'));

/** What belongs to Signalbox, wherever a plan puts it: never part of anybody's work. By the path from the top of a tree. */
export function isApartIn(
  { prefix }: Isolation,
  { root, outputsFolder }: Pick<RunSite, 'root' | 'outputsFolder'>,
): (path: Buffer) => boolean {
  const outputs = relative(root, outputsFolder).split(sep).join('/');
  return setApart(prefix, ['.signalbox', outputs]);
}

/** What the agent's program writes by itself is nobody's work either. */
export const withLitter =
  (isApart: (path: Buffer) => boolean, isLitter: (path: string) => boolean): ((path: Buffer) => boolean) =>
  (path) =>
    isApart(path) || isLitter(path.toString('utf8'));

/** What never is the work of this attempt. */
export const apartFor = (
  { live, task }: Pick<Work, 'live' | 'task'>,
  isolation: Isolation,
  site: Pick<RunSite, 'root' | 'outputsFolder' | 'settings'>,
): ((path: Buffer) => boolean) => withLitter(isApartIn(isolation, site), litterOf(live.job, task, site.settings));

/** Without `refs/heads/`. */
export function attemptBranch({ branch }: Isolation, attempt: AttemptId): string {
  const [, task, n] = /^([\s\S]*)#(\d+)$/.exec(attempt) ?? [];
  return `signalbox-attempts/${branch.replace(/^signalbox\//, '')}/${slug(task ?? attempt)}.${n ?? 0}`;
}

/** For what a person has changed where the results are seen. No task has such a name. */
export const resultsBranch = ({ branch }: Isolation): string =>
  `signalbox-attempts/${branch.replace(/^signalbox\//, '')}/integration_tree`;

/** Whether a branch is of an attempt of the task since the plan was last started over. @param attempts how many there were, with this one */
export function isOfRound(
  isolation: Isolation,
  { task, live, attempts }: Pick<Work, 'task' | 'live' | 'attempts'>,
  branch: string,
): boolean {
  const number = (name: string) => Number(/[#.](\d+)$/.exec(name)?.[1] ?? 0);
  const [n, last] = [number(branch), number(live.attempt)];
  const isOfTask = branch === attemptBranch(isolation, attemptId(task.id, n));
  return isOfTask && n > last - attempts && n <= last;
}

/** Different ids have different ones. */
function slug(id: string): string {
  const plain = id
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 30);
  return plain === id ? plain : `${plain === '' ? 'task' : plain}-${shortHash(id).slice(0, 8)}`;
}
