// Locks through the real commands: agents call them from any shell, several at once.
import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Line, type Started, Workspace } from '../rig.ts';

const lock = (w: Workspace, ...args: string[]) => w.run('lock', ...args);
const list = async (w: Workspace) => (await lock(w, 'list', '--json')).json;

/** Resolves when the table shows what is wanted; every look is a process of its own, so nothing here spins. */
async function until(w: Workspace, holds: (table: Line) => boolean): Promise<Line> {
  for (;;) {
    const { json: table } = await w.start('lock', 'list', '--json').ended;
    if (holds(table)) return table;
  }
}

describe('the commands', () => {
  it('say by their exit code who got it', async () => {
    const w = new Workspace();
    expect((await lock(w, 'try', 'a', '--agent', 'A')).code).toBe(0);
    const busy = await lock(w, 'try', 'a', '--agent', 'B');
    expect(busy.code).toBe(1);
    expect(busy.err).toContain('a has been held by A');
    expect((await lock(w, 'check', 'a')).code).toBe(1);
    expect((await lock(w, 'check', 'b')).code).toBe(0);
    expect((await lock(w, 'release', 'a', '--agent', 'A')).code).toBe(0);
    expect((await lock(w, 'wait', 'a', '--timeout', '5', '--agent', 'B')).code).toBe(0);
    expect((await lock(w, 'release-all', '--agent', 'B')).out).toContain('released a');
    expect((await lock(w, 'list')).out).toBe('Nobody holds a lock.\n');
  });

  it('need somebody who asks, a resource inside the workspace, and a reason to force', async () => {
    const w = new Workspace();
    expect((await lock(w, 'try', 'a')).code).toBe(2);
    expect((await lock(w, 'try', '/etc/passwd', '--agent', 'A')).code).toBe(2);
    expect((await lock(w, 'try', '../x', '--agent', 'A')).code).toBe(2);
    await lock(w, 'try', 'a', '--agent', 'A');
    expect((await lock(w, 'release', 'a', '--force')).code).toBe(2);
    expect((await lock(w, 'release', 'a', '--force', '--reason', 'gone')).code).toBe(0);
    expect((await lock(w, 'check', 'a')).code).toBe(0);
  });

  it('create nothing when they only look', async () => {
    const w = new Workspace();
    expect((await lock(w, 'list', '--json')).json).toEqual({ holds: [], waits: [], deadlocks: [] });
    await lock(w, 'check', 'a');
    expect(w.has('.signalbox')).toBe(false);
  });

  it('mean one lock by every spelling of a path', async () => {
    const w = new Workspace({ 'b.ts': '', 'sub/x': '' });
    mkdirSync(join(w.folder, 'real'));
    symlinkSync(join(w.folder, 'b.ts'), join(w.folder, 'link.ts'));
    symlinkSync(join(w.folder, 'real'), join(w.folder, 'folder'));
    expect((await lock(w, 'try', './sub/../b.ts', '--agent', 'A')).code).toBe(0);
    for (const spelling of ['b.ts', 'link.ts', join(w.folder, 'b.ts'), './b.ts', '*.ts', '**']) {
      expect([spelling, (await lock(w, 'try', spelling, '--agent', 'B')).code]).toEqual([spelling, 1]);
    }
    expect((await lock(w, 'try', 'folder/new.ts', '--agent', 'A')).code).toBe(0);
    expect((await lock(w, 'try', 'real/new.ts', '--agent', 'B')).code).toBe(1);
  });

  it('mean one lock also while that to which a link leads is missing, and when it comes', async () => {
    const w = new Workspace({ 'sub/x': '' });
    symlinkSync('gen.ts', join(w.folder, 'alias.ts'));
    symlinkSync('made', join(w.folder, 'folder'));
    symlinkSync('/etc/signalbox-is-not-here', join(w.folder, 'out'));
    const taken = async (agent: string, ...names: string[]) => (await lock(w, 'try', ...names, '--agent', agent)).code;
    expect(await taken('A', 'alias.ts', 'folder/x.ts')).toBe(0);
    expect([await taken('B', 'gen.ts'), await taken('B', 'made/x.ts')]).toEqual([1, 1]);
    expect(await taken('B', 'out')).toBe(2);
    w.write('gen.ts', '');
    w.write('made/x.ts', '');
    expect((await lock(w, 'release', 'alias.ts', 'made/x.ts', '--agent', 'A')).code).toBe(0);
    expect((await lock(w, 'list')).out).toBe('Nobody holds a lock.\n');
  });

  it('let go by the old name of what has become a link since', async () => {
    const w = new Workspace();
    expect((await lock(w, 'try', 'a.ts', 'd/x.ts', 'e/y.ts', '--agent', 'A')).code).toBe(0);
    symlinkSync('b.ts', join(w.folder, 'a.ts'));
    for (const name of ['d', 'e']) symlinkSync('real', join(w.folder, name));
    const others = await lock(w, 'release', 'a.ts', 'd/x.ts', '--agent', 'B');
    expect(others.err).toBe('not held by B: b.ts and real/x.ts\n');
    expect((await lock(w, 'release', 'a.ts', 'd/x.ts', '--agent', 'A')).out).toBe('released a.ts and d/x.ts\n');
    expect((await lock(w, 'release', 'e/y.ts', '--force', '--reason', 'gone')).out).toBe('released e/y.ts\n');
    expect((await list(w)).holds).toEqual([]);
  });

  it.each(['', ' ', '\t'])('take no name that is blank for the whole workspace: %j', async (name) => {
    const w = new Workspace();
    for (const command of ['try', 'wait', 'check', 'release']) {
      const { code, err } = await lock(w, command, name, ...(command === 'check' ? [] : ['--agent', 'A']));
      expect([command, code, err]).toEqual([command, 2, expect.stringContaining(`${JSON.stringify(name)} is empty`)]);
    }
    expect((await lock(w, 'try', '.', '--agent', 'A')).out).toBe('A holds **\n');
  });

  it('share what is only read, and take many or none', async () => {
    const w = new Workspace();
    expect((await lock(w, 'try', 'a', '--shared', '--agent', 'A')).code).toBe(0);
    expect((await lock(w, 'try', 'a', '--shared', '--agent', 'B')).code).toBe(0);
    expect((await lock(w, 'try', 'b', 'a', '--agent', 'C')).code).toBe(1);
    expect((await lock(w, 'check', 'b')).code).toBe(0);
  });

  it('from twenty processes at once give one lock to one', async () => {
    const w = new Workspace();
    await lock(w, 'list');
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) => w.start('lock', 'try', 'db:test', '--agent', `a${i}`).ended),
    );
    expect(all.map(({ code }) => code).sort()).toEqual([0, ...Array(19).fill(1)]);
    expect((await list(w)).holds).toHaveLength(1);
  });
});

