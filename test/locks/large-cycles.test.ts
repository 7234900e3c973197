// Large and odd cycles over the real store, with the real policy after every step: each is found in the transaction that closes it,
// in time, and stops exactly one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LockAnswer, requestLocks } from '../../src/core/commands/lock-request.ts';
import type { Event } from '../../src/core/model/event.ts';
import { planPath, runId } from '../../src/core/model/ids.ts';
import { ownerOfToken } from '../../src/core/state/lock-state.ts';
import type { Mode } from '../../src/locks/lock-table.ts';
import { letRulesAct } from '../../src/runner/let-rules-act.ts';
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts';
import type { Store, Transaction } from '../../src/store/store.ts';
import { here, planOf } from '../scenario.ts';

/** What a person would not notice, and what databases are proud of. */
const inTimeMs = 100;
const path = planPath('plan.md');
const run = runId('run-1');
const me = { host: here.host, plan: path, run };
let folder: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-cycles-'));
  store = (await openSqlite({ folder: join(folder, '.signalbox'), create: true, programVersion: '0.2.0' }))!;
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A plan with this many attempts that run: t1 has token 1. */
async function start(tasks: number): Promise<void> {
  const ids = Array.from({ length: tasks }, (_, i) => `t${i + 1}`);
  await store.transact((tx) => {
    tx.record({ type: 'plan-loaded', v: 1, plan: path, revision: '1', definition: planOf(ids.join(', '), { path }) });
    const limits = { plan: 1000, pools: {} };
    tx.record({ type: 'run-started', v: 1, plan: path, run, runner: here, limits });
    letRulesAct(tx, me);
  });
}

interface Asked {
  readonly answer: LockAnswer;
  readonly ms: number;
  readonly events: readonly Event[];
}

function ask(tx: Transaction, token: number, key: string, mode: Mode, events: Event[] = []): LockAnswer {
  letRulesAct(tx, null);
  const { task, attempt } = tx.state.live.get(token)!;
  const owner = { owner: ownerOfToken(token), name: attempt, plan: path, task, token, run, until: 0, process: null };
  const request = { owner, wants: [{ key, mode }], queue: true, now: tx.now, process: here };
  const record = (event: Event) => {
    events.push(event);
    tx.record(event);
  };
  const answer = requestLocks(tx.state, request, { record, watched: new Set(tx.state.plans.keys()) });
  letRulesAct(tx, me);
  return answer;
}

/** A request of its own transaction, with the time it took: the processor's, as the disk and the other cases are waited for too. */
async function wants(token: number, key: string, mode: Mode = 'exclusive'): Promise<Asked> {
  const events: Event[] = [];
  const begin = process.cpuUsage();
  const answer = await store.transact((tx) => ask(tx, token, key, mode, events));
  const { user, system } = process.cpuUsage(begin);
  return { answer, ms: (user + system) / 1000, events };
}

const found = async () => (await store.events({})).filter((event) => event.type === 'deadlock-detected');
const isStopped = (token: number) => store.read((state) => state.live.get(token)?.doom?.kind === 'deadlock');

/** All processes of the victim are dead, and its files are put back. */
function end(token: number): Promise<void> {
  return store.transact((tx) => {
    const { task, attempt } = tx.state.live.get(token)!;
    const about = { v: 1, plan: path, run, task, attempt, token } as const;
    tx.record({ type: 'attempt-ended', ...about, end: { kind: 'killed', code: 143 } });
    tx.record({ type: 'work-saved', ...about, saved: null, files: 0 });
    tx.record({ type: 'files-put-back', ...about });
    letRulesAct(tx, me);
  });
}

function complete(token: number): Promise<void> {
  return store.transact((tx) => {
    const { task, attempt } = tx.state.live.get(token)!;
    const about = { v: 1, plan: path, run, task, attempt, token } as const;
    tx.record({ type: 'attempt-ended', ...about, end: { kind: 'exited', code: 0 } });
    letRulesAct(tx, me);
  });
}

