// How the server lives and dies: waits, cancelled calls, several clients, clients that are killed, a store that is busy, and its own end.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { identify } from '../../../src/agents/process/process-identity.ts';
import { closeSessions, connect, startParent, startServer } from '../../rigs/mcp-rig.ts';
import { type Line, Workspace } from '../rig.ts';

afterEach(closeSessions);

const workspace = () => new Workspace({ 'plan.md': '- [ ] a: A\n  - run: `true`\n' });
const waits = async (w: Workspace) => (await w.run('lock', 'list', '--json')).json;

/** Resolves when the locks are as they should be: whoever changes them is another process. */
async function locksBecome(w: Workspace, fits: (list: Line) => boolean): Promise<Line> {
  for (;;) {
    const list = await waits(w);
    if (fits(list)) return list;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const calling = (id: number, name: string, given: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: given },
});

const hello = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
];

const isOnlyAnns = ({ waits: waiting, holds }: Line): boolean =>
  waiting.length === 0 && holds.every(({ owner }: Line) => owner === 'ann');

describe('two clients', () => {
  it('get a lock one after the other, and are told who has it meanwhile', async () => {
    const w = workspace();
    const [ann, bob] = [await connect(w, { args: ['--agent', 'ann'] }), await connect(w, { args: ['--agent', 'bob'] })];
    expect(await ann.call('lock_acquire', { resources: ['a.ts'] })).toMatchObject({ answer: 'granted', owner: 'ann' });
    expect(await bob.call('lock_acquire', { resources: ['a.ts'], timeout: 0 })).toMatchObject({
      answer: 'timeout',
      holders: [{ owner: 'ann' }],
      advice: expect.stringContaining('again'),
    });
    const waiting = bob.call('lock_acquire', { resources: ['a.ts'] });
    await locksBecome(w, (list) => list.waits.length === 1);
    expect(await ann.call('lock_status')).toMatchObject({ holds: [{ owner: 'ann' }], waits: [{ owner: 'bob' }] });
    await ann.call('lock_release', { resources: ['a.ts'] });
    expect(await waiting).toMatchObject({ answer: 'granted', owner: 'bob' });
  });

  it('that would wait for each other are refused with the cycle, and nobody is killed', async () => {
    const w = workspace();
    const [ann, bob] = [await connect(w, { args: ['--agent', 'ann'] }), await connect(w, { args: ['--agent', 'bob'] })];
    await ann.call('lock_acquire', { resources: ['a.ts'] });
    await bob.call('lock_acquire', { resources: ['b.ts'] });
    const waiting = ann.call('lock_acquire', { resources: ['b.ts'] });
    await locksBecome(w, (list) => list.waits.length === 1);
    const refused = await bob.call('lock_acquire', { resources: ['a.ts'] });
    expect(refused).toMatchObject({ answer: 'deadlock', release: ['b.ts'] });
    expect(refused.reason).toMatch(/ann.*bob|bob.*ann/);
    await bob.call('lock_release', { resources: ['b.ts'] });
    expect(await waiting).toMatchObject({ answer: 'granted' });
  });
});

/** Its check ends when it may. */
const slow = () =>
  new Workspace({
    'plan.md': '- [ ] a: A\n  - agent: none\n  - check: `touch begun; until [ -e go ]; do sleep 0.02; done`\n',
    'signalbox.yaml': 'agents:\n  none: { kind: command, command: ["true"] }\n',
  });

it('does again what was cancelled, also with the same key', async () => {
  const w = slow();
  const { call } = await connect(w);
  const given = { task: 'a', plan: 'plan.md', request: 'k' };
  const abort = new AbortController();
  const first = call('complete_task', given, abort.signal);
  await w.appears('begun');
  abort.abort();
  await expect(first).rejects.toThrow();
  w.write('go', '');
  expect(await call('complete_task', given)).toMatchObject({ ok: true });
});

describe('a wait', () => {
  it('that is cancelled leaves the queue, and the server goes on', async () => {
    const w = workspace();
    await w.run('lock', 'try', 'a.ts', '--agent', 'ann');
    const { call } = await connect(w);
    const abort = new AbortController();
    const waiting = call('lock_acquire', { resources: ['a.ts'] }, abort.signal);
    await locksBecome(w, (list) => list.waits.length === 1);
    abort.abort();
    await expect(waiting).rejects.toThrow();
    expect(await locksBecome(w, (list) => list.waits.length === 0)).toMatchObject({ holds: [{ owner: 'ann' }] });
    expect(await call('run_status', { plan: 'plan.md' })).toMatchObject({ plan: 'plan.md' });
  });

  it('tells of its progress, so that clients stay patient', async () => {
    const w = workspace();
    await w.run('lock', 'try', 'a.ts', '--agent', 'ann');
    const { client } = await connect(w);
    const told = new Promise((resolve) => {
      client
        .callTool({ name: 'lock_acquire', arguments: { resources: ['a.ts'], timeout: 7 } }, { onprogress: resolve })
        .catch(() => undefined);
    });
    expect(await told).toMatchObject({ progress: 1, message: expect.stringContaining('lock_acquire') });
  }, 15_000);
});

