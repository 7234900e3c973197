// What goes against what is settled: refused with a way out that works when it is typed, or recorded as a decision.
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const plan = '# P\n- [ ] a: A\n  - files: src/a.ts\n- [ ] b: B → a\n- [ ] `-d`: D\n';
const opened = async () => {
  const w = new Workspace({ 'plan.md': plan, 'signalbox.yaml': '' });
  await w.run('set', 'plan.md');
  return w;
};

/** Types what the help says, in a shell. */
function type(w: Workspace, said: string): number {
  const [, command] = /: signalbox (.*)$/m.exec(said) ?? [];
  expect(command, said).toBeDefined();
  const script = `exec "${process.execPath}" "${resolve('bin/signalbox.cjs')}" ${command}`;
  try {
    execFileSync('sh', ['-c', script], {
      cwd: w.folder,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        SIGNALBOX_STATE: process.env.SIGNALBOX_STATE,
        USER: 'tester',
      },
      stdio: 'ignore',
    });
    return 0;
  } catch (error) {
    return (error as { status: number }).status;
  }
}

const decided = async (w: Workspace): Promise<string[]> => {
  const { out } = await w.run('decide', '--history');
  return [...out.matchAll(/go-on, by .*?: (.*)$/gm)].map(([, reason]) => reason!);
};

describe('a completed task', () => {
  it('is done again by a decision, in every way that is offered', async () => {
    const w = await opened();
    await w.run('mark-complete', 'a');
    for (const words of [
      ['mark-complete', 'a'],
      ['retry', 'a'],
      ['run', '--retry', 'a'],
    ]) {
      const refused = await w.run(...words);
      expect([words, refused.code]).toEqual([words, 2]);
      expect(refused.err).toContain('a is already completed');
      expect(type(w, refused.err)).toBe(0);
      expect((await w.run('mark-complete', 'a')).code).toBe(0);
    }
    expect(await decided(w)).toEqual(Array(3).fill('a is already completed; TEXT'));
    for (const words of [
      ['mark-failed', 'a', '--error', 'x'],
      ['mark-started', 'a'],
      ['mark-complete', 'a'],
      ['mark-complete', 'a', '--force', '--reason', 'twice'],
      ['mark-skipped', 'a', '--treat-as-done', '--force'],
    ]) {
      const forced = words[0] === 'mark-failed' ? [...words, '--force', '--reason', 'wrong'] : words;
      expect([words, (await w.run(...forced)).code]).toEqual([words, 0]);
    }
    expect((await decided(w)).slice(3)).toEqual([
      'a is already completed; wrong',
      'a is already completed; twice',
      'a is already completed',
    ]);
    expect((await w.run('validate', '--json')).json).toMatchObject({ ok: true });
  });
});

describe('a pause', () => {
  it('is not gone around by handing in at once', async () => {
    const w = await opened();
    await w.run('mark-started', 'a');
    await w.run('pause');
    for (const words of [
      ['mark-complete', '--', '-d'],
      ['mark-failed', '--error', 'x', '--', '-d'],
    ]) {
      const refused = await w.run(...words);
      expect([words, refused.code]).toEqual([words, 2]);
      expect(refused.err).toContain('plan.md was paused by');
    }
    expect((await w.run('mark-complete', 'a')).code).toBe(0);
    expect((await w.run('mark-complete', '--force', '--reason', 'r', '--', '-d')).code).toBe(0);
    expect(await decided(w)).toEqual([expect.stringMatching(/^plan\.md was paused by .*; r$/)]);
  });
});

describe('what somebody else has started', () => {
  it('is theirs, until somebody decides', async () => {
    const w = await opened();
    await w.run('mark-started', 'a');
    const bob = { SIGNALBOX_AGENT: 'bob' };
    for (const words of [['mark-complete'], ['mark-failed', '--error', 'x'], ['mark-skipped', '--treat-as-done']]) {
      const refused = await w.runWith(bob, ...words, 'a');
      expect([words, refused.code]).toEqual([words, 2]);
      expect(refused.err).toContain('by hand');
    }
    expect((await w.run('lock', 'list')).out).toContain('src/a.ts');
    const forced = await w.runWith(bob, 'mark-complete', 'a', '--force', '--reason', 'away');
    expect(forced.code).toBe(0);
    expect(await decided(w)).toEqual([expect.stringMatching(/^.* started a by hand; away$/)]);
  });
});

describe('flags that contradict each other', () => {
  it.each(['skip', 'mark-skipped'])('%s takes one of them', async (command) => {
    const w = await opened();
    const { code, err } = await w.run(command, 'a', '--dependents', '--treat-as-done');
    expect([code, err]).toEqual([2, expect.stringContaining('contradict each other')]);
    expect((await w.run('status', '--json')).json.summary).toMatchObject({ pending: 3 });
  });
});

describe('a name with a leading dash', () => {
  it('is written so that it can be typed', async () => {
    const w = await opened();
    const unknown = await w.run('mark-started', '-d');
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('signalbox mark-started -- -d;')]);
    expect((await w.run('mark-started', '--', '-d')).out).toContain('  signalbox mark-complete -- -d\n');
    expect(type(w, (await w.run('mark-started', '--', '-d')).err)).toBe(0);
    w.write('-dash.md', '- [ ] a: A\n  - run: echo\n');
    expect((await w.run('check', '--', '-dash.md')).out).toContain('signalbox run ./-dash.md\n');
  });
});
