// Folders that may not be written to, for root as well: they are mounted so. What cannot be written is named, with a documented code, and
// nothing is lost.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Line, Workspace } from '../rig.ts';

const mayMount = spawnSync('unshare', ['-m', 'true']).status === 0;

describe.runIf(!mayMount)('a folder that may not be written to', () => {
  it.skip('is not shown here: nothing can be mounted');
});

describe.runIf(mayMount)('a folder that may not be written to', () => {
  const mounted: string[] = [];
  const mount = (folder: string, ...options: string[]) => {
    mkdirSync(folder, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', ...options, 'tmpfs', folder]);
    mounted.unshift(folder);
  };
  const unmount = () => {
    for (const folder of mounted.splice(0)) execFileSync('umount', ['-l', folder]);
  };
  afterEach(unmount);

  it('of the status files is a warning to whoever marks, and a clear refusal to whoever writes there', async () => {
    const w = new Workspace({ 'plan.md': '- [ ] a: A\n- [ ] b: B\n', 'other.md': '- [ ] z: Z\n', text: 'new\n' });
    mount(join(w.folder, 'docs/plan-outputs'), '-o', 'ro');
    for (const args of [
      ['set', 'plan.md'],
      ['mark-started', 'a'],
      ['mark-complete', 'a'],
      ['set', 'other.md'],
    ]) {
      const { code, err } = await w.run(...args);
      expect([code, err]).toEqual([0, expect.stringMatching(/^⚠ the status\.json of \S+ could not be written .*\n$/)]);
    }
    expect(w.read('.claude/current-plan.txt')).toBe('other.md\n');
    const written = await w.run('write-findings', 'a', '--file', 'text', '--plan', 'plan.md');
    expect([written.code, written.err]).toEqual([
      70,
      expect.stringMatching(/^signalbox: the findings of a could not be written: .*Nothing is lost/),
    ]);
    expect(await w.status('plan.md')).toEqual({ a: 'completed', b: 'pending' });
    // What cannot be put right stays wrong, and the rest is told too.
    const tried = await w.run('validate', '--fix', '--json');
    expect(tried.code).toBe(1);
    expect(tried.json.problems.map(({ about, fixed }: Line) => [about, fixed])).toEqual([
      ['status', false],
      ['timestamps', false],
      ['status', false],
    ]);
    expect(tried.json.problems[0].help).toMatch(/^it could not be put right \(E/);
    unmount();
    expect((await w.run('validate', '--fix')).code).toBe(0);
    expect((await w.run('validate')).out).toMatch(/^OK: /);
    const { tasks } = JSON.parse(w.read('docs/plan-outputs/plan/status.json'));
    expect(tasks.map(({ status }: Line) => status)).toEqual(['completed', 'pending']);
  });

  it('of the current plan refuses set, and leaves the one that was', async () => {
    const w = new Workspace({ 'plan.md': '- [ ] a: A\n', '.claude/x': '' });
    mount(join(w.folder, '.claude'), '-o', 'ro');
    const { code, err } = await w.run('set', 'plan.md');
    expect([code, err]).toEqual([70, expect.stringMatching(/^signalbox: plan\.md could not be made the current plan/)]);
    expect(err).not.toMatch(/bug/);
  });

  it('with everything in it can be looked at, and refuses every command that writes', async () => {
    const w = new Workspace();
    mount(w.folder);
    w.write('plan.md', '- [ ] a: A\n- [ ] b: B\n');
    w.write('text', 'new\n');
    await w.run('set', 'plan.md');
    await w.run('mark-started', 'a');
    const before = w.read('docs/plan-outputs/plan/status.json');
    execFileSync('mount', ['-o', 'remount,ro', w.folder]);
    for (const args of [
      ['mark-complete', 'a'],
      ['mark-failed', 'a', '--error', 'e'],
      ['mark-started', 'b'],
      ['mark-skipped', 'b'],
      ['write-findings', 'a', '--file', 'text'],
      ['start-run'],
      ['set', 'plan.md'],
      ['lock', 'try', 'x', '--agent', 'ann'],
    ]) {
      const { code, err } = await w.run(...args);
      expect([code, err]).toEqual([70, expect.stringMatching(/read-only for this user/)]);
      expect(err).not.toMatch(/bug/);
    }
    expect(await w.status('plan.md')).toEqual({ a: 'in_progress', b: 'pending' });
    for (const args of ['next', 'why b', 'progress', 'plans', 'lock list', 'events', 'validate', 'validate --fix']) {
      const { code, out, err } = await w.run(...args.split(' '));
      expect([args, code, out === '', err]).toEqual([args, 0, false, '']);
    }
    execFileSync('mount', ['-o', 'remount,rw', w.folder]);
    expect(w.read('docs/plan-outputs/plan/status.json')).toBe(before);
    expect(await w.status('plan.md')).toEqual({ a: 'in_progress', b: 'pending' });
    expect((await w.run('mark-complete', 'a')).code).toBe(0);
  });
});
