// The repository of the workspace: whether runs can give agents worktrees, and what a person should know about them before.
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import { quoted } from '../../core/model/command-line.ts';
import { impossible } from '../../core/model/impossible.ts';
import { GitCaller, GitTrouble } from '../../git/git-caller.ts';
import { type Ground, lookAtGround, oldestGit } from '../../git/ground/ground.ts';
import { listTrees } from '../../git/trees/trees.ts';
import type { DoctorCheck } from '../reports/health.ts';
import { GitRecord } from '../trust/git-record.ts';
import type { Workspace } from '../workspace.ts';

const id = 'worktrees';
const shared = 'so agents work in the workspace itself';

export async function checkRepository(
  workspace: Workspace,
  env: Readonly<Record<string, string | undefined>>,
): Promise<DoctorCheck[]> {
  const caller = new GitCaller({ root: workspace.root, environment: baseEnvironment(env) });
  try {
    const ground = await lookAtGround(caller, []);
    if (ground.kind !== 'good') return badGround(ground);
    return [
      { id, status: 'ok', message: `runs can use worktrees of ${ground.top} (git ${ground.version})` },
      ...goodGround(ground, new GitRecord(workspace).standing() === 'trusted'),
      ...(await checkedOut(caller)),
    ];
  } catch (error) {
    if (!(error instanceof GitTrouble)) throw error;
    return [{ id, status: 'warning', message: `git cannot tell about the repository: ${error.message}`, help: seeGit }];
  }
}

const seeGit = 'see what git says there: git status';

function badGround(ground: Exclude<Ground, { readonly kind: 'good' }>): DoctorCheck[] {
  const warning = (because: string, help: string): DoctorCheck[] => [
    { id, status: 'warning', message: `${because}, ${shared}`, help },
  ];
  switch (ground.kind) {
    case 'no-git':
      return []; // said with the programs
    case 'no-repository':
      return [{ id, status: 'ok', message: `there is no git repository, ${shared}` }];
    case 'old-git':
      return warning(`git ${ground.version} is older than ${oldestGit}`, `install git ${oldestGit} or newer`);
    case 'unusable':
      return warning(`git does not use the repository (${ground.because})`, seeGit);
    case 'no-work-tree':
      return warning('the workspace is no work tree of its repository', 'work in a clone that has one');
    case 'no-commit':
      return warning('the repository has no commit yet', 'make one: git add -A && git commit -m "Begin"');
    default:
      return impossible(ground);
  }
}

function goodGround(ground: Extract<Ground, { readonly kind: 'good' }>, isTrusted: boolean): DoctorCheck[] {
  const checks: DoctorCheck[] = [];
  const add = (name: string, message: string, help?: string) =>
    checks.push(
      help === undefined ? { id: name, status: 'ok', message } : { id: name, status: 'warning', message, help },
    );
  const { hasLfs, hasSubmodules, isShallow, isPartial, ignoresCase, clashes } = ground;
  if (hasLfs && isTrusted) add('lfs', 'files of Git LFS are checked out in worktrees (signalbox trust --git)');
  else if (hasLfs)
    add('lfs', 'files of Git LFS are pointers in worktrees', 'if you trust this repository: signalbox trust --git');
  if (hasSubmodules) add('submodules', 'submodules are checked out in each worktree, from what this workspace has');
  if (isShallow)
    add(
      'shallow',
      'this is a shallow clone: a merge may find no common commit',
      'fetch the rest: git fetch --unshallow',
    );
  if (isPartial)
    add(
      'partial',
      'this is a partial clone, and a run fetches nothing: what needs an absent file fails',
      'fetch the rest: git fetch --refetch --no-filter',
    );
  const [first] = clashes;
  if (first && ignoresCase)
    add('case-clash', `${first[0]} and ${first[1]} are one file on this disk`, 'rename one of them: git mv');
  else if (first) add('case-clash', `${first[0]} and ${first[1]} differ only in case, which some disks cannot keep`);
  return checks;
}

/** Results gather on it, and what is checked out is not moved. */
async function checkedOut(caller: GitCaller): Promise<DoctorCheck[]> {
  const trees = await listTrees(caller);
  return trees
    .filter(({ branch, isGone }) => branch?.startsWith('signalbox/') && !isGone)
    .map(({ branch, folder }) => ({
      id: 'results-branch',
      status: 'warning',
      message: `${branch} is checked out in ${folder}: nothing can be merged onto it there`,
      help: `let it go: git -C ${quoted(folder)} switch --detach`,
    }));
}
