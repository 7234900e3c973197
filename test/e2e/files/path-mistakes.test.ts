// A name that no file can have is the mistake of whoever typed it: exit 2 and a sentence with the name, never a bug of ours.
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const tooLong = `${'n'.repeat(300)}.md`;
const mistakes = ['plan.md/x.md', tooLong, `sub/${tooLong}`, 'one.md', 'one.md/x.md'];

/** Each with the name in place of NAME. */
const readers = [
  ...['check', 'run', 'set', 'status', 'graph', 'fmt', 'sync-check', 'pause', 'progress', 'reload'],
  ...['import kiro', 'import backlog', 'detect-stuck'],
].map((command) => `${command} NAME`);
const commands = [
  ...readers,
  'next --plan NAME',
  'verify --plan NAME',
  'why a --plan NAME',
  'write-findings a --file NAME',
];
const writers = ['import kiro tasks.md --out NAME', 'saved restore a-1 --to NAME'];

const about = { attempt: 'a#1', task: 'a', plan: 'plan.md', at: '2026-11-15T12:00:00.000Z', reason: 'deadlock' };
const saved = JSON.stringify({ version: 1, id: 'a-1', token: '1', ...about, files: [] });

describe('a name that no file can have', () => {
  let w: Workspace;
  const ask = (command: string, name: string, env = {}) =>
    w.runWith(env, ...command.split(' ').map((word) => (word === 'NAME' ? name : word)));

  beforeAll(async () => {
    w = new Workspace({ 'plan.md': '- [ ] a: A\n  - run: `true`\n', 'tasks.md': '- [ ] 1. One\n', 'sub/x': '' });
    w.write('.signalbox/saved/a-1/manifest.json', saved);
    symlinkSync('two.md', join(w.folder, 'one.md'));
    symlinkSync('one.md', join(w.folder, 'two.md'));
    expect((await w.run('set', 'plan.md')).code).toBe(0);
  });

  it.each([...commands, ...writers])('%s', async (command) => {
    const ends = await Promise.all(mistakes.map(async (name) => ({ name, ...(await ask(command, name)) })));
    for (const { name, code, out, err } of ends) {
      expect([command, name, code, out, err]).toEqual([command, name, 2, '', expect.stringContaining(name)]);
    }
  });

  it('graph --out NAME, which may take the place of a link', async () => {
    for (const name of mistakes.filter((name) => name !== 'one.md')) {
      const { code, out, err } = await ask('graph --out NAME', name);
      expect([name, code, out, err]).toEqual([name, 2, '', expect.stringContaining(name)]);
    }
  });

  it('in SIGNALBOX_PLAN', async () => {
    for (const name of mistakes) {
      const { code, err } = await ask('next', '', { SIGNALBOX_PLAN: name });
      expect([name, code, err]).toEqual([name, 2, expect.stringContaining(name)]);
    }
  });

  it('of a folder, where there is a file', async () => {
    const { code, err } = await ask('saved restore a-1 --to NAME', 'plan.md');
    expect([code, err]).toEqual([2, expect.stringContaining('plan.md cannot be a folder, because it is a file')]);
  });

  it.each(['new\nline.md', 'tab\t.md', ' plan.md'])('that %j cannot be the current plan', async (name) => {
    w.write(name, '- [ ] a: A\n');
    const { code, err } = await ask('set NAME', name);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(`${JSON.stringify(name)} cannot be the current plan: it `),
    ]);
    expect((await w.run('plans', '--json')).json.current).toBe('plan.md');
  });

  it('that a shell would take for another is hinted so that it does not', async () => {
    w.write('new\nline.md', '- [ ] a: A\n  - run: echo\n');
    expect((await ask('check NAME', 'new\nline.md')).out).toContain("signalbox run $'new\\x0aline.md'\n");
    expect((await ask('fmt NAME --check --ids', 'new\nline.md')).out).not.toContain("'new line.md'");
  });

  it('or that is too long to be replaced, although it can be read', async () => {
    const name = `${'n'.repeat(252)}.md`;
    w.write(name, '* [ ] a: A\n');
    const { code, err } = await ask('fmt NAME --write', name);
    expect([code, err]).toEqual([2, expect.stringContaining(`cannot write ${name}: its name is too long`)]);
  });
});
