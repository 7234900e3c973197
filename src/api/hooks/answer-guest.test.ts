// A person's own session beside the attempts of a run: what its hook is answered, and what that leaves in the log.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planOf } from '../../../test/scenario.ts';
import { VerifyScenario } from '../../../test/verify-scenario.ts';
import { markStarted } from '../../core/commands/mark-task.ts';
import type { Event } from '../../core/model/event.ts';
import type { Isolation } from '../../core/model/run-event.ts';
import { emptySettings } from '../../core/model/settings.ts';
import { createState } from '../../core/state/evolve.ts';
import { MemoryLog } from '../../store/memory/memory-log.ts';
import { openMemory } from '../../store/memory/open-memory.ts';
import { Outage } from '../../store/outage.ts';
import type { Store } from '../../store/store.ts';
import type { LockDoor, LockWaitOptions } from '../locks/lock-door.ts';
import { openLockDoor } from '../locks/open-lock-door.ts';
import type { Workspace } from '../workspace.ts';
import { answerGuest, type GuestParts, guestWaitMs, readGuestCall } from './answer-guest.ts';

const isolation: Isolation = { branch: 'signalbox/plan', base: 'aaa', trees: '/trees', prefix: '' };
const env: Readonly<Record<string, string | undefined>> = {};
let root: string;
let workspace: Workspace;
let store: Store;
let isRunning: boolean;
/** What was asked of locks. */
let asked: LockWaitOptions[];

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-guest-')));
  const stateFolder = join(root, '.signalbox');
  mkdirSync(stateFolder);
  writeFileSync(join(stateFolder, 'state.db'), '');
  workspace = {
    ...{ root, stateFolder, attemptsFolder: join(stateFolder, 'attempts'), settings: emptySettings },
    currentPlanFile: join(root, 'current-plan.txt'),
  } as Workspace;
  store = openMemory(new MemoryLog(), { now: () => 1_000_000 });
  isRunning = false;
  asked = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** As the desk has them, but nobody waits for longer than `waitMs`. */
function locks(waitMs = 0): LockDoor {
  const world = { isRunning: () => isRunning, isGone: () => false };
  const door = openLockDoor({
    ...{ workspace, cwd: root, env, isRunning: world.isRunning, looking: world, user: () => 'u' },
    sound: async () => ({ store, broken: null }),
    created: async () => store as never,
  });
  const wait: LockDoor['wait'] = (resources, options) => {
    asked.push(options);
    return door.wait(resources, { ...options, timeoutMs: waitMs });
  };
  return { ...door, wait };
}

function guest(told: string | object, more: Partial<GuestParts> = {}) {
  const text = typeof told === 'string' ? told : JSON.stringify(told);
  return answerGuest('claude', readGuestCall('claude', text), {
    ...{ workspace, env, world: { isRunning: () => isRunning, isGone: () => false }, caller: () => 7 },
    ...{ store: async () => store, sound: async () => ({ store, broken: null }), locks: async () => locks() },
    ...more,
  });
}

const call = (tool: string, input: object, event = 'PreToolUse') => ({
  ...{ hook_event_name: event, tool_name: tool, tool_input: input, tool_use_id: 't1', cwd: root },
});
const edit = (file = 'x.txt') => call('Write', { file_path: file });
const moment = (event: string) => ({ hook_event_name: event, cwd: root });

/** A plan that is being run, with one attempt at work: its token is 1. */
async function run(rules: { readonly isolation?: Isolation } = {}, files: readonly string[] = []): Promise<void> {
  const plan = planOf('a', { keys: { a: { agent: 'ann', files } } });
  const scenario = new VerifyScenario(plan, createState()).load().beginRun(rules).goOn();
  await store.transact((tx) => {
    for (const { seq: _, at: __, ...event } of scenario.events) tx.record(event as Event);
  });
  isRunning = true;
}

