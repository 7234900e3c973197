// Where nobody runs a plan, commands keep a snapshot now and then: otherwise each would fold all that the others have written.
import { join, resolve } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openSignalbox } from '../../../src/api/open-signalbox.ts';
import { Workspace } from '../rig.ts';

const planOf = (title: string) =>
  `tasks: {${Array.from({ length: 120 }, (_, i) => `t${i}: {title: ${title} ${i}}`)}}\n`;

/** Events behind the last snapshot, and all of them. */
function tail(w: Workspace): { behind: number; all: number } {
  const database = new Sqlite(join(w.folder, '.signalbox', 'state.db'), { readonly: true });
  const { all } = database.prepare('select max(seq) as "all" from events').get() as { all: number };
  const { kept } = database.prepare('select max(seq) as kept from snapshots').get() as { kept: number };
  database.close();
  return { behind: all - kept, all };
}

it('a plan that is driven by hand', async () => {
  const w = new Workspace({ 'plan.yaml': planOf('Task') });
  await w.run('set', 'plan.yaml');
  expect(tail(w)).toEqual({ behind: 0, all: 1 });
  const behind: number[] = [];
  for (let i = 0; i < 40; i++) {
    expect((await w.run('mark-complete', `t${i}`)).code).toBe(0);
    behind.push(tail(w).behind);
  }
  expect(tail(w).all).toBeGreaterThan(100);
  expect(Math.max(...behind)).toBeLessThan(50);
  // Not after each of them: it costs what the plan is large.
  expect(behind.filter((events) => events === 0).length).toBeLessThan(5);
  const { summary } = (await w.run('status', '--json')).json;
  expect(summary).toMatchObject({ completed: 40, pending: 80 });
  expect((await w.run('validate', '--deep')).code).toBe(0);
});

it('a plan that was read again', async () => {
  const w = new Workspace({ 'plan.yaml': planOf('Task') });
  await w.run('set', 'plan.yaml');
  w.write('plan.yaml', planOf('Other'));
  await w.run('reload', 'plan.yaml');
  expect(tail(w)).toEqual({ behind: 0, all: 2 });
  expect((await w.run('why', 't7', '--json')).json).toMatchObject({ task: 't7' });
});

it('a failure that blocks very many', async () => {
  const chain = Array.from({ length: 300 }, (_, i) => `t${i}: {needs: [${i === 0 ? '' : `t${i - 1}`}]}`);
  const w = new Workspace({ 'plan.yaml': `retries: 0\ntasks: {${chain}}\n` });
  await w.run('set', 'plan.yaml');
  await w.run('mark-started', 't0');
  expect(tail(w).behind).toBeGreaterThan(0);
  await w.run('mark-failed', 't0', '--error', 'no');
  expect(tail(w).behind).toBe(0);
  const { out } = await w.run('status');
  expect(out).toContain('⊘ 299 blocked tasks');
  expect(out.split('\n').length).toBeLessThan(15);
  expect((await w.run('why', 't299')).out).toContain('t0 failed');
  // And back again.
  await w.run('retry', 't0');
  expect(tail(w).behind).toBe(0);
  expect((await w.run('status')).out).not.toContain('blocked');
});

it('a workspace in which agents lock and unlock, and nobody runs anything', async () => {
  const w = new Workspace({ 'plan.yaml': planOf('Task') });
  await w.run('set', 'plan.yaml');
  const box = await openSignalbox({
    ...{ cwd: w.folder, env: process.env, programVersion: '0.2.0', launcher: resolve('bin/signalbox.cjs') },
    ...{ nodePath: process.execPath },
  });
  const locks = await box.locks();
  for (let i = 0; i < 250; i++) {
    await locks.try(['a.ts'], { agent: 'ann' });
    await locks.release(['a.ts'], { agent: 'ann' });
  }
  await box.close();
  expect(tail(w)).toEqual({ behind: 0, all: 501 });
  expect((await w.run('lock', 'try', 'a.ts', '--agent', 'bob')).code).toBe(0);
  expect(tail(w)).toEqual({ behind: 1, all: 502 });
  expect((await w.run('why', 't7', '--json')).json).toMatchObject({ task: 't7' });
});

it('nothing is kept by who only looks', async () => {
  const w = new Workspace({ 'plan.yaml': planOf('Task') });
  await w.run('set', 'plan.yaml');
  const database = new Sqlite(join(w.folder, '.signalbox', 'state.db'));
  database.exec('delete from snapshots');
  database.close();
  for (const command of ['status', 'next', 'progress', 'validate']) await w.run(command);
  expect(tail(w).behind).toBe(1);
});