describe('a client that is gone', () => {
  it('leaves no lock, no wait and no server behind', async () => {
    const w = workspace();
    await w.run('lock', 'try', 'b.ts', '--agent', 'ann');
    const { client, transport, call } = await connect(w, { args: ['--agent', 'gone'] });
    await call('lock_acquire', { resources: ['a.ts'] });
    const server = transport.pid!;
    call('lock_acquire', { resources: ['b.ts'] }).catch(() => undefined);
    await locksBecome(w, (list) => list.waits.length === 1);
    // Nothing but the end of the input tells the server of it.
    await client.close();
    await locksBecome(w, isOnlyAnns);
    expect(() => process.kill(server, 0)).toThrow();
  });

  it.each([false, true])(
    'because it was killed, is noticed; somebody else keeps the pipe open: %s',
    async (keepsInputOpen) => {
      const w = workspace();
      const parent = startParent(w, [...hello, calling(2, 'lock_acquire', { resources: ['a.ts'] })], {
        keepsInputOpen,
      });
      const lines: Line[] = [];
      for await (const line of createInterface({ input: parent.stdout! }))
        if (lines.push(JSON.parse(line)) === 3) break;
      const [server, , granted] = lines;
      expect(granted).toMatchObject({ id: 2, result: { structuredContent: { answer: 'granted', owner: 'gone' } } });
      parent.kill('SIGKILL');
      await locksBecome(w, (list) => list.holds.length === 0);
      await expect.poll(() => identify(server), { timeout: 20_000 }).toBeNull();
    },
  );
});

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s ends it, and releases what a guest holds and waits for',
  async (signal) => {
    const w = workspace();
    await w.run('lock', 'try', 'b.ts', '--agent', 'ann');
    const { transport, call } = await connect(w, { args: ['--agent', 'gone'] });
    await call('lock_acquire', { resources: ['a.ts'] });
    const waiting = call('lock_acquire', { resources: ['b.ts'] }).catch(() => ({ answer: 'interrupted' }));
    await locksBecome(w, (list) => list.waits.length === 1);
    process.kill(transport.pid!, signal);
    expect(await waiting).toMatchObject({ answer: 'interrupted' });
    await locksBecome(w, isOnlyAnns);
  },
);

describe('the end of the input', () => {
  it('comes after the answer to what was asked, and releases what a guest holds', async () => {
    const w = workspace();
    const server = startServer(w);
    const lines: Line[] = [];
    createInterface({ input: server.stdout! }).on('line', (line) => lines.push(JSON.parse(line)));
    const asked = [
      ...hello,
      calling(2, 'lock_acquire', { resources: ['a.ts'] }),
      calling(3, 'plan_status', { plan: 'plan.md' }),
    ];
    server.stdin!.end(asked.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const [code] = await once(server, 'close');
    expect(code).toBe(0);
    expect(lines.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
    expect(lines.find(({ id }) => id === 1).result.protocolVersion).toBe('2025-06-18');
    expect(lines.find(({ id }) => id === 2).result.structuredContent).toMatchObject({ answer: 'granted' });
    expect(await waits(w)).toMatchObject({ holds: [] });
  });

  it('waits for what takes long', async () => {
    const w = slow();
    const server = startServer(w);
    const asked = [...hello, calling(2, 'complete_task', { task: 'a', plan: 'plan.md' })];
    server.stdin!.end(asked.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const lines: Line[] = [];
    createInterface({ input: server.stdout! }).on('line', (line) => lines.push(JSON.parse(line)));
    await w.appears('begun');
    w.write('go', '');
    await once(server, 'close');
    expect(lines.find(({ id }) => id === 2)?.result.structuredContent).toMatchObject({ ok: true });
  });

  it.each([
    ['no JSON', 'hello\n'],
    ['half a message', '{"jsonrpc":"2.0","id":1,"meth'],
    ['nothing', ''],
  ])('is quiet after %s', async (_, text) => {
    const server = startServer(workspace());
    let out = '';
    server.stdout!.on('data', (piece) => {
      out += piece;
    });
    server.stdin!.end(text);
    const [code] = await once(server, 'close');
    expect([code, out]).toEqual([0, '']);
  });
});

it('answers while the store is busy, as soon as it is free', async () => {
  const w = workspace();
  await w.run('set', 'plan.md');
  const { call } = await connect(w);
  const other = new Database(`${w.folder}/.signalbox/state.db`);
  other.exec('BEGIN IMMEDIATE');
  const waiting = call('lock_acquire', { resources: ['a.ts'] });
  expect(await call('run_status')).toMatchObject({ plan: 'plan.md' });
  other.exec('COMMIT');
  other.close();
  expect(await waiting).toMatchObject({ answer: 'granted' });
});

// How long that takes is measured by `npm run bench`.
it('says who it is, and how it is used', async () => {
  const { client } = await connect(workspace());
  expect(client.getServerVersion()).toMatchObject({ name: 'signalbox' });
  expect(client.getInstructions()).toContain('plan_status');
});
