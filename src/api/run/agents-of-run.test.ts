// What is said about coding agents when a run starts.
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { begin, planOf } from '../../../test/scenario.ts';
import { limitsFor } from '../../core/model/defaults.ts';
import type { TaskKeys } from '../../core/model/plan.ts';
import type { Limits } from '../../core/model/run-event.ts';
import { emptySettings, type Settings } from '../../core/model/settings.ts';
import type { Workspace } from '../workspace.ts';
import { type AgentsAsked, agentsFor, tellAgents, tellPools, type Uses, wantedOf } from './agents-of-run.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const one: Uses = { performs: [0], reviews: [], debugs: [] };

async function told(script: string, patienceMs = 60_000, more: Partial<AgentsAsked> = {}): Promise<string[]> {
  const program = join(folder, 'codex');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  const agents = { codex: { kind: 'codex', command: [program], args: [], env: {}, line: 1 } };
  const workspace = { root: folder, settings: { ...emptySettings, agents } } as unknown as Workspace;
  const lines: string[] = [];
  const tell = (text: string, kind: string) => lines.push(`${kind}: ${text.replace(program, 'PROGRAM')}`);
  const found = { uses: new Map([['codex', one]]), logins: [] };
  await tellAgents(found, { workspace, env: { PATH: '/bin:/usr/bin' }, tell, patienceMs, ...more });
  return lines;
}

it.each<[string, string, string[]]>([
  ['the tried version', 'echo codex-cli 0.166.0', ['remark: agent codex: Codex 0.166.0 (PROGRAM) for 1 task']],
  [
    'another version',
    'echo codex-cli 0.1.2',
    [
      'remark: agent codex: Codex 0.1.2 (PROGRAM) for 1 task',
      'warning: Codex was tried with 0.166.0; with another version locks may not be enforced',
    ],
  ],
  [
    'no version',
    'exit 1',
    ['remark: agent codex: Codex, version unknown: it does not tell its version (PROGRAM) for 1 task'],
  ],
  ['odd words', 'echo hi', ['remark: agent codex: Codex, version unknown: it says hi (PROGRAM) for 1 task']],
])('%s', async (_, script, expected) => {
  expect(await told(script)).toEqual(expected);
});

it('a machine that is too busy to answer is not taken for another version', async () => {
  expect(await told('exec sleep 60', 100)).toEqual([
    'remark: agent codex: Codex, version unknown: no answer within 0.1 s (PROGRAM) for 1 task',
  ]);
});

describe('a command that only looks', () => {
  it('starts no program that the settings name', async () => {
    expect(await told(`touch ${join(folder, 'ran')}; echo codex-cli 0.1.2`, 60_000, { onlyLooks: true })).toEqual([
      'remark: agent codex: Codex, version unknown: nobody asked it (PROGRAM) for 1 task',
    ]);
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  });

  it('knows the version of what npm installed, also without asking', async () => {
    const package_ = { name: '@openai/codex', version: '0.1.3' };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(package_));
    expect(await told('echo codex-cli 0.1.2', 60_000, { onlyLooks: true })).toEqual([
      'remark: agent codex: Codex 0.1.3 (PROGRAM) for 1 task',
      'warning: Codex was tried with 0.166.0; with another version locks may not be enforced',
    ]);
  });
});

/** Agents ann, bob and eve are Claude Code with one login, cid is Codex, key has a key. */
function found(text: string, keys: Readonly<Record<string, TaskKeys>>, limits: Partial<Limits> = {}) {
  const claude = { kind: 'claude', command: [], args: [], env: {}, line: 1 };
  const agents = {
    ...{ ann: claude, bob: claude, eve: claude, cid: { ...claude, kind: 'codex' } },
    key: { ...claude, env: { ANTHROPIC_API_KEY: 'k' } },
  };
  const settings: Settings = { ...emptySettings, agents, reviewAgent: 'bob', escalationAgent: 'eve' };
  const workspace = { root: folder, settings } as unknown as Workspace;
  const { plan } = begin(planOf(text, { keys }));
  const wanted = wantedOf(workspace, { plan, selected: null, limits: { plan: 3, pools: {}, ...limits } });
  const { uses, logins } = agentsFor(wanted, { workspace, env: {} });
  const counts = [...uses].map(([name, { performs, reviews, debugs }]) => [
    name,
    [performs.length, reviews.length, debugs.length],
  ]);
  return { uses: Object.fromEntries(counts), logins: logins.map(({ account }) => account) };
}

it('counts tasks, reviews and what may be debugged, by agent', () => {
  const review = { review: 'agent' } as const;
  const keys = {
    a: { agent: 'ann', ...review },
    b: { agent: 'bob', ...review },
    c: { agent: 'cid', onFailure: 'escalate' } as const,
    d: { run: 'true', ...review },
    e: { agent: 'ann', ...review },
  };
  expect(found('a, b, c, d, +e', keys).uses).toEqual({
    ann: [1, 0, 0],
    bob: [1, 3, 0],
    cid: [1, 0, 0],
    eve: [0, 0, 1],
  });
});

const ann = { agent: 'ann' };
const bob = { agent: 'bob' };
const command = { run: 'true' };
const reviewed = { review: 'agent' } as const;

