// A plan may name a file by a link: it is the same lock as the file's own name.
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const plan = (...keys: string[]) =>
  ['- [ ] a: Edit', '  - run: `echo done > ran`', ...keys.map((key) => `  - ${key}`)].join('\n');

function linked(text: string): Workspace {
  const w = new Workspace({ 'plan.md': text, 'real/a.ts': 'a' });
  symlinkSync('real', join(w.folder, 'link'));
  return w;
}

const linkTo = (w: Workspace, target: string) => {
  rmSync(join(w.folder, 'link'), { force: true });
  symlinkSync(target, join(w.folder, 'link'));
};

describe('a task that names its files through a link', () => {
  it.each(['files: link/a.ts', 'reads: link/*', 'files: link/', 'locks: link/a.ts', 'files: link/new/b.ts, link/a.ts'])(
    '%s: waits for who has the file by its own name',
    async (key) => {
      const w = linked(plan(key));
      expect((await w.run('lock', 'try', 'real/a.ts', '--agent', 'ann')).code).toBe(0);
      const run = w.start('run', 'plan.md', '--json');
      await run.line(({ type }) => type === 'run-started');
      const why = await w.run('why', 'a');
      expect(why.out).toContain('held by ann');
      expect(w.has('ran')).toBe(false);
      await w.run('lock', 'release-all', '--agent', 'ann');
      expect((await run.ended).code).toBe(0);
      const taken = (await w.run('events', '--json')).lines.filter(
        ({ type, task }) => type === 'lock-acquired' && task,
      );
      for (const { resource } of taken) expect(resource).toMatch(/^real/);
    },
  );

  it('is refused where the link leads out of the workspace', async () => {
    const w = linked(plan('files: link/hosts'));
    linkTo(w, '/etc');
    const check = await w.run('check', 'plan.md');
    expect([check.code, check.err + check.out]).toEqual([
      3,
      expect.stringMatching(/plan\.md:3:\d+: error\[bad-lock-key\]: `link\/hosts` in `files` of `a` leads out/),
    ]);
    expect((await w.run('run', 'plan.md')).code).toBe(3);
  });

  it('means what the link leads to now, when the next run starts', async () => {
    const w = linked(plan('files: link/a.ts', 'retries: 0').replace('echo done > ran', 'test -e ok'));
    mkdirSync(join(w.folder, 'other'));
    expect((await w.run('run', 'plan.md')).code).toBe(1);
    linkTo(w, 'other');
    w.write('ok', '');
    await w.run('retry', 'a');
    expect((await w.run('run', 'plan.md')).code).toBe(0);
    const { lines } = await w.run('events', '--json');
    const taken = lines.filter(({ type }) => type === 'lock-acquired').map(({ resource }) => resource);
    expect(taken).toEqual(['real/a.ts', 'other/a.ts']);
  });

  it('that came after the plan was loaded, too', async () => {
    const w = new Workspace({ 'plan.md': plan('files: link/a.ts'), 'real/a.ts': '' });
    await w.run('set', 'plan.md');
    expect((await w.run('suspend', 'a')).code).toBe(0);
    linkTo(w, 'real');
    expect((await w.run('resume', 'a')).code).toBe(0);
    expect((await w.run('run', 'plan.md')).code).toBe(0);
    const { lines } = await w.run('events', '--json');
    expect(lines.filter(({ type }) => type === 'plan-loaded')).toHaveLength(2);
    expect(lines.find(({ type }) => type === 'lock-acquired')).toMatchObject({ resource: 'real/a.ts' });
  });
});

describe('a plan that is named through a link to the folder of the workspace', () => {
  it('is that of the workspace, whichever of the two is the link', async () => {
    const w = new Workspace({ 'ws/plan.md': plan(), 'ws/sub/x': '', 'else/plan.md': plan() });
    const real = join(w.folder, 'ws');
    const by = join(w.folder, 'by-link');
    symlinkSync('ws', by);
    const ask = async (cwd: string, ...args: string[]) => {
      const { code, out, err } = await w.startIn(cwd, {}, ...args).ended;
      return [code, `${out}${err}`];
    };
    expect(await ask(real, 'run', join(by, 'plan.md'))).toEqual([0, expect.anything()]);
    expect(await ask(join(real, 'sub'), 'set', join(by, 'plan.md'))).toEqual([0, expect.stringContaining('plan.md')]);
    expect(w.read('ws/.claude/current-plan.txt').trim()).toBe('plan.md');
    const imported = await ask(real, 'import', 'kiro', 'plan.md', '--out', join(by, 'new.md'));
    expect([imported, w.has('ws/new.md')]).toEqual([[0, expect.anything()], true]);
    // Another folder's plan belongs to that folder's workspace.
    expect(await ask(real, 'check', join(w.folder, 'else', 'plan.md'))).toEqual([
      0,
      expect.stringContaining(`workspace: ${join(w.folder, 'else')}`),
    ]);
    const inside = { SIGNALBOX_WORKSPACE: by };
    const linked = await w.startIn(real, inside, 'status', join(real, 'plan.md'), '--json').ended;
    expect([linked.code, linked.json.plan]).toEqual([0, 'plan.md']);
  });
});