describe('who waits', () => {
  it('is handed the lock in turn', async () => {
    const w = new Workspace();
    await lock(w, 'try', 'a', '--agent', 'H');
    const waiters: Started[] = [];
    for (const name of ['W1', 'W2', 'W3']) {
      waiters.push(w.start('lock', 'wait', 'a', '--agent', name, '--json'));
      await until(w, ({ waits }) => waits.length === waiters.length);
    }
    for (const [i, name] of ['H', 'W1', 'W2'].entries()) {
      await lock(w, 'release', 'a', '--agent', name);
      expect((await waiters[i]!.ended).json).toMatchObject({ answer: 'granted', owner: `W${i + 1}` });
      const { holds, waits } = await list(w);
      expect(holds).toMatchObject([{ owner: `W${i + 1}` }]);
      expect(waits).toHaveLength(2 - i);
    }
  });

  it('gives up in time, and leaves nothing behind', async () => {
    const w = new Workspace();
    await lock(w, 'try', 'a', '--agent', 'H');
    const ended = await lock(w, 'wait', 'a', '--agent', 'W', '--timeout', '1', '--json');
    expect(ended.code).toBe(1);
    expect(ended.json).toMatchObject({ answer: 'timeout', holders: [{ owner: 'H', resource: 'a' }] });
    expect((await list(w)).waits).toEqual([]);
  });

  it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
    'and dies by %s vanishes, and the next is served',
    async (signal) => {
      const w = new Workspace();
      await lock(w, 'try', 'a', '--agent', 'H');
      const first = w.start('lock', 'wait', 'a', '--agent', 'W1');
      await until(w, ({ waits }) => waits.length === 1);
      const second = w.start('lock', 'wait', 'a', '--agent', 'W2');
      await until(w, ({ waits }) => waits.length === 2);
      first.kill(signal);
      await first.ended;
      await until(w, ({ waits }) => waits.length === 1);
      await lock(w, 'release', 'a', '--agent', 'H');
      expect((await second.ended).code).toBe(0);
      expect((await list(w)).holds).toMatchObject([{ owner: 'W2' }]);
    },
  );
});

describe('a waiter whose process was killed, with nobody else there', () => {
  it('is not listed, and is in the way of nobody', async () => {
    const w = await withDeadWaiter();
    expect((await list(w)).waits).toEqual([]);
    expect((await lock(w, 'check', 'a', '--shared')).err).not.toContain('W');
    expect((await w.run('graph', '--waits', '--json')).json.parties).toEqual([]);
  });

  it.each([
    ['release', 'a', '--agent', 'H'],
    ['release-all', '--agent', 'H'],
    ['release', 'a', '--force', '--reason', 'gone'],
  ])('is not handed the lock: %s', async (...args) => {
    const w = await withDeadWaiter();
    expect((await lock(w, ...args)).code).toBe(0);
    expect((await list(w)).holds).toEqual([]);
    expect((await lock(w, 'try', 'a', '--agent', 'B')).code).toBe(0);
  });

  /** H has it; W waited for it. */
  async function withDeadWaiter(): Promise<Workspace> {
    const w = new Workspace();
    await lock(w, 'try', 'a', '--agent', 'H');
    const waiter = w.start('lock', 'wait', 'a', '--agent', 'W');
    await until(w, ({ waits }) => waits.length === 1);
    waiter.kill('SIGKILL');
    await waiter.ended;
    return w;
  }
});

