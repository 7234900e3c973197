// A status.json of which some entries make no sense, or that is no file at all: what makes sense is taken, the rest is named and kept, and
// nobody waits for ever.
import { spawnSync } from 'node:child_process';
import { linkSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Line, Workspace } from '../rig.ts';

const folder = 'docs/plan-outputs/plan';
const place = `${folder}/status.json`;
const plan = '# P\n- [ ] 1.1 A\n- [ ] 1.2 B\n';
const statusOf = (w: Workspace): Record<string, string> =>
  Object.fromEntries(JSON.parse(w.read(place)).tasks.map((task: Line) => [task.id, task.status]));
const keptAside = (w: Workspace) => readdirSync(join(w.folder, folder)).filter((name) => name.includes('.broken-'));
const loseLog = (w: Workspace) => rmSync(join(w.folder, '.signalbox'), { recursive: true, force: true });

describe('a status.json with entries that make no sense', () => {
  const done = '{"id":"1.1","status":"completed"}';
  const odd: readonly [string, string, RegExp][] = [
    ['another word', '{"id":"1.2","status":"perhaps"}', /"1\.2" has the status "perhaps", which there is not/],
    ['no status', '{"id":"1.2"}', /"1\.2" has the status nothing, which there is not/],
    ['null', 'null', /task 2: it is not an object/],
    ['an id twice', '{"id":"1.1","status":"pending"}', /"1\.1" is there twice/],
  ];

  it.each(odd)('%s: finished work stays finished, and the file is kept once', async (_, entry, words) => {
    const text = `{"planPath":"plan.md","tasks":[${done},${entry}]}`;
    const w = new Workspace({ 'plan.md': plan, [place]: text });
    const seen = await w.run('status', 'plan.md');
    expect(seen.err).toMatch(words);
    expect(seen.out).toMatch(/1 of 2 tasks completed/);
    expect([w.has('.signalbox'), w.read(place), keptAside(w)]).toEqual([false, text, []]);
    const { code, err } = await w.run('set', 'plan.md');
    expect(code, err).toBe(0);
    expect(err).toMatch(words);
    expect(statusOf(w)).toEqual({ '1.1': 'completed', '1.2': 'pending' });
    const kept = keptAside(w);
    expect(kept).toEqual([expect.stringMatching(/^status\.json\.broken-\d{8}T\d{6}Z$/)]);
    expect(w.read(`${folder}/${kept[0]}`)).toBe(text);
    expect(err).toContain(`${place} is kept as ${folder}/${kept[0]}`);
    await w.run('mark-complete', '1.2');
    expect(keptAside(w)).toEqual(kept);
    expect((await w.run('validate')).out).toMatch(/^OK: /);
  });

  it('that was kept before is not kept again', async () => {
    const w = new Workspace({ 'plan.md': plan, [place]: `{"tasks":[${done},7]}` });
    linkSync(join(w.folder, place), join(w.folder, `${place}.broken-20260101T000000Z`));
    await w.run('set', 'plan.md');
    expect(keptAside(w)).toEqual(['status.json.broken-20260101T000000Z']);
  });

  it('in words of others is read, told and not kept', async () => {
    const text = '{"tasks":[{"id":"1.1","status":"done"},{"id":"1.2","status":"cancelled"}]}';
    const w = new Workspace({ 'plan.md': plan, [place]: text });
    const { err } = await w.run('set', 'plan.md');
    expect(err).toMatch(/"1\.1" has the status "done", taken as completed\n/);
    expect(err).toMatch(/"1\.2" has the status "cancelled", taken as skipped\n/);
    expect(statusOf(w)).toEqual({ '1.1': 'completed', '1.2': 'skipped' });
    expect([keptAside(w), w.read(`${place}.bak`)]).toEqual([[], text]);
  });

  it('of ours: what was completed since the backup is not forgotten', async () => {
    const w = new Workspace({ 'plan.md': `${plan}- [ ] 1.3 C\n` });
    await w.run('set', 'plan.md');
    await w.run('mark-complete', '1.1');
    await w.run('mark-complete', '1.2');
    loseLog(w);
    const said = JSON.parse(w.read(place));
    said.tasks[2].status = 'who knows';
    w.write(place, JSON.stringify(said));
    expect((await w.run('set', 'plan.md')).err).toMatch(/has the status "who knows"/);
    expect(statusOf(w)).toEqual({ '1.1': 'completed', '1.2': 'completed', '1.3': 'pending' });
  });

  it('is named by validate, and written again from the log', async () => {
    const w = new Workspace({ 'plan.md': plan });
    await w.run('set', 'plan.md');
    await w.run('mark-complete', '1.1');
    for (const file of [place, `${place}.bak`]) w.write(file, w.read(file).replace(/"tasks": *\[/, '$&null,'));
    const found = await w.run('validate');
    expect([found.code, found.out]).toEqual([1, expect.stringMatching(/status\.json is damaged: task 1: it is not/)]);
    expect(found.out).toMatch(/status\.json\.bak is damaged: task 1: it is not an object/);
    expect((await w.run('validate', '--fix')).code).toBe(0);
    expect((await w.run('validate')).out).toMatch(/^OK: /);
  });
});

it('a task that was ticked in the plan was tried as often after recovery as before', async () => {
  const w = new Workspace({ 'plan.md': plan.replace('[ ] 1.1', '[x] 1.1') });
  await w.run('set', 'plan.md');
  const before = JSON.parse(w.read(place)).tasks;
  expect(before[0]).toMatchObject({ status: 'completed', attempts: 0 });
  loseLog(w);
  await w.run('set', 'plan.md');
  expect(JSON.parse(w.read(place)).tasks).toEqual(before);
});

describe('a pipe in the place of a file', () => {
  const pipe = (w: Workspace, file: string) => {
    rmSync(join(w.folder, file), { force: true });
    expect(spawnSync('mkfifo', [join(w.folder, file)]).status).toBe(0);
  };

  it.each([place, `${place}.bak`])('%s is not waited for', async (file) => {
    const w = new Workspace({ 'plan.md': plan });
    await w.run('set', 'plan.md');
    await w.run('pause');
    await w.run('resume');
    pipe(w, file);
    const found = await w.run('validate');
    expect([found.code, found.out]).toEqual([
      1,
      expect.stringContaining(`${file} could not be used: it is no regular`),
    ]);
    expect((await w.run('mark-complete', '1.1')).code).toBe(0);
    expect(statusOf(w)).toEqual({ '1.1': 'completed', '1.2': 'pending' });
    pipe(w, file);
    expect((await w.run('validate', '--fix')).code).toBe(0);
    expect((await w.run('validate')).out).toMatch(/^OK: /);
    // The backup is of the moment before.
    await w.run('pause');
    pipe(w, file);
    loseLog(w);
    const { code, err } = await w.run('set', 'plan.md');
    expect(code, err).toBe(0);
    expect(statusOf(w)).toEqual({ '1.1': 'completed', '1.2': 'pending' });
  });
});