/** Who holds and who waits, in one line. */
const table = () =>
  store.read(({ locks: { table } }) =>
    [
      ...[...table.holds()].map(({ owner, key }) => `${owner} ${key}`),
      ...[...table.requests()].map(({ owner, wants }) => `${owner} waits ${wants.map(({ key }) => key)}`),
    ].join(', '),
  );
const seq = () => store.read((state) => state.seq);
const pass = { kind: 'pass' };

describe('passes and writes nothing', () => {
  it.each<[string, object | string, Partial<GuestParts>?]>([
    ['in an attempt, whose own hook governs', edit(), { env: { SIGNALBOX_TOKEN: 'abc:1' } }],
    ['outside of the workspace', edit('/tmp/elsewhere.txt')],
    ['where there is no state that can be looked at', edit(), { store: async () => null }],
    ['before a shell command', call('Bash', { command: 'rm x.txt' })],
    ['after one', call('Bash', { command: 'rm x.txt' }, 'PostToolUse')],
    ['for what edits nothing', call('Read', { file_path: 'x.txt' })],
    ['at the end of a subagent', moment('SubagentStop')],
    ['at a moment that nobody knows', moment('toString')],
    ['at the end of a turn without locks', moment('Stop')],
  ])('%s', async (_, told, parts) => {
    await run();
    const before = await seq();
    expect(await guest(told, parts)).toEqual(pass);
    expect([await seq(), asked]).toEqual([before, []]);
  });

  it('where no state was ever made, and does not even look', async () => {
    rmSync(workspace.stateFolder, { recursive: true });
    const look = () => Promise.reject(new Error('looked'));
    for (const told of [edit(), edit('.signalbox/x'), moment('Stop')])
      expect(await guest(told, { store: look })).toEqual(pass);
    expect(existsSync(workspace.stateFolder)).toBe(false);
  });

  it('where no run is alive and nobody else has a lock', async () => {
    await run();
    isRunning = false;
    await locks().try(['x.txt'], { agent: 'claude-7' });
    const before = await seq();
    expect(await guest(edit('y.txt'))).toEqual(pass);
    expect([await seq(), asked]).toEqual([before, []]);
  });

  it('where attempts work in trees of their own, whatever their tasks declare', async () => {
    await run({ isolation }, ['x.txt']);
    expect(await table()).toBe('#1 x.txt');
    expect(await guest(edit())).toEqual(pass);
    await locks().try(['z.txt'], { agent: 'ann' });
    expect(await guest(edit())).toEqual(pass);
    expect(asked).toEqual([]);
    // But somebody works in the checkout now.
    expect(await guest(edit('y.txt'))).toEqual(pass);
    expect(await table()).toBe('#1 x.txt, ann z.txt, claude-7 y.txt');
  });
});

describe('an edit takes the lock', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['while a run goes on', () => run()],
    ['while somebody else has one', () => locks().try(['z.txt'], { agent: 'ann' })],
  ])('%s', async (_, before) => {
    await before();
    expect(await guest(edit())).toEqual(pass);
    expect(await table()).toContain('claude-7 x.txt');
    expect(asked).toEqual([{ agent: 'claude-7', timeoutMs: guestWaitMs, yields: true }]);
    const { until, process } = (await store.read((state) => state.locks.owners.get('claude-7')))!;
    expect([until > 0, process]).toEqual([true, null]);
  });

  it('under the name of the environment, unless that is empty', async () => {
    await run();
    await guest(edit(), { env: { SIGNALBOX_AGENT: 'ann' } });
    await guest(edit('y.txt'), { env: { SIGNALBOX_AGENT: ' ' } });
    expect(await table()).toBe('ann x.txt, claude-7 y.txt');
  });

  it('of a file that is called like a pattern', async () => {
    await run();
    await guest(edit('x {1}*.txt'));
    expect(await table()).toBe('claude-7 x \\{1\\}\\*.txt');
  });
});

