// What an agent is told when the lock on its file cannot be had. How the hook gets it is tested with processes (test/e2e/agents/agent-hooks).
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hookSeconds } from '../../agents/kinds/known-program.ts';
import type { Doom } from '../../core/model/failure.ts';
import type { LiveAttempt, State } from '../../core/state/state.ts';
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

async function answered(
  told: Partial<LockReport>,
  { asked = [] as unknown[], doom = null as Doom | null, tool = 'Write' } = {},
) {
  const state = { live: new Map([[1, { doom } as LiveAttempt]]) } satisfies Partial<State>;
  const workspace = { root, stateFolder: join(root, '.signalbox'), attemptsFolder: join(root, '.signalbox/attempts') };
  const text = JSON.stringify({
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: { file_path: 'x.txt' },
  });
  const wait: LockDoor['wait'] = async (...args) => {
    asked.push(...args);
    return { ...answer, ...told };
  };
  return answerHook('claude', text, {
    workspace: workspace as Workspace,
    env: { SIGNALBOX_TOKEN: 'abc:1', SIGNALBOX_ATTEMPT: 'a#1' },
    store: async () => ({ workspace: 'abc', read: async (look) => look(state as State, 0) }) as Store,
    locks: async () => ({ wait }) as LockDoor,
    audit: async () => null,
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

it('waits much shorter than the hook may take: one that takes too long lets the call pass', async () => {
  const asked: unknown[] = [];
  expect(await answered({}, { asked })).toEqual({ kind: 'pass' });
  expect(asked).toEqual([[join(root, 'x.txt')], { timeoutMs: hookWaitMs }]);
  expect(hookWaitMs).toBeLessThanOrEqual((hookSeconds * 1000) / 4);
});
