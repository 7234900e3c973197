// What programs get that the documented example does not show: errors of one kind, and files that are there afterwards.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { openSignalbox } from '../api/open-signalbox.ts';
import * as library from './library.ts';

// As the build puts it in: a database asks for a version that knows it.
vi.stubGlobal('__VERSION__', packageJson.version);

const plan = 'plan.md';
let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'signalbox-library-'));
  writeFileSync(join(cwd, 'signalbox.yaml'), '');
  writeFileSync(join(cwd, plan), '- [ ] a: A\n- [ ] b: B → a\n');
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

it('has every function that it is asked for', () => {
  const functions = `getActivePlanPath getOutputDir getStatusPath loadStatus initializePlanStatus markTaskStarted
    markTaskCompleted markTaskFailed markTaskSkipped getNextTasks getProgress getStatusSummary writeFindings readFindings
    startRun completeRun detectPlanDeadlock findReadyTasks calculateAvailableSlots checkCircuitBreaker WaitForGraph`;
  expect(Object.entries(library).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))).toEqual(
    expect.arrayContaining(functions.split(/\s+/)),
  );
});

it('looks without creating anything', async () => {
  expect(await library.getActivePlanPath({ cwd })).toBeNull();
  expect(await library.getOutputDir(plan, { cwd })).toBe(join(cwd, 'docs/plan-outputs/plan'));
  expect((await library.loadStatus(plan, { cwd })).summary).toMatchObject({ totalTasks: 2, pending: 2 });
  expect((await library.getNextTasks(plan, 5, { cwd })).map(({ id }) => id)).toEqual(['a']);
  expect((await library.getStatusSummary(plan, { cwd })).summary.pending).toBe(2);
  expect(await library.readFindings(plan, 'a', { cwd })).toBeNull();
  expect([existsSync(join(cwd, '.signalbox')), existsSync(join(cwd, 'docs'))]).toEqual([false, false]);
});

it('has a status.json after initializePlanStatus, also where it was lost, and what is done stays done', async () => {
  await library.initializePlanStatus(plan, { cwd });
  const file = await library.getStatusPath(plan, { cwd });
  expect(existsSync(file)).toBe(true);
  await library.markTaskCompleted(plan, 'a', { cwd });
  rmSync(file);
  expect((await library.initializePlanStatus(plan, { cwd })).summary.completed).toBe(1);
  expect(existsSync(file)).toBe(true);
});

it('loads what status.json says, word for word', async () => {
  writeFileSync(join(cwd, plan), '---\nretries: 0\n---\n- [ ] a: A\n  - run: `exit 3`\n- [ ] b: B\n- [ ] c: C\n');
  const box = await openSignalbox({
    cwd,
    env: process.env,
    programVersion: packageJson.version,
    launcher: resolve('bin/signalbox.cjs'),
    nodePath: process.execPath,
  });
  await box.run(plan, { only: ['a'] });
  await box.close();
  // Saved in another order than that of the names, and one that no command can show.
  savedWork('a-1', { plan, at: '2026-11-02' });
  savedWork('b-1', { plan, at: '2026-11-01' });
  savedWork('c-1', { plan, version: 2 });
  await library.markTaskFailed(plan, 'b', 'no idea', { cwd });
  const written = JSON.parse(readFileSync(await library.getStatusPath(plan, { cwd }), 'utf8'));
  expect(await library.loadStatus(plan, { cwd })).toEqual(written);
  expect(written.tasks.map(({ lastError }: { lastError: string }) => lastError)).toEqual([
    'ended with exit code 3',
    'no idea',
    null,
  ]);
  expect(written.savedWork).toEqual(['a-1', 'b-1']);
});

function savedWork(id: string, manifest: object): void {
  const folder = join(cwd, '.signalbox/saved', id);
  mkdirSync(folder, { recursive: true });
  const texts = { token: '1', attempt: `${id[0]}#1`, task: id[0], at: '', reason: '' };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ version: 1, id, files: [], ...texts, ...manifest }));
}

it('throws what cannot be done as a Refusal, and trouble with files as an Outage', async () => {
  const error = await library.markTaskStarted(plan, 'b', { cwd }).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(library.Refusal);
  expect(error).toMatchObject({
    message: 'b is not ready: it waits for a',
    instead: expect.stringContaining('signalbox next'),
  });
  const skipped = await library.markTaskSkipped(plan, 'a', { cwd }).catch((thrown) => thrown);
  expect(skipped.instead).toContain('--treat-as-done');
  const finding = join(await library.getOutputDir(plan, { cwd }), 'findings', 'a.md');
  mkdirSync(finding, { recursive: true });
  const trouble = await library.writeFindings(plan, 'a', 'text', { cwd }).catch((thrown) => thrown);
  expect(trouble).toBeInstanceOf(library.Outage);
  expect(trouble.message).toMatch(/^the findings of a could not be written: /);
  rmSync(dirname(finding), { recursive: true });
  expect(await library.writeFindings(plan, 'a', 'text', { cwd })).toBe(finding);
});
