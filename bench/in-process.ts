// What can only be measured inside: durable transitions against a bare SQLite transaction. Bundled by run.mjs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Event } from '../src/core/model/event.ts';
import { attemptId, hostId, planPath, runId, taskId } from '../src/core/model/ids.ts';
import type { Plan } from '../src/core/model/plan.ts';
import { letRulesAct } from '../src/runner/let-rules-act.ts';
import { openSqlite } from '../src/store/sqlite/open-sqlite.ts';

const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
const row = (what: string, text: string) => console.log(`${what.padEnd(48)} ${text}`);

async function transitions(tasks: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sb-bench-'));
  const bare = new Database(join(folder, 'bare.db'));
  bare.pragma('journal_mode = WAL');
  bare.pragma('synchronous = FULL');
  bare.exec('create table t (id integer primary key, body text)');
  const insert = bare.prepare('insert into t (body) values (?)');
  const store = (await openSqlite({ folder: join(folder, '.signalbox'), create: true, programVersion: '0.2.0' }))!;
  const path = planPath('plan.yaml');
  const plan: Plan = {
    path,
    title: 'bench',
    order: 'explicit',
    phases: [{ name: '' }],
    tasks: Array.from({ length: tasks }, (_, i) => ({
      id: taskId(`t${i}`),
      title: `Task ${i}`,
      line: i + 1,
      phase: 0,
      keys: { run: 'true' },
      ...(i >= 4 ? { needs: [taskId(`t${i - 4}`)] } : {}),
    })),
  };
  const run = runId('bench');
  const host = hostId('bench');
  const me = { host, plan: path, run };
  await store.transact((tx) => {
    tx.record({ type: 'plan-loaded', v: 1, plan: path, revision: '1', definition: plan });
    const runner = { host, pid: 1, startTime: '1' };
    tx.record({ type: 'run-started', v: 1, plan: path, run, runner, limits: { plan: 4, pools: {} } });
    letRulesAct(tx, me);
  });
  const own: number[] = [];
  const floor: number[] = [];
  for (let i = 0; i < 300; i++) {
    const start = performance.now();
    await store.transact((tx) => {
      const live = tx.state.live.values().next().value!;
      const ended: Event = {
        type: 'attempt-ended',
        v: 1,
        plan: path,
        run,
        task: live.task,
        attempt: attemptId(live.task, 1),
        token: live.token,
        end: { kind: 'exited', code: 0 },
      };
      tx.record(ended);
      letRulesAct(tx, me); // task-completed, attempt-scheduled
    });
    own.push(performance.now() - start);
    const begin = performance.now();
    bare.transaction(() => insert.run('x'.repeat(600)))();
    floor.push(performance.now() - begin);
  }
  const ratio = median(own) / median(floor);
  row(
    `durable transition at ${tasks} tasks`,
    `${ratio.toFixed(2)} × bare SQLite FULL commit (${median(own).toFixed(3)} ms, ${Math.round(1000 / median(own))} per second)`,
  );
  await store.close();
  bare.close();
  rmSync(folder, { recursive: true, force: true });
}

for (const tasks of [1_000, 10_000, 100_000]) await transitions(tasks);