it.each<[string, boolean, string, Readonly<Record<string, TaskKeys>>, Partial<Limits>?]>([
  ['two tasks at the same time', true, 'a, b', { a: ann, b: ann }],
  ['two agents with one login', true, 'a, b', { a: ann, b: bob }],
  ['one task', false, 'a', { a: ann }],
  ['one behind the other', false, 'a, b → a', { a: ann, b: ann }],
  ['one behind the other, with a command between', false, 'a, c → a, b ~> c', { a: ann, c: command, b: ann }],
  ['one in each phase', false, 'a | b', { a: ann, b: ann }],
  ['two behind one', true, 'a, b → a, c → a', { a: ann, b: ann, c: ann }],
  ['a command beside one', false, 'a, b', { a: ann, b: command }],
  ['an account with a key', false, 'a, b', { a: { agent: 'key' }, b: { agent: 'key' } }],
  ['one at a time', false, 'a, b', { a: ann, b: ann }, { plan: 1 }],
  ['one at a time in the workspace', false, 'a, b', { a: ann, b: ann }, { workspace: 1 }],
  [
    'one at a time in their pool',
    false,
    'a, b',
    { a: { ...ann, model: 'opus' }, b: { ...ann, model: 'opus' } },
    { pools: { opus: 1 } },
  ],
  [
    'two pools',
    true,
    'a, b',
    { a: { ...ann, model: 'opus' }, b: { ...ann, model: 'haiku' } },
    { pools: { opus: 1, haiku: 1 } },
  ],
  [
    'a review beside a task, which needs no slot',
    true,
    'a, b',
    { a: { ...command, ...reviewed }, b: ann },
    { plan: 1 },
  ],
  ['a review of the task before', false, 'a, b → a', { a: { ...ann, ...reviewed }, b: ann }],
  ['reviews alone, one at a time', false, 'a, b', { a: { ...command, ...reviewed }, b: { ...command, ...reviewed } }],
  ['a debugging agent beside a task', true, 'a, b', { a: { ...command, onFailure: 'escalate' }, b: ann }],
])('a login is shared: %s: %s', (_, isShared, text, keys, limits) => {
  expect(found(text, keys, limits).logins).toEqual(isShared ? ['claude login'] : []);
});

it('says what an agent is used for, and warns once of a version that two agents have', async () => {
  const program = join(folder, 'claude');
  writeFileSync(program, '#!/bin/sh\necho "1.0.0 (Claude Code)"\n', { mode: 0o755 });
  const agents = Object.fromEntries(
    ['ann', 'bob', 'eve'].map((name) => [name, { kind: 'claude', command: [program], args: [], env: {}, line: 1 }]),
  );
  const workspace = { root: folder, settings: { ...emptySettings, agents } } as unknown as Workspace;
  const uses = new Map<string, Uses>([
    ['ann', { performs: [0, 1], reviews: [0], debugs: [1, 2, 3] }],
    ['bob', { performs: [], reviews: [2, 3], debugs: [] }],
    ['eve', { performs: [], reviews: [], debugs: [0] }],
  ]);
  const lines: string[] = [];
  const tell = (text: string, kind: string) => lines.push(`${kind}: ${text.replace(`(${program}) `, '')}`);
  const logins = [{ account: 'claude login', title: 'Claude Code' }];
  await tellAgents({ uses, logins }, { workspace, env: { PATH: '/bin:/usr/bin' }, tell, patienceMs: 60_000 });
  expect(lines).toEqual([
    'remark: agent ann: Claude Code 1.0.0 for 2 tasks, 1 review and debugging 3 tasks in case of failure',
    'remark: agent bob: Claude Code 1.0.0 for 2 reviews',
    'remark: agent eve: Claude Code 1.0.0 for debugging 1 task in case of failure',
    'warning: Claude Code was tried with 2.1.325; with another version locks may not be enforced',
    expect.stringContaining('warning: several agents will share the login of Claude Code (claude login)'),
  ]);
});

const opus = { a: { model: 'opus' }, b: { model: 'opus' }, c: { model: 'opus' }, d: { model: 'opus' } };

it.each<[string, Parameters<typeof planOf>[1], Settings['pools'], string[]]>([
  ['more tasks than a default lets run', { keys: opus }, undefined, ['pool opus: at most 1 of 3 tasks at once']],
  ['the plan says it', { keys: opus, pools: { opus: 1 } }, undefined, []],
  ['the settings say it', { keys: opus }, { opus: 1 }, []],
  ['a model without a pool', { keys: { a: { model: 'gpt' }, b: { model: 'gpt' } } }, undefined, []],
  ['as many as may run anyway', { keys: { a: { model: 'opus' } } }, undefined, []],
])('the default limit of a pool: %s', (_, options, pools, expected) => {
  const plan = planOf('a, b, c, +d', options);
  const settings = { ...emptySettings, ...(pools ? { pools } : {}) };
  const scenario = begin(plan, limitsFor(plan, settings));
  const lines: string[] = [];
  tellPools(scenario.plan, { workspace: { settings } as Workspace, tell: (text) => lines.push(text) });
  expect(lines.map((line) => line.replace(/, by default; "pools:" changes it$/, ''))).toEqual(expected);
});
