// Small things that a person tries without reading anything, and that must not be answered with nonsense.
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Workspace } from '../rig.ts';

const plan = '- [ ] a: Build\n  - run: echo done\n';

describe('the first words', () => {
  const folder = new Workspace();

  test('nothing at all is answered with the help, on standard output', async () => {
    const { code, out, err } = await folder.run();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Usage: signalbox');
  });

  test('help for a command that there is not names the nearest', async () => {
    const { code, out, err } = await folder.run('help', 'statsu');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('there is no help about "statsu"');
    expect(err).toContain('did you mean status?');
    expect((await folder.run('help', 'nope')).err).toContain('"signalbox --help" lists the commands');
  });

  test('help for a command of two words is about both', async () => {
    expect((await folder.run('help', 'lock', 'try')).out).toContain('Usage: signalbox lock try');
    expect((await folder.run('help', 'run')).out).toContain('Usage: signalbox run');
    expect((await folder.run('help', 'lock')).out).toContain('Usage: signalbox lock [FLAGS] COMMAND');
    expect((await folder.run('help', 'lock', 'tyr')).err).toContain('did you mean try?');
  });

  test('the version by each of its names', async () => {
    const { out } = await folder.run('--version');
    expect(out).toMatch(/^\d+\.\d+\.\d+\n$/);
    for (const word of ['version', '-V']) expect(await folder.run(word)).toMatchObject({ code: 0, out, err: '' });
    expect((await folder.run('version', '--json')).json).toEqual({ version: out.trim() });
  });

  test('help and version with --json stay what a program can read', async () => {
    expect((await folder.run('help', 'nope', '--json')).json).toMatchObject({ type: 'error', exitCode: 2 });
  });
});

describe('a plan that is nearly named', () => {
  const folder = new Workspace({ 'checkout.md': plan, 'other.yaml': 'tasks: {a: {run: "true"}}\n', 'docs/p.md': plan });

  test.each([
    ['checkout', 'checkout.md'],
    ['other', 'other.yaml'],
    ['docs/p', 'docs/p.md'],
    ['chekcout.md', 'checkout.md'],
  ])('%s', async (typed, meant) => {
    for (const command of ['run', 'check', 'fmt']) {
      const { code, err } = await folder.run(command, typed);
      expect(code).toBe(2);
      expect(err).toContain(`there is no file ${typed}`);
      expect(err).toContain(`did you mean ${meant}?`);
    }
    expect(folder.has('.signalbox')).toBe(false);
  });
});

describe('which plan is meant', () => {
  const twoPlans = { 'one.md': plan, 'two.md': plan, 'go.md': '- [ ] w: Wait\n  - run: touch here; cat pipe\n' };

  test('several that are known are listed, and set is named', async () => {
    const folder = new Workspace(twoPlans);
    await folder.run('run', 'one.md');
    await folder.run('run', 'two.md');
    const { code, err } = await folder.run('status');
    expect(code).toBe(2);
    expect(err).toContain('2 plans are known here: one.md (complete), two.md (complete)');
    expect(err).toContain('signalbox set');
  });

  test('where none is known, plan files are listed', async () => {
    const none = await new Workspace({ 'notes.md': '# Notes\n' }).run('status');
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining('no plan is known here\n') });
    const some = await new Workspace({ 'plan.md': plan, 'docs/plans/two.md': plan }).run('status');
    expect(some).toMatchObject({
      code: 2,
      err: expect.stringContaining('plan files: plan.md and docs/plans/two.md\n'),
    });
  });

  test('a plan that only says where to look must exist', async () => {
    const folder = new Workspace(twoPlans);
    const { code, err } = await folder.run('lock', 'list', '-p', 'tow.md');
    expect([code, err]).toEqual([2, 'signalbox: there is no file tow.md\n  help: did you mean two.md?\n']);
    expect((await folder.run('lock', 'list', '-p', 'two.md')).code).toBe(0);
  });

  test('the one that is being run, if exactly one is', async () => {
    const { execFileSync } = await import('node:child_process');
    const folder = new Workspace(twoPlans);
    execFileSync('mkfifo', [join(folder.folder, 'pipe')]);
    await folder.run('run', 'one.md');
    await folder.run('run', 'two.md');
    const run = folder.start('run', 'go.md', '--json');
    await run.line(({ type }) => type === 'attempt-started');
    await folder.appears('here');
    for (const command of [
      'status',
      'next',
      'progress',
      'graph',
      'verify',
      'retryable',
      'sync-check',
      'read-findings',
    ]) {
      const args = command === 'read-findings' ? [command, 'w'] : [command];
      expect((await folder.run(...args)).err, command).not.toContain('plans are known here');
    }
    expect((await folder.run('status', '--json')).json.plan).toBe('go.md');
    expect((await folder.run('why', 'w', '--json')).json.task).toBe('w');
    const events = await folder.run('events', '--json');
    expect(events.lines.some(({ plan: of }) => of === 'go.md')).toBe(true);
    expect((await folder.run('pause', '--json')).json.events[0]).toMatchObject({ type: 'plan-paused', plan: 'go.md' });
    expect((await folder.run('stop')).code).toBe(0);
    expect((await run.ended).code).toBe(143);
  });

  test('resume PLAN undoes pause PLAN', async () => {
    const folder = new Workspace(twoPlans);
    await folder.run('run', 'one.md');
    expect((await folder.run('pause', 'two.md')).code).toBe(0);
    expect((await folder.run('run', 'two.md')).code).toBe(6);
    const { code, json } = await folder.run('resume', 'two.md', '--json');
    expect(code).toBe(0);
    expect(json.events).toMatchObject([{ type: 'plan-resumed', plan: 'two.md' }]);
    expect((await folder.run('run', 'two.md')).code).toBe(0);
    expect((await folder.run('resume', 'nope.md')).code).toBe(2);
  });
});

