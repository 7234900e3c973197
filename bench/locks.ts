// What can only be measured inside: acquire and release through the lock desk against the bare commits that they need and against
// proper-lockfile, and how soon a deadlock is answered. Bundled by run.mjs.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { LockDesk } from '../src/api/locks/lock-desk.ts';
import { hostId, planPath, runId, taskId } from '../src/core/model/ids.ts';
import type { Plan } from '../src/core/model/plan.ts';
import { letRulesAct } from '../src/runner/let-rules-act.ts';
import { openSqlite } from '../src/store/sqlite/open-sqlite.ts';
import type { Store } from '../src/store/store.ts';

/** It brings no types. */
const lockfile: { lock(file: string): Promise<() => Promise<void>> } = createRequire(import.meta.url)(
  'proper-lockfile',
);
const quick = process.argv.includes('--quick');
const at = (numbers: number[], part: number) => {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
};
const row = (what: string, text: string) => console.log(`${what.padEnd(48)} ${text}`);

function deskOf(store: Store, root: string, env: Record<string, string> = {}): LockDesk {
  const isRunning = () => true;
  const nothing = async () => undefined;
  const files = { keepBeforeImage: nothing, letGoOfImage: nothing };
  return new LockDesk({ store, root, cwd: root, env, user: 'bench', isRunning, ...files });
}

/** The same folder, turn by turn: the disk is as slow for one as for the other. */
async function pairs(rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sb-bench-'));
  const bare = new Database(join(folder, 'bare.db'));
  bare.pragma('journal_mode = WAL');
  bare.pragma('synchronous = FULL');
  bare.exec('create table t (id integer primary key, body text)');
  const insert = bare.prepare('insert into t (body) values (?)');
  const store = (await openSqlite({ folder: join(folder, '.signalbox'), create: true, programVersion: '0.2.0' }))!;
  const desk = deskOf(store, folder);
  writeFileSync(join(folder, 'file'), '');
  const kinds = {
    own: async () => {
      await desk.try(['file'], { agent: 'a' });
      await desk.release(['file'], { agent: 'a' });
    },
    floor: async () => {
      for (let i = 0; i < 2; i++) bare.transaction(() => insert.run('x'.repeat(150)))();
    },
    lockfile: async () => {
      const release = await lockfile.lock(join(folder, 'file'));
      await release();
    },
  };
  const times = { own: [] as number[], floor: [] as number[], lockfile: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    for (const [name, work] of Object.entries(kinds) as [keyof typeof times, () => Promise<void>][]) {
      const begin = performance.now();
      await work();
      times[name].push(performance.now() - begin);
    }
  }
  const own = at(times.own, 0.5);
  row('lock and release in process', `${own.toFixed(3)} ms, ${Math.round(1000 / own)} pairs per second`);
  row(
    '',
    `${(own / at(times.floor, 0.5)).toFixed(2)} × two bare SQLite FULL commits (${at(times.floor, 0.5).toFixed(3)} ms)`,
  );
  row(
    '',
    `${(own / at(times.lockfile, 0.5)).toFixed(2)} × proper-lockfile (${at(times.lockfile, 0.5).toFixed(3)} ms), which is not durable`,
  );
  await store.close();
  bare.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Attempts of one plan that hold a file each; each waits for the next one's, and the last request closes the ring. */
async function deadlocks(parties: number, rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sb-bench-'));
  const store = (await openSqlite({ folder: join(folder, '.signalbox'), create: true, programVersion: '0.2.0' }))!;
  const path = planPath('plan.yaml');
  const host = hostId('bench');
  const answers: number[] = [];
  const floor: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const run = runId(`r${round}`);
    const ids = Array.from({ length: parties }, (_, i) => taskId(`r${round}t${i}`));
    const definition: Plan = {
      path,
      title: 'bench',
      order: 'explicit',
      phases: [{ name: '' }],
      tasks: ids.map((id, i) => ({ id, title: id, line: i + 1, phase: 0, keys: { run: 'true' } })),
    };
    const me = { host, plan: path, run };
    const tokens = await store.transact((tx) => {
      tx.record({ type: 'plan-loaded', v: 1, plan: path, revision: String(round), definition });
      const runner = { host, pid: 1, startTime: '1' };
      tx.record({ type: 'run-started', v: 1, plan: path, run, runner, limits: { plan: parties, pools: {} } });
      letRulesAct(tx, me);
      return [...tx.state.live.keys()];
    });
    const desks = tokens.map((token, i) =>
      deskOf(store, folder, { SIGNALBOX_TOKEN: `${store.workspace}:${token}`, SIGNALBOX_ATTEMPT: `${ids[i]}#1` }),
    );
    for (const [i, desk] of desks.entries()) await desk.try([`f${i}`], {});
    const waiting: Promise<unknown>[] = [];
    for (const [i, desk] of desks.slice(0, -1).entries()) waiting.push(desk.wait([`f${i + 1}`], {}));
    // Every request is in the queue when this one is answered: the store takes one after the other.
    while ((await store.read((state) => [...state.locks.table.requests()].length)) < parties - 1);
    const begin = performance.now();
    const { answer } = await desks.at(-1)!.wait(['f0'], {});
    answers.push(performance.now() - begin);
    if (answer !== 'victim') throw new Error(`the last one to start was not stopped, but ${answer}`);
    const before = performance.now();
    await store.transact((tx) => tx.record({ type: 'plan-resumed', v: 1, plan: path, by: 'bench' }));
    floor.push(performance.now() - before);
    await store.transact((tx) => {
      for (const { plan, task, attempt, token } of [...tx.state.live.values()]) {
        const about = { v: 1, plan, run, task, attempt, token } as const;
        tx.record({ type: 'attempt-ended', ...about, end: { kind: 'exited', code: 0 } });
        if (tx.state.salvage.has(token)) {
          tx.record({ type: 'work-saved', ...about, saved: null, files: 0 });
          tx.record({ type: 'files-put-back', ...about });
        }
      }
      letRulesAct(tx, null);
    });
    await Promise.all(waiting);
  }
  const [half, most] = [at(answers, 0.5), at(answers, 0.99)];
  row(
    `deadlock of ${parties}: closing request to answer`,
    `p50 ${half.toFixed(2)} ms, p99 ${most.toFixed(2)} ms, ${(half / at(floor, 0.5)).toFixed(2)} × one commit of the store`,
  );
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}

await pairs(quick ? 200 : 1000);
await deadlocks(2, quick ? 50 : 300);
await deadlocks(100, quick ? 3 : 15);
