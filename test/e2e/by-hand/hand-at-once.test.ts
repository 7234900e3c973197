// Many processes mark tasks of one plan at once: everything is recorded, nothing twice, and whoever is late gets the reason.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const twenty = Array.from({ length: 20 }, (_, i) => `t${i + 1}`);
const plan = `tasks:\n${twenty.map((id) => `  ${id}: {}\n`).join('')}`;
const argv = (...words: string[]) => [...words, '--plan', 'plan.yaml', '--json'];

it('20 processes mark 20 tasks: all are recorded', async () => {
  const w = new Workspace({ 'plan.yaml': plan });
  // The plan is not known yet either: one of them reads it in, and the others find it.
  const marked = await Promise.all(
    twenty.map((id) => w.start(...argv('mark-complete', id, '--notes', `by ${id}`)).ended),
  );
  expect(marked.map(({ code, err }) => [code, err])).toEqual(twenty.map(() => [0, '']));
  const statuses = await w.status('plan.yaml');
  expect(statuses).toEqual(Object.fromEntries(twenty.map((id) => [id, 'completed'])));
  const { lines } = await w.run('events', 'plan.yaml', '--json');
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, i) => i + 1));
  expect(
    lines
      .filter(({ type }) => type === 'task-handed-in')
      .map(({ task, notes }) => [task, notes])
      .sort(),
  ).toEqual(twenty.map((id) => [id, `by ${id}`]).sort());
});

it('of those that mark one task, one succeeds and the others get the reason', async () => {
  const w = new Workspace({ 'plan.yaml': plan });
  await w.run('set', 'plan.yaml');
  for (const [word, reason] of [
    ['mark-started', 't1 was already started by tester'],
    ['mark-complete', 't1 is already completed'],
  ] as const) {
    const all = await Promise.all(Array.from({ length: 4 }, () => w.start(...argv(word, 't1')).ended));
    const won = all.filter(({ code }) => code === 0);
    const late = all.filter(({ code }) => code === 2);
    expect([word, won.length, late.length]).toEqual([word, 1, 3]);
    for (const { json } of late)
      expect(json).toMatchObject({ type: 'error', message: expect.stringContaining(reason) });
  }
});

it('findings that are added at once are all there', async () => {
  const parts = twenty.slice(0, 8);
  const w = new Workspace({ 'plan.yaml': plan, ...Object.fromEntries(parts.map((id) => [`${id}.txt`, `${id}\n`])) });
  await w.run('set', 'plan.yaml');
  await Promise.all(
    parts.map((id) => w.start(...argv('write-findings', 't1', '--append', '--file', `${id}.txt`)).ended),
  );
  const { text } = (await w.start(...argv('read-findings', 't1')).ended).json;
  expect(text.trimEnd().split('\n').sort()).toEqual(parts.toSorted());
});

it('who waits for the store waits for its time, and says who holds it', async () => {
  const w = new Workspace({ 'plan.yaml': plan });
  await w.run('set', 'plan.yaml');
  const database = new Sqlite(join(w.folder, '.signalbox', 'state.db'));
  database.exec('BEGIN IMMEDIATE');
  const before = performance.now();
  const late = w.start(...argv('mark-started', 't1')).ended;
  const { code, json } = await late;
  const waitedMs = performance.now() - before;
  database.exec('ROLLBACK');
  expect(code).toBe(70);
  expect(json.message).toMatch(new RegExp(`busy: waited 10\\.\\d s, and process ${process.pid} \\(.*\\) still holds`));
  // Not before its limit. How long a start takes beside others is not what is judged.
  expect(waitedMs).toBeGreaterThanOrEqual(10_000);
  const freed = w.start(...argv('mark-started', 't1')).ended;
  expect((await freed).code).toBe(0);
  database.close();
});

it('a store that is let go in time is waited for', async () => {
  const w = new Workspace({ 'plan.yaml': plan });
  await w.run('set', 'plan.yaml');
  const database = join(w.folder, '.signalbox', 'state.db');
  const holder = spawn(process.execPath, [
    '-e',
    `const d = new (require('better-sqlite3'))(${JSON.stringify(database)}); d.exec('BEGIN IMMEDIATE');
     process.stdout.write('held'); process.stdin.once('end', () => { d.exec('ROLLBACK'); d.close(); }).resume();`,
  ]);
  await new Promise((held) => holder.stdout.once('data', held));
  const waiting = Promise.all(twenty.slice(0, 4).map((id) => w.start(...argv('mark-started', id)).ended));
  holder.stdin.end();
  expect((await waiting).map(({ code }) => code)).toEqual([0, 0, 0, 0]);
});