describe('a cycle', () => {
  it.each([2, 10, 100])('of %i is found when it closes, names them all, and ends with everybody done', async (n) => {
    await start(n);
    await store.transact((tx) => {
      for (let i = 1; i <= n; i++) ask(tx, i, `f${i}`, 'exclusive');
    });
    await store.transact((tx) => {
      for (let i = 1; i < n; i++) expect(ask(tx, i, `f${i + 1}`, 'exclusive').kind).toBe('waiting');
    });
    const { ms, events } = await wants(n, 'f1');
    const [detected, ...others] = await found();
    expect(others).toEqual([]);
    expect(detected!.cycle).toHaveLength(n);
    expect(events.map(({ type }) => type).slice(0, 2)).toEqual(['deadlock-detected', 'attempt-doomed']);
    expect(ms).toBeLessThan(inTimeMs);
    await end(detected!.token);
    // Whoever has both goes on, and lets the one before it go on.
    for (let left = n - 1; left > 0; left--) {
      const free = await store.read(({ live, locks }) => {
        return [...live.keys()].find((token) => token <= n && locks.table.waitsOf(ownerOfToken(token)).length === 0);
      });
      await complete(free!);
    }
    const { token } = await store.read((state) => state.live.values().next().value!);
    expect(token).toBe(n + 1);
    await complete(token);
    expect(await store.read((state) => state.locks.table.isEmpty)).toBe(true);
    expect((await store.events({})).filter(({ type }) => type === 'task-completed')).toHaveLength(n);
    expect(await found()).toHaveLength(1);
  });

  it('beside another one: each stops one of its own', async () => {
    await start(4);
    for (const [token, key] of [
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
      [4, 'd'],
    ] as const)
      await wants(token, key);
    await wants(1, 'b');
    await wants(3, 'd');
    await wants(2, 'a');
    await wants(4, 'c');
    const all = await found();
    expect(all.map(({ cycle }) => [...cycle].sort())).toEqual([
      ['t1#1', 't2#1'],
      ['t3#1', 't4#1'],
    ]);
  });

  it('and another through the same request: after the first victim is gone, the second cycle is broken too', async () => {
    await start(3);
    await wants(1, 'x', 'shared');
    await wants(2, 'x', 'shared');
    await wants(3, 'y');
    await wants(1, 'y');
    await wants(2, 'y');
    await wants(3, 'x');
    const [first] = await found();
    expect(first).toBeDefined();
    // The requester is in both cycles: stopped alone, it ends both.
    const victims = (await found()).map(({ token }) => token);
    await end(first!.token);
    const stillThere = await store.read(({ locks }) =>
      [...locks.table.requests()].some(({ owner }) => locks.table.findDeadlock(owner)),
    );
    const later = (await found()).length;
    expect(stillThere).toBe(later > victims.length);
    expect(later).toBe(first!.token === 3 ? 1 : 2);
  });

  it('through a shared lock names the one reader that is in it', async () => {
    await start(3);
    await wants(1, 'x', 'shared');
    await wants(2, 'x', 'shared');
    await wants(3, 'y');
    await wants(2, 'y');
    const { ms } = await wants(3, 'x');
    const [only, ...others] = await found();
    expect(others).toEqual([]);
    expect([...only!.cycle].sort()).toEqual(['t2#1', 't3#1']);
    expect(ms).toBeLessThan(inTimeMs);
  });

  it('through the order of the queue', async () => {
    await start(3);
    await wants(1, 'x', 'shared');
    await wants(2, 'x');
    await wants(3, 'y');
    // It could share x with t1, but t2 was before it.
    expect((await wants(3, 'x', 'shared')).answer.kind).toBe('waiting');
    await wants(1, 'y');
    const [only, ...others] = await found();
    expect(others).toEqual([]);
    expect([...only!.cycle].sort()).toEqual(['t1#1', 't2#1', 't3#1']);
  });

  it('of two who upgrade stops one, and the other has it alone', async () => {
    await start(2);
    await wants(1, 'x', 'shared');
    await wants(2, 'x', 'shared');
    expect((await wants(1, 'x')).answer.kind).toBe('waiting');
    expect((await wants(2, 'x')).answer.kind).toBe('victim');
    expect(await isStopped(2)).toBe(true);
    await end(2);
    const holds = await store.read(({ locks }) => [...locks.table.holds()].map(({ owner, mode }) => ({ owner, mode })));
    expect(holds).toEqual([{ owner: '#1', mode: 'exclusive' }]);
  });

  it('of one alone there is not: who has it shared and alone may upgrade', async () => {
    await start(1);
    await wants(1, 'x', 'shared');
    expect((await wants(1, 'x')).answer.kind).toBe('granted');
    expect(await found()).toEqual([]);
  });
});
