// `signalbox land` for real: the person's branch, files and index, and what a kill leaves of them.
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findGit } from '../../../src/git/git.ts';
import { Workspace } from '../rig.ts';
import { ResultsWorkspace } from './results-rig.ts';

async function withResults(): Promise<ResultsWorkspace> {
  const w = await new ResultsWorkspace({ 'gone.txt': 'gone\n' }).begun();
  const tree = w.tree('api');
  writeFileSync(join(tree, 'a.txt'), 'two\n');
  writeFileSync(join(tree, 'new.txt'), 'new\n');
  rmSync(join(tree, 'gone.txt'));
  const head = w.commit('api: Build', tree);
  await w.scheduled('api');
  w.merge('signalbox-attempts/plan/api.1');
  await w.ended('api', 1, { branch: 'signalbox-attempts/plan/api.1', base: w.begin, head }, 'merged');
  return w;
}

const clean = (w: ResultsWorkspace) => w.git('status', '--porcelain');

it('lands the results and says what it did', async () => {
  const w = await withResults();
  const dry = await w.run('land', '--dry-run');
  expect([dry.code, dry.err]).toEqual([0, '']);
  expect(dry.out).toBe(
    'Would land on main by fast-forward: 2 commits of signalbox/plan, 3 files\n  a.txt\n  gone.txt\n  new.txt\nsignalbox land does it.\n',
  );
  expect([w.head, clean(w)]).toEqual([w.begin, '']);
  const { code, out } = await w.run('land', 'plan.md');
  expect(code).toBe(0);
  expect(out).toContain('Landed on main by fast-forward: 2 commits of signalbox/plan, 3 files\n');
  expect(out).toContain(`git reset --keep ${w.begin.slice(0, 12)} takes it back.\n`);
  expect([w.head, clean(w), w.has('gone.txt')]).toEqual([w.git('rev-parse', 'signalbox/plan'), '', false]);
  const again = await w.run('land');
  expect([again.code, again.out]).toEqual([0, 'Nothing to land: main has everything of signalbox/plan.\n']);
});

it('is refused with exit code 1, the reason and the way out', async () => {
  const w = await withResults();
  w.write('a.txt', 'mine\n');
  const { code, err, out } = await w.run('land', 'plan.md');
  expect([code, out]).toEqual([1, '']);
  expect(err).toBe(
    'signalbox: nothing was landed: a.txt would be overwritten, and is not committed\n  help: commit, stash or remove your version, then land again\n',
  );
  expect((await w.run('land', '--json')).json).toMatchObject({ result: 'refused', files: ['a.txt'] });
  expect([w.head, w.read('a.txt')]).toEqual([w.begin, 'mine\n']);
});

it('is refused while a run goes on', async () => {
  const w = await withResults();
  w.write('slow.md', '- [ ] s: Sleep\n  - run: `exec sleep 60`\n');
  const run = w.start('run', 'slow.md', '--json');
  await run.line((line) => line.type === 'attempt-started');
  // The runner of another plan is no obstacle; one of this plan is.
  expect((await w.run('land', 'plan.md', '--dry-run', '--json')).json).toMatchObject({ result: 'would-land' });
  const { runner } = (await w.run('events', 'slow.md', '--json')).lines.find(({ type }) => type === 'run-started');
  await w.record({
    ...({ v: 1, type: 'run-started', plan: 'plan.md', run: 'r2', runner, isolation: w.isolation } as never as object),
    ...({ limits: { plan: 1, pools: {} } } as object),
  } as never);
  const { code, err } = await w.run('land', 'plan.md');
  expect(code).toBe(1);
  expect(err).toContain('nothing was landed: a run of plan.md is going on\n');
  run.kill('SIGKILL');
  await run.ended;
});

it('has nothing to land where there was no run, or only shared ones, and says what to type', async () => {
  const w = new Workspace({ 'plan.md': '- [ ] a: A\n  - run: `true`\n' });
  const never = await w.run('land', 'plan.md');
  expect([never.code, never.out, never.err]).toEqual([
    0,
    'Nothing to land: plan.md was never run.\n  run it: signalbox run plan.md\n',
    '',
  ]);
  expect(existsSync(join(w.folder, '.signalbox'))).toBe(false);
  expect((await w.run('run', 'plan.md')).code).toBe(0);
  for (const args of [[], ['--dry-run']]) {
    const shared = await w.run('land', 'plan.md', ...args);
    expect([shared.code, shared.out]).toEqual([
      0,
      'Nothing to land: plan.md was run without worktrees, so what its tasks made is in the workspace already.\n' +
        '  to gather the results of the next run on a branch: signalbox run plan.md --isolation worktree\n',
    ]);
  }
  expect((await w.run('land', '--json')).json).toMatchObject({
    result: 'nothing',
    branch: null,
    instead: expect.stringContaining('--isolation worktree'),
  });
});

describe('killed', () => {
  // Where each call of git that writes begins, and where it has ended.
  const moments = ['read-tree', 'update-ref', 'update-index'].flatMap((call) =>
    (['before', 'behind'] as const).map((when) => [when, call] as const),
  );
  it.each(moments)('%s %s, it is finished by the next one', async (when, call) => {
    const w = await withResults();
    w.git('switch', '-q', 'main');
    w.write('mine.txt', 'mine\n');
    const mine = w.commit('mine');
    // As a git that was killed in the middle of its files leaves them.
    if (call === 'update-index') w.write('new.txt', 'new\n');
    const tools = new Workspace();
    const real = findGit({ root: w.root, environment: { PATH: process.env.PATH ?? '' } })!;
    const [before, behind] = when === 'before' ? ['kill -9 $PPID; exit', ':'] : [':', 'kill -9 $PPID'];
    tools.write(
      'git',
      `#!/bin/sh\ncase " $* " in *" ${call} "*) if ! [ -e "${tools.folder}/done" ]; then touch "${tools.folder}/done"; ${before}\n"${real}" "$@"; ${behind}; exit; fi;; esac\nexec "${real}" "$@"\n`,
    );
    chmodSync(join(tools.folder, 'git'), 0o755);
    const killed = await w.startWith({ PATH: `${tools.folder}${delimiter}${process.env.PATH}` }, 'land').ended;
    expect([killed.code, tools.has('done')]).toEqual([null, true]);
    const between = w.head;
    expect(between === mine || w.git('log', '-1', '--format=%P', between).startsWith(mine)).toBe(true);
    const { code, err } = await w.run('land');
    expect([code, err]).toEqual([0, '']);
    expect(clean(w)).toBe('');
    expect(w.git('log', '--format=%s', '--first-parent', 'main')).toBe('Merge signalbox/plan: Build it\nmine\nbegin');
    expect([w.read('a.txt'), w.read('new.txt'), w.has('gone.txt')]).toEqual(['two\n', 'new\n', false]);
  });
});
