// Which isolation a run gets, through the whole program. What then happens in trees is told by the tests of worktrees.
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const done = '---\nisolation: worktree\n---\n- [x] a: Done\n  - run: `true`\n';
const open = '---\nisolation: worktree\n---\n- [ ] a: Build\n  - run: `touch ran`\n';

class Repository extends Workspace {
  constructor(files: Readonly<Record<string, string>>) {
    super(files);
    this.git('init', '-q', '-b', 'main');
    this.git('add', '-A');
    this.git('commit', '-q', '-m', 'begin');
  }

  git(...args: string[]): string {
    const who = ['-c', 'user.name=t', '-c', 'user.email=t@t'];
    return execFileSync('git', [...who, ...args], { cwd: this.folder, encoding: 'utf8' }).trimEnd();
  }

  branches(): string[] {
    return this.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n');
  }
}

it('a run with worktrees says where results go, and records it', async () => {
  const w = new Repository({ 'plan.md': done });
  const head = w.git('rev-parse', 'HEAD');
  const { code, out } = await w.run('run', 'plan.md');
  expect([code, out]).toEqual([
    0,
    expect.stringContaining(`results gather on signalbox/plan, from main at ${head.slice(0, 7)}`),
  ]);
  const started = (await w.run('events', '--json')).lines.find(({ type }) => type === 'run-started');
  expect(started.isolation).toEqual({
    branch: 'signalbox/plan',
    committer: expect.objectContaining({ name: expect.any(String) }),
    base: head,
    trees: expect.stringMatching(/\/trees\/signalbox-test-[^/]+\/plan$/),
    prefix: '',
    onto: 'main',
  });
  expect(w.branches()).toEqual(['main', 'signalbox/plan']);
  expect(w.git('status', '--porcelain', '--', 'plan.md')).toBe('');
  // What is asked for once is what the next run does.
  w.write('plan.md', done.replace('isolation: worktree', 'max-parallel: 2'));
  expect((await w.run('run', 'plan.md')).out).toContain('results gather on signalbox/plan, which goes on at');
});

it('without a word all share the workspace, and nothing is made', async () => {
  const w = new Repository({ 'plan.md': done.replace('isolation: worktree', 'max-parallel: 2') });
  expect((await w.run('run', 'plan.md')).code).toBe(0);
  expect(w.branches()).toEqual(['main']);
  expect((await w.run('run', 'plan.md', '--isolation', 'worktree')).code).toBe(0);
  expect(w.branches()).toEqual(['main', 'signalbox/plan']);
});

describe('looking', () => {
  it('a prompt says before any run where the agent will work, and makes nothing', async () => {
    const plan = (isolation: string) => `---\nagent: claude\n${isolation}---\n- [ ] a: Build\n`;
    const w = new Repository({ 'plan.md': plan('') });
    const { code, out } = await w.run('prompt', 'a', '--plan', 'plan.md');
    expect(code).toBe(0);
    expect(out).toContain('You work in a git worktree of your own, on the branch `signalbox-attempts/plan/a.1`.');
    expect(out).not.toContain('Others work in this folder');
    expect(w.branches()).toEqual(['main']);
    w.write('plan.md', plan('isolation: shared\n'));
    expect((await w.run('prompt', 'a', '--plan', 'plan.md')).out).toContain('Others work in this folder');
    // A run would be refused here.
    const other = new Workspace({ 'plan.md': plan('isolation: worktree\n') });
    expect(await other.run('prompt', 'a', '--plan', 'plan.md')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Others work'),
    });
  });

  it('a dry run and a check say what a run would, and make nothing', async () => {
    const w = new Repository({ 'plan.md': open });
    w.write('new.txt', 'x');
    const { out } = await w.run('run', 'plan.md', '--dry-run');
    const warning =
      'warning: 1 new file is not committed, and agents do not see it: commit it, or add --include-changes';
    expect(out).toContain(warning);
    expect(out).toContain('isolation: worktree (the plan or signalbox.yaml says so); results gather on signalbox/plan');
    expect((await w.run('check', 'plan.md')).out).toContain(`plan.md: ${warning}`);
    const shared = await w.run('run', 'plan.md', '--dry-run', '--isolation', 'shared', '--json');
    expect(shared.json.isolation).toEqual({ kind: 'shared', because: '--isolation says so', branch: null, notes: [] });
    expect([w.branches(), w.has('.signalbox')]).toEqual([['main'], false]);
  });

  it('what a run refuses, a check warns of', async () => {
    const w = new Workspace({ 'plan.md': open });
    const why = `there can be no worktrees: ${realpathSync.native(w.folder)} is in no git repository`;
    const { code, out } = await w.run('check', 'plan.md');
    expect([code, out]).toEqual([0, expect.stringContaining(`plan.md: warning: run refuses this plan: ${why}`)]);
    const refused = await w.run('run', 'plan.md');
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining(why)]);
    expect((await w.run('run', 'plan.md', '--dry-run')).code).toBe(2);
    expect(w.has('.signalbox')).toBe(false);
  });
});

it('a run that is refused for another reason leaves no branch behind', async () => {
  const w = new Repository({ 'plan.md': `${done}- [ ] b: Nobody\n` });
  expect((await w.run('run', 'plan.md')).code).toBe(7);
  expect([w.branches(), w.has('.signalbox')]).toEqual([['main'], false]);
  w.write('plan.md', done);
  expect((await w.run('run', 'plan.md')).code).toBe(0);
  w.git('branch', '-D', 'signalbox/plan');
  w.write('plan.md', `${done}- [ ] b: Nobody\n`);
  expect((await w.run('run', 'plan.md')).code).toBe(7);
  expect(w.branches()).toEqual(['main']);
});
