// Where attempts work, and the branch for their results, on real repositories.
import { mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { removeRepositories, TestRepository } from '../../../../test/rigs/repository.ts';
import { planPath } from '../../../core/model/ids.ts';
import { readPlan } from '../../../plan/read-plan.ts';
import { withSettings } from '../../files/plan-file.ts';
import { Refusal } from '../../refusal.ts';
import { openWorkspace } from '../../workspace.ts';
import { type EarlierRuns, noEarlierRuns } from '../earlier-runs.ts';
import { beginIsolation } from './begin-isolation.ts';
import { chooseIsolation, type IsolationAsked, type WorktreesChosen } from './choose-isolation.ts';

afterAll(removeRepositories);

let repository: TestRepository;
let home: string;
beforeEach(() => {
  repository = new TestRepository();
  home = join(dirname(repository.root), 'home');
  mkdirSync(home);
});

interface Wish extends Partial<Omit<IsolationAsked, 'workspace' | 'plan' | 'earlier'>> {
  readonly text?: string;
  readonly path?: string;
  readonly root?: string;
  readonly earlier?: Partial<EarlierRuns>;
}

const byAgent = 'tasks: {a: {agent: claude}, b: {run: make}}\n';

async function asking({ text = byAgent, path = 'plan.yaml', root = repository.root, earlier, ...more }: Wish = {}) {
  const env = { PATH: process.env.PATH, HOME: home, ...more.env };
  const workspace = await openWorkspace(root, env);
  const { plan } = readPlan({ text, file: path, path: planPath(path), settings: workspace.settings });
  return {
    workspace,
    plan: withSettings(plan!, workspace.settings),
    selected: null,
    asked: null,
    includeChanges: false,
    byDefault: true,
    ...more,
    env,
    earlier: { ...noEarlierRuns, ...earlier },
  } satisfies IsolationAsked;
}

const choose = async (wish?: Wish) => chooseIsolation(await asking(wish));
const begin = async (wish?: Wish) => beginIsolation(await asking({ asked: 'worktree', ...wish }));
const refusal = async (wish: Wish): Promise<string> => {
  const error = await begin(wish).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(Refusal);
  const { exitCode, message, instead } = error as Refusal;
  return `${exitCode}: ${message} (${instead})`;
};
const branches = () =>
  repository.git('for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads').split('\n');
const texts = ({ notes }: { notes: readonly { text: string }[] }) => notes.map(({ text }) => text);

describe('which', () => {
  const command = `${byAgent}isolation: shared\n`;
  it.each<[string, Wish, string, string]>([
    ['a coding agent in a repository', {}, 'worktree', 'coding agents work in a git repository'],
    ['not by default', { byDefault: false }, 'shared', 'no coding agent performs a task'],
    ['commands only', { text: 'tasks: {b: {run: make}}' }, 'shared', 'no coding agent performs a task'],
    [
      'a command instead of the agent',
      { text: 'agent: claude\ntasks: {b: {run: make}}' },
      'shared',
      'no coding agent performs a task',
    ],
    ['an agent that nobody knows', { text: 'tasks: {b: {agent: who}}' }, 'shared', 'no coding agent performs a task'],
    ['the agent is not selected', { selected: Uint8Array.of(0, 1) }, 'shared', 'no coding agent performs a task'],
    ['the agent is selected', { selected: Uint8Array.of(1, 0) }, 'worktree', 'coding agents work in a git repository'],
    ['the plan says shared', { text: command }, 'shared', 'the plan or signalbox.yaml says so'],
    ['the run says something else', { text: command, asked: 'worktree' }, 'worktree', '--isolation says so'],
    [
      'the plan says worktree, for commands',
      { text: 'isolation: worktree\ntasks: {b: {run: make}}' },
      'worktree',
      'the plan or signalbox.yaml says so',
    ],
    [
      'the run before had worktrees',
      { byDefault: false, earlier: { branch: 'signalbox/plan' } },
      'worktree',
      'the plan was run with worktrees before',
    ],
    [
      'attempts work in trees',
      { text: command, earlier: { unfinished: 'worktree' } },
      'worktree',
      'attempts of the last run are not judged yet',
    ],
    [
      'attempts work in the workspace',
      { earlier: { unfinished: 'shared' } },
      'shared',
      'attempts of the last run are not judged yet',
    ],
  ])('%s', async (_, wish, kind, because) => {
    expect(await choose(wish)).toMatchObject({ kind, because });
    expect(branches()).toHaveLength(1);
  });

  it('an agent of `kind: command` only when it is asked for', async () => {
    repository.write('signalbox.yaml', 'agents: {tool: {kind: command, command: x}, mine: {kind: codex}}\n');
    expect(await choose({ text: 'tasks: {a: {agent: tool}}' })).toMatchObject({ kind: 'shared' });
    expect(await choose({ text: 'tasks: {a: {agent: mine}}' })).toMatchObject({ kind: 'worktree' });
  });

  it('while attempts are not judged, nobody may ask for something else', async () => {
    expect(await refusal({ asked: 'shared', earlier: { unfinished: 'worktree' } })).toBe(
      '2: attempts of the last run are not judged yet, and it was run with --isolation worktree (run it without --isolation until they are)',
    );
  });

  it('changes are taken along into worktrees only', async () => {
    expect(await refusal({ asked: 'shared', includeChanges: true })).toContain('2: --include-changes is for worktrees');
  });
});

describe('ground', () => {
  it('that cannot have trees: a note by default, a refusal when asked', async () => {
    rmSync(join(repository.root, '.git'), { recursive: true });
    expect(await choose()).toEqual({
      kind: 'shared',
      because: `${repository.root} is in no git repository`,
      notes: [{ text: `agents share the workspace: ${repository.root} is in no git repository`, kind: 'remark' }],
    });
    expect(await refusal({})).toBe(
      `2: there can be no worktrees: ${repository.root} is in no git repository (make one with a commit: git init && git add -A && git commit -m "Begin"; or let agents share the workspace: --isolation shared, or "isolation: shared" in the plan)`,
    );
  });

  it('without a commit, without git, with names that are one', async () => {
    expect(await choose({ env: { PATH: home, HOME: home } })).toMatchObject({
      notes: [{ text: 'agents share the workspace: there is no git on the PATH', kind: 'warning' }],
    });
    repository.write('A.txt', '');
    repository.commit('clash');
    repository.git('config', 'core.ignoreCase', 'true');
    expect(await refusal({})).toContain('A.txt and a.txt are one file on this disk');
    repository.git('checkout', '-q', '--orphan', 'new');
    expect(await refusal({})).toContain('the repository has no commit yet (make one: git add -A && git commit');
  });

  it('with changes, large files elsewhere, or objects elsewhere: said, and the run goes on', async () => {
    repository.write('a.txt', 'changed');
    repository.write('.gitattributes', '*.psd filter=lfs\n');
    repository.git('add', '.gitattributes');
    repository.write('new', '');
    repository.write('docs/plan-outputs/plan/status.json', '{}');
    repository.write('.signalbox/x', '');
    repository.git('config', 'remote.origin.promisor', 'true');
    expect(texts(await choose())).toEqual([
      '2 changed files and 1 new file are not committed, and agents do not see them: commit them, or add --include-changes',
      'files of Git LFS are pointers in the trees of agents; signalbox trust --git lets its filter run',
      'this is a partial clone, and a run fetches nothing: a merge that needs an absent file fails',
    ]);
  });
});

describe('the place of trees', () => {
  const treesOf = async (wish?: Wish) => ((await choose(wish)) as WorktreesChosen).trees;
  const at = (place: string) => ({ text: `${byAgent}worktree: {at: ${place}}\n`, asked: 'worktree' as const });

  it('the state folder of the user, or beside the repository, short and lower-case', async () => {
    expect(await treesOf()).toMatch(new RegExp(`^${home}/\\.local/state/signalbox/trees/repository-[0-9a-f]{8}/plan$`));
    expect(await treesOf({ path: 'docs/My Plan (2).yaml' })).toMatch(/\/my-plan-2$/);
    expect(await treesOf(at('../trees'))).toMatch(new RegExp(`^${repository.beside}/repository-[0-9a-f]{8}/plan$`));
  });

  it('an absolute one, and one at home, from the settings', async () => {
    repository.write('signalbox.yaml', 'worktree: {at: ~/t}\n');
    expect(await treesOf()).toMatch(new RegExp(`^${home}/t/repository-`));
    repository.write('signalbox.yaml', `worktree: {at: ${repository.beside}}\n`);
    expect(await treesOf()).toMatch(new RegExp(`^${repository.beside}/repository-`));
  });

  it('stays the same while attempts are in it', async () => {
    expect(await treesOf({ earlier: { unfinished: 'worktree', trees: '/elsewhere/plan' } })).toBe('/elsewhere/plan');
  });

  it('not in the repository, nor behind a link of it, nor further out', async () => {
    expect(await refusal(at('trees'))).toContain('is inside of the repository');
    expect(await refusal(at('../../x'))).toContain('leads further out than the folder that the repository is in');
    symlinkSync('/usr', join(repository.root, 'link'));
    expect(await refusal(at('link/x'))).toContain('leads further out');
    expect(await refusal({ env: { HOME: '' } })).toContain('HOME is not set');
    expect(await choose({ env: { HOME: repository.root } })).toMatchObject({
      kind: 'shared',
      notes: [{ text: expect.stringContaining('is inside of the repository'), kind: 'warning' }],
    });
  });
});

describe('the branch', () => {
  it('is made at HEAD, and nothing of the person is touched', async () => {
    repository.write('a.txt', 'staged');
    repository.git('add', 'a.txt');
    repository.write('a.txt', 'changed');
    const before = repository.git('status', '--porcelain');
    const { isolation, notes } = await begin();
    const trees = expect.stringContaining('/trees/repository-');
    const committer = { name: 'Signalbox', email: 'signalbox@localhost' };
    const stands = { branch: 'signalbox/plan', base: repository.head, onto: 'main' };
    expect(isolation).toEqual({ ...stands, trees, prefix: '', committer });
    expect(notes[0]).toEqual({
      text: `results gather on signalbox/plan, from main at ${repository.head.slice(0, 7)}`,
      kind: 'remark',
    });
    expect(branches()).toEqual([`main ${repository.head}`, `signalbox/plan ${repository.head}`]);
    expect(repository.git('status', '--porcelain')).toBe(before);
  });

  it('gets commits in the name that git knows when the run begins, until all its attempts are judged', async () => {
    repository.git('config', 'user.name', 'ann');
    repository.git('config', 'user.email', 'ann@home');
    const ann = { name: 'ann', email: 'ann@home' };
    expect(await begin()).toMatchObject({ isolation: { committer: ann } });
    repository.git('config', 'user.name', 'evil');
    const earlier = { unfinished: 'worktree', trees: '/elsewhere/plan', branch: 'signalbox/plan' } as const;
    const again = { asked: null, earlier: { ...earlier, committer: ann } };
    expect(await begin(again)).toMatchObject({ isolation: { committer: ann } });
    expect(await begin()).toMatchObject({ isolation: { committer: { ...ann, name: 'evil' } } });
  });

  it('below the top, without a branch', async () => {
    repository.git('checkout', '-q', '--detach');
    repository.write('packages/app/signalbox.yaml', '');
    const { isolation, notes } = await begin({ root: join(repository.root, 'packages/app') });
    expect(isolation).toMatchObject({ prefix: 'packages/app' });
    expect(isolation).not.toHaveProperty('onto');
    expect(texts({ notes })[0]).toContain('from HEAD at');
  });

  it('goes on where an earlier run left it, follows HEAD when it has nothing of its own, and says what it lacks', async () => {
    const earlier = { branch: 'signalbox/plan' };
    await begin();
    const next = repository.commit('next');
    expect(await begin({ earlier })).toMatchObject({ isolation: { base: next } });
    expect(branches()[1]).toBe(`signalbox/plan ${next}`);
    const work = repository.git('commit-tree', '-p', next, '-m', 'work', `${next}^{tree}`);
    repository.git('update-ref', 'refs/heads/signalbox/plan', work);
    expect(texts(await begin({ earlier }))).toEqual([
      `results gather on signalbox/plan, which goes on at ${work.slice(0, 7)}`,
    ]);
    repository.commit('more');
    const begun = await begin({ earlier });
    expect(begun).toMatchObject({ isolation: { base: work } });
    expect(texts(begun)[1]).toBe(
      'main has a commit that signalbox/plan does not have: agents start without it, until both are merged',
    );
    expect(branches()[1]).toBe(`signalbox/plan ${work}`);
    expect(texts(await begin({ asked: 'shared', earlier }))).toEqual([
      'results of earlier runs are on signalbox/plan and not in the workspace: git merge signalbox/plan brings them',
    ]);
    repository.git('branch', '-D', 'signalbox/plan');
    expect(await begin({ earlier })).toMatchObject({ isolation: { base: repository.head } });
  });

  it('that was made, and then the run was killed, is known as ours', async () => {
    const first = await begin();
    expect((await begin()).isolation).toEqual(first.isolation);
  });

  it('of somebody else is refused', async () => {
    repository.git('branch', 'signalbox/plan');
    expect(await refusal({})).toBe(
      '2: the branch signalbox/plan is there already, and no run of plan.yaml here made it (rename it: git branch -m signalbox/plan NEW; or delete it: git branch -D signalbox/plan)',
    );
  });

  it.each([
    ['signalbox', 'signalbox/plan'],
    ['signalbox/plan/x', 'signalbox/plan'],
    ['signalbox-attempts', 'signalbox-attempts/…'],
  ])('that %s makes impossible is refused', async (blocking, wanted) => {
    repository.git('branch', blocking);
    expect(await refusal({})).toBe(
      `2: the branch ${blocking} makes a branch ${wanted} impossible (rename it: git branch -m ${blocking} NEW)`,
    );
  });

  it('beside branches of attempts', async () => {
    repository.git('branch', 'signalbox-attempts/plan/a.1');
    repository.git('branch', 'signalboxes');
    expect((await begin()).isolation!.branch).toBe('signalbox/plan');
  });

  it('that is checked out is refused', async () => {
    await begin();
    repository.git('worktree', 'add', '-q', repository.beside, 'signalbox/plan');
    expect(await refusal({})).toBe(
      `2: signalbox/plan is checked out in ${repository.beside}, so nothing can be merged into it (check out another branch there, and run it again)`,
    );
    rmSync(repository.beside, { recursive: true });
    expect((await begin()).isolation!.branch).toBe('signalbox/plan');
  });

  it('two plans of one name have two', async () => {
    const branchOf = async (path: string, others: string[] = []) =>
      (await begin({ path, earlier: { others: new Set(others) } })).isolation!.branch;
    expect(await branchOf('a/Plan.yaml')).toBe('signalbox/plan');
    // Not recorded yet: its maker is known from the branch.
    expect(await branchOf('b/plan.yaml')).toBe('signalbox/b-plan');
    expect(await branchOf('b/plan.yaml', ['signalbox/plan'])).toBe('signalbox/b-plan');
    expect(await branchOf('b-plan.yaml', ['signalbox/plan'])).toMatch(/^signalbox\/b-plan-[0-9a-f]{8}$/);
    expect(await branchOf('план.yaml')).toMatch(/^signalbox\/plan-[0-9a-f]{8}$/);
    expect(await branchOf(`${'long'.repeat(50)}.yaml`)).toBe(`signalbox/${'long'.repeat(15)}`);
  });

  it('another workspace of the same repository does not take it', async () => {
    await begin();
    repository.git('worktree', 'add', '-q', '-b', 'other', repository.beside);
    expect(await refusal({ root: realpathSync.native(repository.beside) })).toContain('is there already');
  });

  it('eight runs at once begin on the same', async () => {
    const wish = await asking({ asked: 'worktree', includeChanges: true });
    repository.write('new', 'x');
    const begun = await Promise.all(Array.from({ length: 8 }, () => beginIsolation(wish)));
    const tip = repository.git('rev-parse', 'signalbox/plan');
    expect(repository.git('diff', '--name-only', 'main', tip)).toBe('new');
    expect(new Set(begun.map(({ isolation }) => isolation!.branch))).toEqual(new Set(['signalbox/plan']));
    expect(begun.some(({ isolation }) => isolation!.base === tip)).toBe(true);
  });
});

describe('changes that are taken along', () => {
  const prepare = () => {
    repository.write('b.txt', 'b\n');
    repository.write('gone.txt', 'x');
    repository.commit('more');
    repository.write('a.txt', 'changed\n');
    repository.write('b.txt', 'staged\n');
    repository.git('add', 'b.txt');
    rmSync(join(repository.root, 'gone.txt'));
    repository.write('"odd"\n name', 'new\n');
    repository.write('.env', 'SECRET=1\n');
    repository.write('docs/plan-outputs/plan/status.json', '{}');
  };
  const person = () => [repository.git('status', '--porcelain'), repository.git('diff', '--cached'), repository.head];

  it('are a commit on the branch, and the person keeps them as they are', async () => {
    prepare();
    const before = person();
    const { isolation, notes } = await begin({ includeChanges: true });
    expect(person()).toEqual(before);
    expect(repository.git('rev-parse', `${isolation!.base}^`)).toBe(repository.head);
    expect(repository.git('rev-parse', 'signalbox/plan')).toBe(isolation!.base);
    expect(repository.git('diff', '--name-status', '-z', 'main', 'signalbox/plan').split('\0').slice(0, -1)).toEqual([
      ...['A', '"odd"\n name', 'M', 'a.txt', 'M', 'b.txt', 'D', 'gone.txt'],
    ]);
    expect(repository.git('show', '-s', '--format=%B', 'signalbox/plan')).toBe(
      'Take along what was not committed when the run began\n\nSignalbox-Plan: plan.yaml',
    );
    expect(texts({ notes }).slice(1)).toEqual(['.env is not taken along: it is a file with secrets']);
  });

  it('twice are once, and none are none', async () => {
    expect((await begin({ includeChanges: true })).isolation!.base).toBe(repository.head);
    prepare();
    const first = await begin({ includeChanges: true });
    const second = await begin({ includeChanges: true });
    expect(second.isolation).toEqual(first.isolation);
  });

  it('join the results of an earlier run, or conflict with them', async () => {
    await begin();
    repository.git('worktree', 'add', '-q', '--detach', repository.beside, 'signalbox/plan');
    repository.write('work.txt', 'work\n', repository.beside);
    const work = repository.commit('work', repository.beside);
    repository.git('update-ref', 'refs/heads/signalbox/plan', work);
    repository.write('a.txt', 'mine\n');
    const { isolation } = await begin({ includeChanges: true });
    expect(repository.files(isolation!.base)).toEqual({ 'a.txt': 'mine', 'work.txt': 'work' });
    repository.write('work.txt', 'mine too\n');
    expect(await refusal({ includeChanges: true })).toContain(
      '2: what you have not committed conflicts with signalbox/plan: work.txt',
    );
    expect(repository.git('rev-parse', 'signalbox/plan')).toBe(isolation!.base);
  });

  it('in the middle of a merge are refused', async () => {
    repository.git('checkout', '-q', '-b', 'other');
    repository.write('a.txt', 'two\n');
    repository.commit('two');
    repository.git('checkout', '-q', 'main');
    repository.write('a.txt', 'three\n');
    repository.commit('three');
    expect(() => repository.git('merge', 'other')).toThrow();
    expect(await refusal({ includeChanges: true })).toContain('a merge with conflicts is in progress');
  });
});
