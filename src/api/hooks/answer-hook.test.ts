// What an agent is told when the lock on its file cannot be had. How the hook gets it is tested with processes (test/e2e/agents/agent-hooks).
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hookSeconds } from '../../agents/kinds/known-program.ts';
import type { Doom } from '../../core/model/failure.ts';
import { planPath } from '../../core/model/ids.ts';
import type { Isolation } from '../../core/model/run-event.ts';
import type { LiveAttempt, PlanState, RunState, State } from '../../core/state/state.ts';
import type { Store } from '../../store/store.ts';
import type { LockDoor } from '../locks/lock-door.ts';
import type { LockReport } from '../reports/locks.ts';
import type { Workspace } from '../workspace.ts';
import { answerHook, hookWaitMs } from './answer-hook.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-hook-'));
  mkdirSync(join(root, '.signalbox/attempts/abc'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const holder = { owner: 'b#1', task: 'b', plan: 'plan.md', resource: 'x.txt', does: 'holds', since: null } as const;
const answer: LockReport = {
  answer: 'granted',
  owner: 'a#1',
  resources: ['x.txt'],
  holders: [],
  reason: null,
  release: [],
  waitedMs: 0,
};

const plan = planPath('plan.md');

async function answered(
  told: Partial<LockReport>,
  {
    asked = [] as unknown[],
    doom = null as Doom | null,
    isolation = null as Isolation | null,
    env = {} as Record<string, string | undefined>,
    event = 'PreToolUse',
    tool = 'Write',
    file = 'x.txt',
    cwd = '',
  } = {},
) {
  const run = { isolation } as RunState;
  const state = {
    live: new Map([[1, { doom, plan } as LiveAttempt]]),
    plans: new Map([[plan, { run } as PlanState]]),
  } satisfies Partial<State>;
  const stateFolder = join(root, '.signalbox');
  const workspace = { root, stateFolder, attemptsFolder: join(stateFolder, 'attempts'), userFolder: null };
  const text = JSON.stringify({
    ...{ hook_event_name: event, tool_name: tool, tool_use_id: 't1', cwd },
    tool_input: { file_path: file, command: 'ls' },
  });
  const wait: LockDoor['wait'] = async (...args) => {
    asked.push(...args);
    return { ...answer, ...told };
  };
  return answerHook('claude', text, {
    workspace: workspace as Workspace,
    env: { SIGNALBOX_TOKEN: 'abc:1', SIGNALBOX_ATTEMPT: 'a#1', ...env },
    store: async () => ({ workspace: 'abc', read: async (look) => look(state as State, 0) }) as Store,
    locks: async () => ({ wait }) as LockDoor,
    audit: async (...args) => {
      asked.push(...args);
      return null;
    },
  });
}

it.each([
  [
    { answer: 'timeout', holders: [holder, holder], waitedMs: 120_000 },
    'x.txt is locked by b#1 (task b), and was not released within 120 s. Do something else meanwhile and make this edit again later. If nothing else is left to do, wait: signalbox lock wait x.txt.',
  ],
  [
    { answer: 'deadlock', reason: 'a#1 waits for b#1, which waits for a#1', release: ['y.txt'] },
    'Waiting for x.txt would never end: a#1 waits for b#1, which waits for a#1. Release what others wait for: signalbox lock release y.txt. Otherwise leave x.txt alone, do what you can without it, and say at your end what is left.',
  ],
  [{ answer: 'victim', reason: 'a circle' }, 'This attempt is being stopped: a circle. Change nothing more, and end.'],
  [{ answer: 'over' }, 'This attempt is being stopped. Change nothing more, and end.'],
] as const)('%j', async (told, reason) => {
  expect(await answered(told as Partial<LockReport>)).toEqual({ kind: 'deny', reason });
});

it.each(['Write', 'Bash', 'mcp__files__write', 'Read'])(
  'an attempt that is being stopped is denied: %s',
  async (tool) => {
    const stopped = 'This attempt is being stopped. Change nothing more, and end.';
    expect(await answered({}, { tool, doom: { kind: 'stop' } })).toEqual({ kind: 'deny', reason: stopped });
    const blocker = { owner: '#2', name: 'b#1', resource: 'x.txt' };
    const victim = 'This attempt is being stopped: a circle. Change nothing more, and end.';
    expect(await answered({}, { tool, doom: { kind: 'deadlock', words: 'a circle', blocker } })).toEqual({
      kind: 'deny',
      reason: victim,
    });
    expect(await answered({}, { tool })).toEqual({ kind: 'pass' });
  },
);

it.each(['a#1', undefined])('%s: is denied what would go past its hooks', async (SIGNALBOX_ATTEMPT) => {
  const reason = 'Monitor is not for attempts: its commands are not held against the locks: use Bash.';
  expect(await answered({}, { tool: 'Monitor', env: { SIGNALBOX_ATTEMPT } })).toEqual({ kind: 'deny', reason });
});

it('waits much shorter than the hook may take: one that takes too long lets the call pass', async () => {
  const asked: unknown[] = [];
  expect(await answered({}, { asked })).toEqual({ kind: 'pass' });
  expect(asked).toEqual([[join(root, 'x.txt')], { timeoutMs: hookWaitMs }]);
  expect(hookWaitMs).toBeLessThanOrEqual((hookSeconds * 1000) / 4);
});

describe('in a tree of its own, an attempt', () => {
  const isolation: Isolation = { branch: 'signalbox/plan', base: 'aaa', trees: '/trees', prefix: '' };
  const env = { SIGNALBOX_TREE: '/trees/tasks/a', HOME: '/home/ann', CLAUDE_CONFIG_DIR: '/srv/claude' };
  const inTree = { isolation, env };
  const marks = () => readdirSync(join(root, '.signalbox/attempts/abc/hooks/1'));

  it.each([
    ['x.txt'],
    ['/trees/tasks/a/src/x.txt'],
    ['/home/ann/.claude/plans/x.md'],
    ['/srv/claude/x.md'],
    ['/var/scratch/x'],
  ])('edits %s without a lock', async (file) => {
    const asked: unknown[] = [];
    const more = { ...inTree, env: { ...env, TMPDIR: '/var/scratch' }, asked, file };
    expect(await answered({ answer: 'timeout' }, more)).toEqual({ kind: 'pass' });
    expect(asked).toEqual([]);
    expect(marks()).toEqual(['seen']);
  });

  it.each([
    ['/home/ann/x.txt', '/home/ann/x.txt is outside of your tree. Write below /trees/tasks/a;'],
    ['/home/ann/.codex/x.txt', 'is outside of your tree.'],
    ['../b/x.txt', '/trees/tasks/b/x.txt belongs to Signalbox.'],
    ['../../../etc/x', '/etc/x is outside of your tree.'],
  ])('is denied %s', async (file, reason) => {
    const denied = await answered({}, { ...inTree, file });
    expect(denied).toEqual({ kind: 'deny', reason: expect.stringContaining(reason) });
    expect(marks()).toEqual(['seen']);
  });

  it('is denied the checkout of the person, and told where to write', async () => {
    const reason = `${join(root, 'x.txt')} is in another checkout, where others work. Your tree is /trees/tasks/a: write to /trees/tasks/a/x.txt instead.`;
    for (const more of [{ file: join(root, 'x.txt') }, { cwd: root }])
      expect(await answered({}, { ...inTree, ...more })).toEqual({ kind: 'deny', reason });
  });

  it('is not searched for what its commands wrote', async () => {
    const asked: unknown[] = [];
    for (const event of ['PreToolUse', 'PostToolUse']) {
      expect(await answered({}, { ...inTree, asked, tool: 'Bash', event })).toEqual({ kind: 'pass' });
      expect(marks()).toEqual(['seen']);
    }
    expect(asked).toEqual([]);
    for (const event of ['PreToolUse', 'PostToolUse']) await answered({}, { asked, tool: 'Bash', event });
    expect(asked).toEqual([1, expect.any(Number)]);
  });

  it('is denied every edit where nobody can tell which tree is its own', async () => {
    const reason = 'Signalbox cannot tell which tree is yours.';
    for (const SIGNALBOX_TREE of [undefined, 'a'])
      expect(await answered({}, { isolation, env: { SIGNALBOX_TREE } })).toEqual({ kind: 'deny', reason });
  });

  it('is denied every call when it is being stopped, and a reviewer every edit', async () => {
    for (const tool of ['Write', 'Bash', 'Read'])
      expect(await answered({}, { ...inTree, tool, doom: { kind: 'stop' } })).toMatchObject({ kind: 'deny' });
    const reviewer = { ...inTree, env: { ...env, SIGNALBOX_ATTEMPT: undefined } };
    expect(await answered({}, reviewer)).toEqual({
      kind: 'deny',
      reason: 'A reviewer changes no files. Say in your answer what is wrong.',
    });
  });
});
