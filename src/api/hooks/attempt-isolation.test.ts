// What is done to the workspace for an attempt: all of it where the attempt works there, nothing where it has a tree of its own.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planOf } from '../../../test/scenario.ts';
import { VerifyScenario } from '../../../test/verify-scenario.ts';
import { beginShell, markSeen, marksFolder } from '../../agents/hooks/call-marks.ts';
import { attemptsFolderOf } from '../../agents/process/attempt-files.ts';
import type { Isolation } from '../../core/model/run-event.ts';
import { emptySettings } from '../../core/model/settings.ts';
import { createState } from '../../core/state/evolve.ts';
import { MemoryLog } from '../../store/memory/memory-log.ts';
import { openMemory } from '../../store/memory/open-memory.ts';
import type { Store } from '../../store/store.ts';
import { openLockDoor } from '../locks/open-lock-door.ts';
import type { Workspace } from '../workspace.ts';
import { isolationOf } from './attempt-isolation.ts';
import { auditLeft } from './audit-shell.ts';

const isolation: Isolation = { branch: 'signalbox/plan', base: 'aaa', trees: '/trees', prefix: '' };
const isolated = { isolation };
const env = { PATH: process.env.PATH };

let root: string;
let workspace: Workspace;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-isolation-')));
  const stateFolder = join(root, '.signalbox');
  workspace = {
    ...{ root, stateFolder, attemptsFolder: join(stateFolder, 'attempts'), settings: emptySettings },
    outputsFolder: join(root, 'docs/plan-outputs'),
  } as Workspace;
  writeFileSync(join(root, 'x.txt'), 'before');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A plan for each run by these rules, with one attempt at work; the tokens are 1, 2 and so on. */
async function atWork(...runs: { readonly isolation?: Isolation }[]): Promise<Store> {
  const state = createState();
  const store = openMemory(new MemoryLog(), { now: () => 1_000_000 });
  for (const [i, rules] of runs.entries()) {
    const plan = planOf('a', { keys: { a: { agent: 'ann' } }, path: `plan-${i}.md` });
    const scenario = new VerifyScenario(plan, state).load().beginRun(rules).goOn();
    await store.transact((tx) => {
      for (const { seq: _, at: __, ...event } of scenario.events) tx.record(event as Parameters<typeof tx.record>[0]);
    });
  }
  mkdirSync(attemptsFolderOf(workspace, store), { recursive: true });
  return store;
}

/** Its hooks were seen to begin a command, and not to end it. */
function beginsCommand(store: Store, token: number): void {
  const marks = marksFolder(attemptsFolderOf(workspace, store), token);
  markSeen(marks);
  beginShell(marks, 't1');
  writeFileSync(join(root, 'x.txt'), 'after');
}

describe.each([
  ['in the workspace', {}, true],
  ['in a tree of its own', isolated, false],
])('for an attempt %s', (_, rules, isShared) => {
  it('its run says so', async () => {
    const store = await atWork(rules);
    expect(await store.read((state) => isolationOf(state, 1))).toEqual(isShared ? null : isolation);
    expect(await store.read((state) => isolationOf(state, 7))).toBeNull();
  });

  it('what a file was before is kept with its lock, or not', async () => {
    const store = await atWork(rules);
    const door = openLockDoor({
      ...{ workspace, cwd: root, isRunning: () => true, user: () => 'u', created: async () => store as never },
      looking: { isRunning: () => true, isGone: () => false },
      sound: async () => ({ store: null, broken: null }) as never,
      env: { SIGNALBOX_TOKEN: `${store.workspace}:1`, SIGNALBOX_AGENT: 'a#1', SIGNALBOX_ATTEMPT: 'a#1' },
    });
    expect((await door.try(['x.txt'], {})).answer).toBe('granted');
    expect(existsSync(join(root, '.signalbox/before'))).toBe(isShared);
    expect((await door.release(['x.txt'], {})).released).toEqual(['x.txt']);
  });

  it('what its last commands wrote is looked for in the workspace, or not', async () => {
    const store = await atWork(rules);
    beginsCommand(store, 1);
    const found = await auditLeft(1, store, { workspace, env });
    expect(found.map(({ path }) => path)).toEqual(isShared ? ['x.txt'] : []);
  });

  it('what another attempt wrote in the workspace may be its work, or not', async () => {
    const store = await atWork({}, rules);
    beginsCommand(store, 1);
    expect(await auditLeft(1, store, { workspace, env })).toEqual([
      { path: 'x.txt', finding: isShared ? 'suspect' : 'late' },
    ]);
  });
});
