// A person repairs a task in its tree: the next attempt goes on with that, and nothing of it is lost whatever is typed next.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Line } from '../rig.ts';
import { GitWorkspace } from './git-workspace.ts';

const plan = `tasks:
  a: {prompt: x, retries: 0, check: "test -e fixed; code=$?; echo report > report; exit $code"}
  m: {prompt: x, needs: [a]}
`;

/** `a` has failed, and a person has repaired it in its tree. */
async function repaired(...typed: readonly string[][]): Promise<GitWorkspace> {
  const w = new GitWorkspace({ 'plan.yaml': plan }, { a: 'echo x >> a.txt', m: 'echo m > m.txt' });
  expect((await w.run('run', 'plan.yaml')).code).toBe(5);
  for (const words of typed) expect((await w.run(...words)).code).toBe(0);
  const folder = treeOf(w, 'a');
  writeFileSync(join(folder, 'a.txt'), 'by hand\n');
  writeFileSync(join(folder, 'fixed'), 'fixed\n');
  return w;
}

/** @param task absent: where the results are seen */
const treeOf = (w: GitWorkspace, task?: string): string =>
  w
    .git('worktree', 'list')
    .match(new RegExp(`^\\S*/${task === undefined ? 'integration' : `tasks/${task}`}(?= )`, 'm'))![0];
const savedIn = async (w: GitWorkspace): Promise<string[]> =>
  (await w.run('saved', 'list', '--json')).json.saved.map(({ id }: Line) => id);

describe('what a person repairs in the tree of a task', () => {
  it.each([
    ['resume', [['decide', 'd1', 'fix']], ['resume', 'a']],
    ['retry', [], ['retry', 'a']],
  ])('is what its next attempt begins with, after %s', async (_, before, next) => {
    const w = await repaired(...before);
    expect((await w.run(...next)).code).toBe(0);
    const { code, out } = await w.run('run', 'plan.yaml');
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('a#2 begins with what was changed by hand in its tree: a.txt and fixed'),
    ]);
    expect([w.result('a.txt'), w.result('fixed')]).toEqual(['by hand\nx', 'fixed']);
    // What its checks left behind is nobody's work, and is kept all the same: the last of it is still in the tree.
    expect(() => w.result('report')).toThrow();
    expect(await savedIn(w)).toEqual(['plan/a.1.left', 'plan/a.2']);
    expect(w.git('show', 'signalbox-attempts/plan/a.1.left:report')).toBe('report');
  });

  it('is repaired in the folder that the answer and why name', async () => {
    const w = await repaired();
    const folder = treeOf(w, 'a');
    const words = `You can repair it in ${folder}: its next attempt begins with what you change there.`;
    expect((await w.run('why', 'a')).out).toContain(words);
    const { out } = await w.run('decide', 'd1', 'fix');
    expect(out).toContain(`  ${words}\n  when it is repaired: signalbox resume a`);
    expect((await w.run('why', 'a', '--json')).json).toMatchObject({ status: 'suspended', repair: folder });
    expect((await w.run('why', 'm', '--json')).json.repair).toBeUndefined();
  });

  it.each([
    ['reset', [['reset', '--yes']], ['run', 'plan.yaml']],
    ['run --fresh', [], ['run', 'plan.yaml', '--fresh', '--yes']],
  ])('is kept and listed when the plan is started over, and does not go along: %s', async (_, before, run) => {
    const w = await repaired();
    for (const words of before) expect((await w.run(...words)).code).toBe(0);
    expect((await w.run(...run)).code).toBe(5);
    expect(w.git('show', 'signalbox-attempts/plan/a.1:fixed')).toBe('fixed');
    expect(w.git('show', 'signalbox-attempts/plan/a.2:a.txt')).toBe('x');
    expect(await savedIn(w)).toEqual(expect.arrayContaining(['plan/a.1', 'plan/a.1.left', 'plan/a.2']));
  });
});

describe('what a person changes where the results are seen', () => {
  it('is kept on a branch that saved and clean name, and told once', async () => {
    const w = new GitWorkspace(
      {
        'plan.yaml':
          'baseline: true\ntasks:\n  a: {prompt: x, check: "echo x >> report; test -e a.txt"}\n  b: {run: "true", check: "echo y >> other"}\n',
      },
      { a: 'echo a > a.txt' },
    );
    const first = await w.run('run', 'plan.yaml');
    expect([first.code, first.out]).toEqual([0, expect.not.stringContaining('nobody has committed')]);
    const folder = treeOf(w);
    writeFileSync(join(folder, 'mine.txt'), 'mine\n');
    await w.run('retry', 'b');
    const { out, err } = await w.run('run', 'plan.yaml');
    const words = `${folder} had changes that nobody has committed. They are kept on signalbox-attempts/plan/integration_tree`;
    expect(`${out}${err}`.split(words)).toHaveLength(2);
    expect(w.git('show', 'signalbox-attempts/plan/integration_tree:mine.txt')).toBe('mine');
    expect((await w.run('saved', 'list', '--json')).json.saved).toContainEqual(
      expect.objectContaining({
        ...{ id: 'plan/integration_tree', reason: 'changed where the results are seen', files: 1 },
      }),
    );
    expect((await w.run('saved', 'show', 'plan/integration_tree')).out).toContain('+mine\n');
    const { items } = (await w.run('clean', '--json')).json;
    expect(items).toContainEqual(
      expect.objectContaining({ name: 'signalbox-attempts/plan/integration_tree', because: 'its work is not merged' }),
    );
  });
});
