// Somebody who takes locks by name and works on tasks by hand is one person, through the real program.
import { describe, expect, it } from 'vitest';
import { type Ended, type Line, type Started, Workspace } from '../rig.ts';

const ann = { SIGNALBOX_AGENT: 'ann' };
const ofType = (lines: readonly Line[], type: string) => lines.filter((line) => line.type === type);
const as = (w: Workspace, who: string, ...args: string[]): Started => w.startWith({ SIGNALBOX_AGENT: who }, ...args);
const mark = (w: Workspace, what: string, task: string, who = 'ann'): Promise<Ended> =>
  as(w, who, `mark-${what}`, task, '--plan', 'plan.yaml').ended;
const holdsOf = async (w: Workspace): Promise<string[]> =>
  (await w.run('lock', 'list', '--json')).json.holds.map(({ owner, resource }: Line) => `${owner} ${resource}`).sort();

/** As many wait as this. */
async function waiting(w: Workspace, n: number): Promise<void> {
  for (;;) if ((await w.start('lock', 'list', '--json').ended).json.waits.length === n) return;
}

/** `r` has `theirs`, and asks for `mine`, which the task `a` has, when the file `go` is there. */
const plan = [
  'retries: 0',
  'tasks:',
  '  a: {run: "true", files: [mine]}',
  '  b: {run: "true", files: [more]}',
  '  r: {run: "signalbox lock wait theirs && touch ready && while [ ! -e go ]; do sleep 0.05; done && signalbox lock wait mine more --timeout 100 && echo done >> log"}',
  '',
].join('\n');

async function begin(): Promise<{ w: Workspace; run: Started }> {
  const w = new Workspace({ 'plan.yaml': plan });
  for (const task of ['a', 'b']) expect((await mark(w, 'started', task)).code).toBe(0);
  const run = w.start('run', 'plan.yaml', '--json');
  await w.appears('ready');
  return { w, run };
}

/** She goes on, hands in, and the one that was stopped runs again, without a retry. */
async function end(w: Workspace, run: Started, waits: Started): Promise<void> {
  expect((await waits.ended).code).toBe(0);
  expect((await as(w, 'ann', 'lock', 'release-all').ended).code).toBe(0);
  for (const task of ['a', 'b']) expect((await mark(w, 'complete', task)).code).toBe(0);
  const { code, lines } = await run.ended;
  expect(code).toBe(0);
  const [found, ...others] = ofType(lines, 'deadlock-detected');
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    victim: 'r#1',
    blocker: 'a#1',
    blockerTask: 'a',
    cycle: expect.arrayContaining(['ann', 'r#1']),
  });
  const [resolved] = ofType(lines, 'deadlock-resolved');
  expect(Date.parse(resolved.at) - Date.parse(found.at)).toBeLessThan(5_000);
  expect(ofType(lines, 'task-failed')).toEqual([]);
  expect(w.read('log')).toBe('done\n');
  expect(await holdsOf(w)).toEqual([]);
}

describe('a circle through what a person waits for by name and what their task has', () => {
  it('is found when the attempt closes it, which is stopped', async () => {
    const { w, run } = await begin();
    const waits = as(w, 'ann', 'lock', 'wait', 'theirs', '--timeout', '100');
    await waiting(w, 1);
    w.write('go', '');
    const { words } = await run.line(({ type }) => type === 'deadlock-detected');
    expect(words).toBe('r#1 holds theirs and waits for mine, held by ann (a#1), which waits for theirs');
    await end(w, run, waits);
  });

  it('is found when the person closes it, and the attempt is stopped', async () => {
    const { w, run } = await begin();
    w.write('go', '');
    await waiting(w, 1);
    const tried = await as(w, 'ann', 'lock', 'try', 'theirs').ended;
    expect([tried.code, tried.err]).toEqual([
      5,
      expect.stringContaining('because ann holds mine and waits for theirs, held by r#1, which waits for mine\n'),
    ]);
    // What the plan declares for a task is given back with the task alone.
    expect(tried.err).not.toContain('lock release');
    await end(w, run, as(w, 'ann', 'lock', 'wait', 'theirs', '--timeout', '100'));
  });

  it('of two people is refused to the one who closes it, as between agents that Signalbox did not start', async () => {
    const w = new Workspace({ 'plan.yaml': plan });
    expect((await mark(w, 'started', 'a', 'ann')).code).toBe(0);
    expect((await mark(w, 'started', 'b', 'bob')).code).toBe(0);
    const waits = as(w, 'ann', 'lock', 'wait', 'more', '--timeout', '100');
    await waiting(w, 1);
    const refused = await as(w, 'bob', 'lock', 'wait', 'mine', '--timeout', '100').ended;
    expect([refused.code, refused.err]).toEqual([
      5,
      expect.stringContaining('held by ann (a#1), which waits for more'),
    ]);
    expect((await mark(w, 'complete', 'b', 'bob')).code).toBe(0);
    expect((await waits.ended).code).toBe(0);
    expect(await holdsOf(w)).toEqual(['a#1 mine', 'ann more']);
  });
});

describe('a file that somebody has locked by name', () => {
  const files = { 'plan.yaml': 'retries: 3\ntasks:\n  a: {run: "true", files: ["src/**"]}\n' };

  it('is not in the way of a task that they start, and is theirs until they give it back', async () => {
    const w = new Workspace(files);
    const lock = (...args: string[]) => as(w, 'ann', 'lock', ...args).ended;
    expect((await lock('try', 'src/a.ts')).code).toBe(0);
    const other = await mark(w, 'started', 'a', 'bob');
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('a needs src/a.ts, and ann holds it')]);
    for (const [who, waitsFor] of [['bob', ['src/a.ts']] as const, ['ann', []] as const]) {
      expect((await as(w, who, 'next', '--plan', 'plan.yaml', '--json').ended).json.tasks).toMatchObject([
        { id: 'a', waitsFor },
      ]);
    }
    expect((await mark(w, 'started', 'a')).code).toBe(0);
    expect(await holdsOf(w)).toEqual(['a#1 src/**', 'ann src/a.ts']);
    const failed = await as(w, 'ann', 'mark-failed', 'a', '--error', 'no', '--plan', 'plan.yaml').ended;
    expect(failed.code).toBe(0);
    expect(await holdsOf(w)).toEqual(['ann src/a.ts']);
    expect((await mark(w, 'started', 'a')).code).toBe(0);
    expect((await mark(w, 'complete', 'a')).code).toBe(0);
    expect((await as(w, 'bob', 'lock', 'try', 'src/a.ts').ended).code).toBe(1);
    expect((await lock('release', 'src/a.ts')).code).toBe(0);
    expect(await holdsOf(w)).toEqual([]);
  });

  it('after the start is the task’s, and goes with it', async () => {
    const w = new Workspace(files);
    expect((await mark(w, 'started', 'a')).code).toBe(0);
    for (const key of ['src/**', 'src/a.ts']) expect((await w.runWith(ann, 'lock', 'try', key)).code).toBe(0);
    expect(await holdsOf(w)).toEqual(['a#1 src/**', 'a#1 src/a.ts']);
    expect((await mark(w, 'complete', 'a')).code).toBe(0);
    expect(await holdsOf(w)).toEqual([]);
  });
});
