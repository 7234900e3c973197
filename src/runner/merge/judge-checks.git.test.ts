// What checks say about a merged result, and the tree in which they run.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MergeRig, merged } from '../../../test/rigs/merge-rig.ts';
import { removeRepositories } from '../../../test/rigs/repository.ts';

afterAll(removeRepositories);

const red = (command: string) => ({ kind: 'ended', result: 'red', command });

describe('the checks of a task', () => {
  /** An attempt, and a branch that others have moved meanwhile. */
  const moved = () => {
    const rig = new MergeRig();
    const x = rig.attempt('x', { 'a.txt': 'x\n' });
    rig.moveOn({ 'b.txt': 'others\n' });
    return { rig, x };
  };
  const together = 'cat a.txt b.txt | tr "\\n" " "';

  it('run one after the other on the merged result, and what they print is in the log', async () => {
    const { rig, x } = moved();
    const checks = [`${together}; echo built > built`, 'cat built; printf end'];
    expect(await rig.merge(x, { checks })).toMatchObject({ result: 'merged' });
    expect(rig.log).toContain('x others ');
    expect(rig.log).toMatch(/\nbuilt\nend\n$/);
  });

  it('do not run again where nothing was merged meanwhile', async () => {
    const rig = new MergeRig();
    const x = rig.attempt('x', { 'a.txt': 'x\n' });
    expect(await rig.merge(x, { checks: ['false'] })).toMatchObject({ result: 'merged' });
    expect([rig.log, existsSync(rig.queueTree)]).toEqual(['', false]);
  });

  it('that are red on the merged result alone are the fault of the task, and nothing moves', async () => {
    const { rig, x } = moved();
    const { tip } = rig;
    const check = 'echo "a is $(cat a.txt)"; ! grep -q x a.txt || ! grep -q others b.txt';
    expect(await rig.merge(x, { checks: ['true', check, 'touch never'] })).toEqual(red(check));
    expect(rig.tip).toBe(tip);
    // What the next attempt reads comes last.
    expect(rig.log).toMatch(/ is red on the merged result:\na is x\n$/);
  });

  it('that are green when they run once more are flaky, and named', async () => {
    const { rig, x } = moved();
    const flaky = `[ -e '${rig.repository.beside}/ran' ] || { touch '${rig.repository.beside}/ran'; exit 1; }`;
    expect(await rig.merge(x, { checks: ['true', flaky] })).toEqual({ ...merged(rig.tip, 'a.txt'), flaky: [flaky] });
  });

  it('that are red on the branch itself, and were green where the attempt began, hold the queue', async () => {
    const { rig, x } = moved();
    const { tip } = rig;
    const check = '! grep -q others b.txt';
    const answer = { kind: 'held', because: { kind: 'red-branch', command: check } };
    expect(await rig.merge(x, { checks: ['true', check] })).toEqual(answer);
    expect(rig.tip).toBe(tip);
    expect(await rig.merge(x, { checks: ['true', check], accepted: ['true'] })).toEqual(answer);
    expect(await rig.merge(x, { checks: ['true', check, together], accepted: [check] })).toEqual(
      merged(rig.tip, 'a.txt'),
    );
    expect(rig.log).toMatch(/x others \n$/);
  });

  it('that were red all along are the fault of the task, which was to make them green, unless they are accepted', async () => {
    const { rig, x } = moved();
    expect(await rig.merge(x, { checks: ['false'] })).toEqual(red('false'));
    expect(await rig.merge(x, { checks: ['false'], accepted: ['false'] })).toMatchObject({ result: 'merged' });
  });

  it('find on the branch what the checks before them make, and not what they made of the merged result', async () => {
    const { rig, x } = moved();
    const checks = ['cp a.txt built', 'test -e built && ! grep -q x built'];
    expect(await rig.merge(x, { checks })).toEqual(red(checks[1]!));
    expect(rig.log).toMatch(/before the merge\n(?!.*where the attempt began)/s);
  });

  it('run in the workspace below the top, without variables of git, as a part of the same job', async () => {
    const rig = new MergeRig({ 'app/a.txt': 'one\n', 'b.txt': 'one\n' });
    const x = rig.attempt('x', { 'app/a.txt': 'x\n' });
    rig.moveOn({ 'b.txt': 'others\n' });
    const environment = { ...rig.environment, GIT_DIR: '/nonexistent', SIGNALBOX_TOKEN: 'job' };
    const checks = [
      'cat a.txt; pwd; echo "$SIGNALBOX_TREE $SIGNALBOX_TOKEN"; env | grep ^GIT_; git rev-parse --show-prefix',
    ];
    expect(await rig.merge(x, { checks, prefix: 'app' }, { environment })).toMatchObject({ result: 'merged' });
    const folder = join(rig.queueTree, 'app');
    expect(rig.log).toContain(`x\n${folder}\n${folder} job\napp/\n`);
  });

  it.each<[string, (deep: string) => void]>([
    ['is gone', () => undefined],
    [
      'became a file',
      (deep) => {
        mkdirSync(deep);
        writeFileSync(join(deep, 'app'), '');
      },
    ],
    ['is below a file', (deep) => writeFileSync(deep, '')],
    [
      'became a link',
      (deep) => {
        mkdirSync(deep);
        symlinkSync('..', join(deep, 'app'));
      },
    ],
    ['is below a link that leads out', (deep) => symlinkSync(join(deep, '../../../repository/deep'), deep)],
  ])('are red where the workspace %s', async (_, replace) => {
    const rig = new MergeRig({ 'deep/app/a.txt': 'one\n', 'b.txt': 'one\n' });
    rig.attempt('x', {});
    rig.gitIn('x', 'rm', '-rq', 'deep');
    replace(join(rig.repository.beside, 'x/deep'));
    const x = rig.commit('x', {});
    rig.moveOn({ 'b.txt': 'others\n' });
    expect(await rig.merge(x, { checks: ['true'], prefix: 'deep/app' })).toEqual(red('true'));
    expect(rig.log).toMatch(/there is no folder deep\/app\n$/);
  });
});

