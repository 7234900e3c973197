// The one door, opened inside this process as the library and later faces do: a plan is run, fails, is decided about, restructured, driven
// by hand and validated, with real processes and a real database.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { taskId } from '../core/model/ids.ts';
import { openSignalbox } from './open-signalbox.ts';
import type { Signalbox } from './signalbox.ts';

const made: { readonly folder: string; readonly boxes: Signalbox[] }[] = [];
afterAll(async () => {
  for (const { folder, boxes } of made) {
    for (const box of boxes) await box.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

async function opened(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-door-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const box = await openSignalbox({
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, USER: 'ann' },
    programVersion: '0.2.0',
    launcher: resolve('bin/signalbox.cjs'),
    nodePath: process.execPath,
  });
  made.push({ folder, boxes: [box] });
  return { box, folder, read: (name: string) => readFileSync(join(folder, name), 'utf8') };
}

async function all<T>(some: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of some) found.push(one);
  return found;
}

const plan = `---
order: explicit
retries: 0
---
# Shop
## One
- [ ] db: Make the schema
  - run: \`echo no database; test -f ok\`
- [ ] lint: Lint
  - run: \`echo linted\`
  - check: \`true\`
  - files: src/a.ts
## Two
- [ ] api: Write the service → db, lint
  - run: \`true\`
- [ ] docs: Write the manual → api
  - run: \`true\`
`;

describe('a plan that fails', () => {
  it('is run, looked at, decided about, restructured and gone on with', async () => {
    const { box, folder, read } = await opened({ 'plan.md': plan });
    expect(await (await box.files()).check('plan.md')).toMatchObject({ ok: true, tasks: 4 });
    expect((await box.dryRun('plan.md', {})).plan).toBe('plan.md');
    expect((await (await box.files()).set('plan.md')).plan).toBe('plan.md');
    const notices: string[] = [];
    const run = await box.run(undefined, { onNotice: (text) => notices.push(text) });
    expect(run).toMatchObject({ outcome: 'stuck', exitCode: 5, decisions: [{ id: 'd1', task: 'db' }] });
    expect(run.failed).toMatchObject([{ task: 'db', tail: ['no database'] }]);
    expect((await box.status()).decisions).toHaveLength(1);
    expect((await box.progress()).percent).toBe(25);
    expect((await box.next(undefined, 3)).tasks).toEqual([]);
    expect((await box.why(undefined, 'docs')).reasons[0]).toMatchObject({ kind: 'need', task: 'api' });
    expect((await box.plans()).plans).toHaveLength(1);
    expect((await all(box.events(undefined, {}))).some(({ type }) => type === 'check-ended')).toBe(true);
    expect((await all(box.logs(undefined, 'db', {}))).map(({ text }) => text).join('')).toBe('no database\n');
    expect((await box.graph(undefined, { format: 'mermaid' })).picture?.text).toContain('flowchart');
    const now = new AbortController();
    for await (const status of box.statusChanges(undefined, { signal: now.signal })) {
      expect(status.summary.failed).toBe(1);
      now.abort();
    }

    const decisions = await box.decisions();
    expect((await decisions.list(undefined)).decisions).toMatchObject([{ id: 'd1', kind: 'failure' }]);
    expect(await decisions.show(undefined, 'd1')).toMatchObject({ decision: { task: 'db' } });
    expect(await decisions.found(undefined)).toMatchObject({ failed: [{ task: 'db' }] });
    expect(await box.attempts(undefined)).toMatchObject({ exhausted: [{ id: 'db' }] });
    await expect(decisions.show(undefined, 'd7')).rejects.toThrow('no decision "d7"');
    await expect(decisions.answer(undefined, 'd1', { choice: 'retri' })).rejects.toThrow('cannot be answered');
    const drop = { kind: 'drop-need', task: taskId('api'), need: taskId('db') } as const;
    const seen = await decisions.restructure(undefined, 'd1', drop, { preview: true, write: true });
    expect(seen).toMatchObject({ applied: false, changed: ['api'], unblocked: ['api', 'docs'], written: false });
    const done = await decisions.restructure('plan.md', 'd1', drop, { write: true, reason: 'not needed' });
    expect([done.written, read('plan.md')]).toEqual([true, plan.replace('→ db, lint', '→ lint')]);
    await expect(decisions.restructure(undefined, 'd1', drop, {})).rejects.toThrow('already answered');
    expect((await decisions.history(undefined)).decisions).toMatchObject([{ id: 'd1', state: 'answered' }]);
    writeFileSync(join(folder, 'ok'), '');
    expect((await (await box.steering()).retry(undefined, ['db'], { reason: 'it is there now' })).events).toHaveLength(
      1,
    );
    expect(await box.run(undefined, { detectDeadlocks: false })).toMatchObject({ outcome: 'complete', exitCode: 0 });
    expect(await box.verify(undefined, { parallel: 2 })).toMatchObject({ ok: true, total: 1 });
  });

  it('takes every other answer, each through the same door', async () => {
    const tasks = 'retries: 0\ntasks:\n  a: {run: "exit 3"}\n  b: {run: "true", needs: [a]}\n';
    for (const choice of ['skip-all', 'treat-as-done', 'retry', 'fix', 'abort'] as const) {
      const { box } = await opened({ 'plan.yaml': tasks });
      await box.run('plan.yaml', {});
      const answered = await (await box.decisions()).answer('plan.yaml', 'a', { choice, reason: 'so be it' });
      expect(answered).toMatchObject({ choice, decision: 'd1', running: false });
    }
    const { box } = await opened({ 'plan.yaml': 'tasks:\n  a: {run: "true", review: human}\n' });
    expect(await box.run('plan.yaml', {})).toMatchObject({ outcome: 'waiting', exitCode: 4 });
    const decisions = await box.decisions();
    await expect(decisions.review('plan.yaml', 'a#2', { choice: 'approve' })).rejects.toThrow();
    expect(await decisions.review('plan.yaml', 'a#1', { choice: 'approve' })).toMatchObject({ affected: ['a'] });
    expect((await box.run('plan.yaml', {})).outcome).toBe('complete');
  });
});

describe('by hand', () => {
  it('tasks are started, checked, handed in, failed and skipped, with what was found', async () => {
    const { box, read } = await opened({ 'plan.md': plan });
    const hand = await box.hand();
    const run = await hand.startRun('plan.md');
    expect(await hand.markStarted('plan.md', 'lint', {})).toMatchObject({ attempt: 'lint#1', status: 'in_progress' });
    await expect(hand.markStarted('plan.md', 'docs', {})).rejects.toThrow('docs is not ready');
    expect(await hand.markCompleted('plan.md', 'li', { notes: 'fine' })).toMatchObject({
      ok: true,
      status: 'completed',
    });
    expect(await hand.markFailed('plan.md', 'db', { error: 'no database' })).toMatchObject({ status: 'failed' });
    await expect(hand.markSkipped('plan.md', 'api', {})).rejects.toThrow('docs needs api');
    expect(await hand.markSkipped('plan.md', 'api', { dependents: true })).toMatchObject({ status: 'skipped' });
    await hand.writeFindings('plan.md', 'db', { text: 'It was gone.\n' });
    expect((await hand.writeFindings('plan.md', 'db', { text: 'Really.\n', append: true })).text).toContain('Really');
    expect((await hand.readFindings('plan.md', 'db')).text).toBe('It was gone.\nReally.\n');
    expect(await hand.findFindings('plan.md', 'api')).toBeNull();
    expect(await hand.completeRun('plan.md', run.run)).toMatchObject({ completed: 1, failed: 1 });
    expect((await hand.detectStuck('plan.md', { limitMs: 1, mark: true })).plan).toBe('plan.md');
    expect((await hand.statusFile('plan.md')).tasks[0]).toMatchObject({ id: 'db', lastError: 'no database' });
    expect(await hand.planFiles()).toContain('plan.md');
    const { status } = await hand.outputs('plan.md');
    expect(JSON.parse(readFileSync(status, 'utf8')).summary).toMatchObject({ completed: 1, failed: 1, skipped: 2 });
    expect(read('docs/plan-outputs/plan/findings/db.md')).toContain('Really');
  });

  it('somebody who falls silent is found, and failed when asked to', async () => {
    const { box } = await opened({ 'plan.yaml': 'tasks: {a: {run: "true"}}\n' });
    await (await box.hand()).markStarted('plan.yaml', 'a', {});
    expect(await (await box.hand()).detectStuck('plan.yaml', {})).toMatchObject({ stuck: [] });
    const { stuck } = await (await box.hand()).detectStuck('plan.yaml', { limitMs: 0, mark: true });
    expect(stuck).toMatchObject([{ task: 'a' }]);
    expect((await box.status('plan.yaml')).tasks[0]).toMatchObject({ status: 'failed' });
  });
});

describe('around a plan', () => {
  it('files and log are held against each other, and mended', async () => {
    const { box, folder } = await opened({
      'plan.md': plan,
      'beads.jsonl': '{"id":"x-1","title":"Do it","status":"open"}\n',
    });
    await (await box.files()).set('plan.md');
    expect(await box.validate({ fix: false })).toMatchObject({ ok: true });
    writeFileSync(join(folder, 'docs/plan-outputs/plan/status.json'), '{ broken');
    expect((await box.validate({ fix: false })).ok).toBe(false);
    await box.validate({ fix: true });
    expect(await box.validate({ fix: false })).toMatchObject({ ok: true });
    writeFileSync(join(folder, 'plan.md'), plan.replace('docs: Write', 'manual: Write'));
    expect(await (await box.files()).syncCheck('plan.md')).toMatchObject({ plan: 'plan.md' });
    expect(await (await box.files()).reload('plan.md')).toMatchObject({ added: ['manual'], removed: ['docs'] });
    expect((await (await box.files()).format('plan.md', {})).plan).toBe('plan.md');
    expect((await (await box.files()).import('beads', 'beads.jsonl', {})).text).toContain('Do it');
    expect((await box.doctor({ fix: false })).checks.length).toBeGreaterThan(5);
    expect((await (await box.results()).savedList()).saved).toEqual([]);
  });

  it('a sign of life creates no state', async () => {
    const { box, folder } = await opened({ 'plan.md': plan });
    expect(await (await box.locks()).signOfLife({ agent: 'ann' })).toBe(false);
    expect(existsSync(join(folder, '.signalbox'))).toBe(false);
  });

  it('people steer it: suspend, resume, pause, skip; and take locks', async () => {
    const { box } = await opened({ 'plan.md': plan });
    await (await box.steering()).suspend('plan.md', ['lint'], {});
    await (await box.steering()).resume('plan.md', ['lint'], {});
    await (await box.steering()).pause('plan.md', { reason: 'lunch' });
    expect(await box.run('plan.md', {})).toMatchObject({ outcome: 'paused', exitCode: 6 });
    await (await box.steering()).resume('plan.md', [], {});
    await (await box.steering()).skip('plan.md', ['db'], { treatAsDone: true });
    await expect((await box.steering()).stop('plan.md', {})).rejects.toThrow('not being run');
    const locks = await box.locks();
    expect(await locks.signOfLife({ agent: 'ann' })).toBe(false);
    expect((await locks.try(['src/a.ts'], { agent: 'ann' })).answer).toBe('granted');
    expect((await locks.wait(['src/a.ts'], { agent: 'bob', timeoutMs: 1 })).answer).toBe('timeout');
    expect((await locks.check('src/a.ts', { shared: false })).resource).toBe('src/a.ts');
    expect((await locks.list()).holds).toHaveLength(1);
    expect((await locks.waits({ format: 'mermaid' })).picture?.text).toContain('flowchart');
    expect((await locks.releaseAll({ agent: 'ann' })).released).toEqual(['src/a.ts']);
    expect(await box.run('plan.md', { maxParallel: 1 })).toMatchObject({ outcome: 'complete' });
  });
});