describe('is denied', () => {
  const denied = async (told: object) => {
    const answer = await guest(told);
    return answer.kind === 'deny' ? answer.reason : answer.kind;
  };

  it.each(['.signalbox/state.db', 'src/../.signalbox/x'])('%s, also where nobody else is', async (file) => {
    expect(await denied(edit(file))).toContain('belongs to Signalbox');
  });

  it('what an attempt has: with its task, since when, and what to do', async () => {
    await run({}, ['my file.txt']);
    expect(await denied(edit('my file.txt'))).toBe(
      "my file.txt is locked by a#1 (task a of plan.md) since 1970-01-01 00:16:40 UTC, and was not released within 0 s. Do something else meanwhile and make this edit again later. If nothing else is left to do, tell the person, or wait: signalbox lock wait 'my file.txt' --agent claude-7.",
    );
    expect(await table()).toBe('#1 my file.txt');
  });

  it('what another guest has, and what somebody waits for who came first', async () => {
    await locks().try(['x.txt'], { agent: 'bob\u001b[31m' });
    const waiting = locks(60_000).wait(['x.txt'], { agent: 'cid' });
    while ((await store.read((state) => state.locks.waiting.size)) === 0);
    const reason = await denied(edit());
    expect(reason).toMatch(
      /^x\.txt is locked by bob since \S+ \S+ UTC and cid, who came first and waits for it, and was not/,
    );
    await locks().leave({ agent: 'cid' });
    expect((await waiting).answer).toBe('over');
  });

  it('what nobody looks after, with the way to free it', async () => {
    await run({}, ['x.txt']);
    isRunning = false;
    expect(await denied(edit())).toMatch(/UTC, which no run looks after: signalbox run plan\.md does, and/);
  });

  it('a wait that would close a deadlock: no attempt is stopped for it', async () => {
    await run({}, ['x.txt']);
    await guest(edit('y.txt'));
    const { workspace: id } = store;
    const attempt = openLockDoor({
      ...{ workspace, cwd: root, isRunning: () => true, user: () => 'u' },
      env: { SIGNALBOX_TOKEN: `${id}:1`, SIGNALBOX_ATTEMPT: 'a#1' },
      looking: { isRunning: () => true, isGone: () => false },
      sound: async () => ({ store, broken: null }),
      created: async () => store as never,
    });
    const giveUp = new AbortController();
    const waiting = attempt.wait(['y.txt'], { signal: giveUp.signal });
    while ((await store.read((state) => state.locks.waiting.size)) === 0);
    expect(await denied(edit())).toBe(
      'Waiting for x.txt would never end: claude-7 holds y.txt and waits for x.txt, held by a#1, which waits for y.txt. Bring y.txt to an end and release it, since others wait for it: signalbox lock release y.txt --agent claude-7. Then make this edit again. Otherwise leave x.txt alone, do what you can without it, and tell the person what is left.',
    );
    expect(await table()).toBe('#1 x.txt, claude-7 y.txt, #1 waits y.txt');
    expect(await store.read((state) => state.live.get(1)!.doom)).toBeNull();
    giveUp.abort();
    await waiting;
  });

  it('a wait that was ended from outside, and the guest is told to ask again', async () => {
    await run({}, ['x.txt']);
    const report = { resources: ['x.txt'], owner: 'claude-7', holders: [], reason: null, release: [], waitedMs: 0 };
    const over = { ...locks(), wait: async () => ({ ...report, answer: 'over' as const }) };
    expect(await guest(edit(), { locks: async () => over })).toEqual({
      kind: 'deny',
      reason: 'x.txt is not locked for you: the wait for it was ended. Make this edit again.',
    });
  });
});