describe('the tree of the queue', () => {
  it('is prepared before the first check, and again for a result that needs it', async () => {
    const rig = new MergeRig({ 'need.txt': 'one\n', '.gitignore': 'installed\n', 'b.txt': 'one\n' });
    const [x, y] = [rig.attempt('x', { 'need.txt': 'two\n' }), rig.attempt('y', { 'y.txt': 'y\n' })];
    rig.moveOn({ 'b.txt': 'others\n' });
    const prepared: string[] = [];
    const prepare = async (folder: string, when: string) => {
      prepared.push(when);
      const installed = join(folder, 'installed');
      if (when === 'again' || !existsSync(installed)) writeFileSync(installed, readFileSync(join(folder, 'need.txt')));
    };
    const order = { setup: 'install', checks: ['cmp need.txt installed'] };
    expect(await rig.merge(y, order, { prepare })).toEqual(merged(rig.tip, 'y.txt'));
    expect(prepared).toEqual(['unless it is']);
    // No flake: what it needed was not there.
    expect(await rig.merge(x, order, { prepare })).toEqual(merged(rig.tip, 'need.txt'));
    expect(prepared).toEqual(['unless it is', 'unless it is', 'again']);
  });

  it('that cannot be prepared is trouble, with the reason', async () => {
    const rig = new MergeRig();
    const x = rig.attempt('x', { 'a.txt': 'x\n' });
    rig.moveOn({ 'b.txt': 'others\n' });
    const prepare = async () => {
      throw new Error('the setup ended with code 1:\nno network');
    };
    const { tip } = rig;
    expect(await rig.merge(x, { checks: ['true'] }, { prepare })).toEqual({
      kind: 'trouble',
      problem: 'the setup ended with code 1:\nno network',
    });
    expect(rig.tip).toBe(tip);
  });

  it('is clean for the next merge, whatever a check has left', async () => {
    const rig = new MergeRig({ '.gitignore': 'kept\n', 'a.txt': 'one\n', 'b.txt': 'one\n', 'c.txt': 'one\n' });
    const [x, y] = [rig.attempt('x', { 'a.txt': 'x\n' }), rig.attempt('y', { 'c.txt': 'y\n' })];
    rig.moveOn({ 'b.txt': 'others\n' });
    const spoil = 'echo spoilt | tee a.txt b.txt left.txt kept; git switch -q -c mine; git add -A';
    expect(await rig.merge(x, { checks: [spoil] })).toMatchObject({ result: 'merged' });
    expect(await rig.merge(y, { checks: ['cat a.txt b.txt c.txt kept; ls; [ ! -e left.txt ]'] })).toMatchObject({
      result: 'merged',
    });
    expect(rig.log).toContain('x\nothers\ny\nspoilt\na.txt\n');
  });
});