describe('an agent that is a file of the workspace', () => {
  const files = {
    'plan.md': '- [ ] a: Build\n  - agent: mine\n  - check: test -f made\n',
    'scripts/agent.sh': '#!/bin/sh\ntouch made\n',
  };
  const settings = (command: string) => `agents: { mine: { kind: command, command: ${command} } }\n`;

  test.each(['[./scripts/agent.sh]', '[scripts/agent.sh]', '["{workspace}/scripts/agent.sh"]'])(
    '%s',
    async (command) => {
      const folder = new Workspace({ ...files, 'signalbox.yaml': settings(command) });
      chmodSync(join(folder.folder, 'scripts/agent.sh'), 0o755);
      mkdirSync(join(folder.folder, 'deep'));
      const { code, err } = await folder.startIn(join(folder.folder, 'deep'), {}, 'run', '../plan.md').ended;
      expect({ code, err }).toEqual({ code: 0, err: `workspace: ${folder.folder}\n` });
      expect(folder.has('made')).toBe(true);
    },
  );

  test('on a PATH that its own env sets', async () => {
    const folder = new Workspace(files);
    folder.write(
      'signalbox.yaml',
      `agents: { mine: { kind: command, command: [agent.sh], env: { PATH: "${folder.folder}/scripts:/usr/bin:/bin" } } }\n`,
    );
    chmodSync(join(folder.folder, 'scripts/agent.sh'), 0o755);
    expect((await folder.run('run', 'plan.md')).code).toBe(0);
  });

  test('one that is not executable, and one that is not there, are told apart', async () => {
    const folder = new Workspace({ ...files, 'signalbox.yaml': settings('[./scripts/agent.sh]') });
    chmodSync(join(folder.folder, 'scripts/agent.sh'), 0o644);
    const { code, err } = await folder.run('run', 'plan.md');
    expect(code).toBe(7);
    expect(err).toContain('./scripts/agent.sh of the agent mine is not executable');
    folder.write('signalbox.yaml', settings('[./scripts/gone.sh]'));
    const gone = await folder.run('run', 'plan.md');
    expect(gone.code).toBe(7);
    expect(gone.err).toContain('./scripts/gone.sh of the agent mine does not exist');
  });
});

describe('ids in any alphabet', () => {
  const nfd = 'gro\u0308ße';
  const nfc = 'größe';

  test.each([`**${nfc}** Measure`, `${nfc}: Measure`, `**${nfd}** Measure`, `${nfd}: Measure`, `\`${nfd}\` Measure`])(
    '%s',
    async (line) => {
      const folder = new Workspace({
        'plan.md': `- [ ] ${line}\n  - run: echo one\n- [ ] b: Weigh → ${nfd}\n  - run: echo two\n- [ ] c: Tell → ${nfc}\n  - run: echo three\n`,
      });
      const { code } = await folder.run('run', 'plan.md');
      expect(code).toBe(0);
      const { json } = await folder.run('status', '--json');
      expect(
        json.tasks.map(({ id, title, needs }: { id: string; title: string; needs: string[] }) => [id, title, needs]),
      ).toEqual([
        [nfc, 'Measure', []],
        ['b', 'Weigh', [nfc]],
        ['c', 'Tell', [nfc]],
      ]);
      for (const typed of [nfc, nfd]) expect((await folder.run('logs', typed)).out).toContain('one');
    },
  );

  test('one id, written in two ways, is there twice', async () => {
    const folder = new Workspace({ 'plan.md': `- [ ] ${nfc}: One\n- [ ] ${nfd}: Two\n` });
    const { code, err, out } = await folder.run('check', 'plan.md');
    expect(code).toBe(3);
    expect(out + err).toContain('duplicate-id');
  });
});