describe('the end', () => {
  it.each(['Stop', 'StopFailure', 'SessionEnd', 'AfterAgent'])(
    '%s releases what the guest has, and its waits',
    async (event) => {
      await run();
      await locks().try(['theirs.txt'], { agent: 'ann' });
      await guest(edit());
      const waiting = locks(60_000).wait(['theirs.txt'], { agent: 'claude-7' });
      while ((await store.read((state) => state.locks.waiting.size)) === 0);
      expect(await guest(moment(event))).toEqual(pass);
      expect(await table()).toBe('ann theirs.txt');
      expect((await waiting).answer).toBe('over');
    },
  );

  it('leaves a task in the hands of the guest what it has', async () => {
    const plan = planOf('a, b', { keys: { a: { files: ['src/**'] } } });
    const scenario = new VerifyScenario(plan, createState()).load();
    const started = markStarted(scenario.state, scenario.plan, 0, { by: 'claude-7' });
    if (started.ok) scenario.record(...started.events);
    await store.transact((tx) => {
      for (const { seq: _, at: __, ...event } of scenario.events) tx.record(event as Event);
    });
    await locks().try(['theirs.txt'], { agent: 'ann' });
    await guest(edit('src/x.ts'));
    await guest(edit('y.txt'));
    expect(await table()).toBe('#1 src/**, #1 src/x.ts, ann theirs.txt, claude-7 y.txt');
    await guest(moment('Stop'));
    expect(await table()).toBe('#1 src/**, #1 src/x.ts, ann theirs.txt');
  });
});

describe('the begin of a session', () => {
  const file = () => join(root, 'session.env');
  const begin = (more: object = {}, parts: Partial<GuestParts> = {}) =>
    guest(moment('SessionStart'), { env: { CLAUDE_ENV_FILE: file(), ...more }, ...parts });

  it('gives the shell the name of the guest, once, and again where it was another', async () => {
    await begin();
    await begin();
    expect(readFileSync(file(), 'utf8')).toBe('export SIGNALBOX_AGENT=claude-7\n');
    writeFileSync(file(), 'export A=1');
    await begin();
    await begin({}, { caller: () => 8 });
    const lines = ['export A=1', 'export SIGNALBOX_AGENT=claude-7', 'export SIGNALBOX_AGENT=claude-8', ''];
    expect(readFileSync(file(), 'utf8')).toBe(lines.join('\n'));
  });

  it.each([{ SIGNALBOX_AGENT: 'ann' }, { SIGNALBOX_TOKEN: 'abc:1' }, { CLAUDE_ENV_FILE: undefined }])(
    'writes nothing where %j says it',
    async (more) => {
      expect(await begin(more)).toEqual(pass);
      expect(existsSync(file())).toBe(false);
    },
  );

  it('tells where the name cannot be written, and goes on', async () => {
    mkdirSync(file());
    expect(await begin()).toEqual({ kind: 'pass', trouble: expect.stringContaining('are not known as claude-7: ') });
  });

  it('tells of the plan that is run, in two lines', async () => {
    await run();
    const { context } = (await begin()) as { context: string };
    expect(context).toMatch(
      /^Signalbox is running plan\.md here\. Its agents edit this checkout too, .*\nTo look: .*$/,
    );
  });

  it('and where its agents work', async () => {
    await run({ isolation });
    expect(await begin()).toMatchObject({ context: expect.stringContaining('in trees of their own') });
  });

  it('tells of the plan that is set, if it is there, and else of none', async () => {
    const name = 'plan\u001b[31m.md';
    writeFileSync(workspace.currentPlanFile, `${name}\n`);
    expect(await begin()).toEqual(pass);
    writeFileSync(join(root, name), '');
    expect(await begin()).toEqual({
      kind: 'pass',
      context: 'Signalbox has a plan here, plan.md; it is not being run.\nTo look: signalbox status, signalbox next.',
    });
  });

  it('tells of state that cannot be read', async () => {
    const broken = new Outage('broken-database', 'state.db is damaged');
    const answer = await begin({}, { sound: async () => ({ store: null, broken }) });
    expect(answer).toEqual({ kind: 'pass', trouble: 'state.db is damaged' });
  });
});

it.each(['no JSON', '', '[]', '{"hook_event_name":"PreToolUse"}', '{"hook_event_name":7}', JSON.stringify(edit('\0'))])(
  'what makes no sense passes, with a word: %s',
  async (text) => {
    expect(await guest(text)).toEqual({ kind: 'pass', trouble: expect.stringContaining('no lock was taken') });
    expect(asked).toEqual([]);
  },
);