describe('a lock that is bound to a process', () => {
  it('stays while the process is only stopped, and goes when it is gone', async () => {
    const w = new Workspace();
    const holder = spawn('sleep', ['1000'], { stdio: 'ignore' });
    await lock(w, 'try', 'a', '--agent', 'H', '--pid', String(holder.pid));
    holder.kill('SIGSTOP');
    expect((await lock(w, 'try', 'a', '--agent', 'B')).code).toBe(1);
    const waiting = w.start('lock', 'wait', 'a', '--agent', 'W');
    await until(w, ({ waits }) => waits.length === 1);
    holder.kill('SIGKILL');
    expect((await waiting.ended).code).toBe(0);
    expect((await list(w)).holds).toMatchObject([{ owner: 'W' }]);
  });

  it('is so also when it had to be waited for', async () => {
    const w = new Workspace();
    const holder = spawn('sleep', ['1000'], { stdio: 'ignore' });
    await lock(w, 'try', 'a', '--agent', 'H');
    const waiting = w.start('lock', 'wait', 'a', '--agent', 'W', '--pid', String(holder.pid));
    await until(w, ({ waits }) => waits.length === 1);
    await lock(w, 'release', 'a', '--agent', 'H');
    expect((await waiting.ended).code).toBe(0);
    expect((await list(w)).holds).toMatchObject([{ owner: 'W', until: null }]);
    holder.kill('SIGKILL');
    expect((await lock(w, 'wait', 'a', '--agent', 'B', '--timeout', '10')).code).toBe(0);
  });
});

describe('a lock of somebody by name', () => {
  it('goes some time after their last call, also when it had to be waited for', async () => {
    const w = new Workspace();
    await lock(w, 'try', 'a', '--agent', 'H');
    const waiting = w.start('lock', 'wait', 'a', '--agent', 'W');
    await until(w, ({ waits }) => waits.length === 1);
    await lock(w, 'release', 'a', '--agent', 'H');
    await waiting.ended;
    expect((await list(w)).holds).toMatchObject([{ owner: 'W', until: expect.any(String) }]);
  });
});

describe('a task that somebody works on by hand', () => {
  it('has its locks for them, and for nobody else; what they take beside goes with it', async () => {
    const w = new Workspace({ 'plan.yaml': 'tasks:\n  x: {run: "true", files: ["src/**"]}\n' });
    expect((await w.runWith({ SIGNALBOX_AGENT: 'ann' }, 'mark-started', 'x', '--plan', 'plan.yaml')).code).toBe(0);
    for (const key of ['src/**', 'src/a.ts']) expect((await lock(w, 'try', key, '--agent', 'ann')).code).toBe(0);
    const busy = await lock(w, 'try', 'src/a.ts', '--agent', 'bob');
    expect([busy.code, busy.err]).toEqual([1, expect.stringContaining('src/a.ts has been held by x#1')]);
    // It has no process, and a run would not free it.
    expect((await lock(w, 'list')).out).not.toContain('dead');
    expect((await lock(w, 'release', 'src/a.ts', 'src/**', '--agent', 'ann', '--json')).json).toMatchObject({
      released: ['src/a.ts'],
      notHeld: ['src/**'],
    });
    await lock(w, 'try', 'src/a.ts', '--agent', 'ann');
    expect((await w.runWith({ SIGNALBOX_AGENT: 'ann' }, 'mark-complete', 'x', '--plan', 'plan.yaml')).code).toBe(0);
    expect((await list(w)).holds).toEqual([]);
  });
});

describe('agents that Signalbox did not start', () => {
  it('are never stopped: the request that would close the circle is refused with its words', async () => {
    const w = new Workspace();
    await lock(w, 'try', 'a', '--agent', 'A');
    await lock(w, 'try', 'b', '--agent', 'B');
    const waiting = w.start('lock', 'wait', 'b', '--agent', 'A');
    await until(w, ({ waits }) => waits.length === 1);
    const refused = await lock(w, 'wait', 'a', '--agent', 'B', '--json');
    expect(refused.code).toBe(5);
    expect(refused.json).toMatchObject({ answer: 'deadlock', reason: expect.stringContaining('A') });
    expect((await lock(w, 'try', 'a', '--agent', 'B')).code).toBe(5);
    await lock(w, 'release', 'b', '--agent', 'B');
    expect((await waiting.ended).code).toBe(0);
  });
});
