// A caller that never got its answer repeats the call with the same key: it succeeds, and nothing happens twice.
import { watch } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Ended, Workspace } from '../rig.ts';

const plan = `tasks:
  a: {check: "echo x >> checked; test -e ready"}
  b: {}
  c: {}
`;

const begin = async () => {
  const w = new Workspace({ 'plan.yaml': plan });
  await w.run('set', 'plan.yaml');
  return w;
};
const keyed = (...words: string[]) => [...words.slice(0, -1), '--request', words.at(-1)!, '--json'];
const typesOf = async (w: Workspace) => (await w.run('events', 'plan.yaml', '--json')).lines.map(({ type }) => type);
const count = (types: readonly string[], type: string) => types.filter((one) => one === type).length;

it('start, hand in and fail: the second time nothing is recorded and no check runs', async () => {
  const w = await begin();
  const same = async (...words: string[]) => {
    const first = await w.run(...keyed(...words));
    const before = await typesOf(w);
    const second = await w.run(...keyed(...words));
    expect([words, first.code, second.code, second.err]).toEqual([words, 0, 0, '']);
    const { task, attempt, ok, plan: of } = first.json;
    expect(second.json).toMatchObject({ task, attempt, ok, plan: of, events: [], repeated: true });
    expect(first.json).not.toHaveProperty('repeated');
    expect(await typesOf(w)).toEqual(before);
    return attempt;
  };
  expect(await same('mark-started', 'a', 's-1')).toBe('a#1');
  // A red check records nothing: the same key tries again.
  const red = await w.run(...keyed('mark-complete', 'a', 'c-1'));
  expect([red.code, red.json.ok, red.json.repeated]).toEqual([1, false, undefined]);
  w.write('ready', '');
  expect(await same('mark-complete', 'a', 'c-1')).toBe('a#1');
  expect(w.read('checked')).toBe('x\nx\n');
  expect(await same('mark-started', 'b', 's-2')).toBe('b#1');
  expect(await same('mark-failed', 'b', '--error', 'no', 'f-2')).toBe('b#1');
  // The start that was repeated late starts nothing.
  const late = await w.run(...keyed('mark-started', 'b', 's-2'));
  expect(late.json).toMatchObject({ task: 'b', status: 'failed', attempt: 'b#1', events: [], repeated: true });
  expect(await same('mark-started', 'b', 's-3')).toBe('b#2');
});

it.each<[string, string[], RegExp]>([
  ['another command', ['mark-complete', 'b', 'k'], /the request key "k" was already used by tester: .*mark-started b/],
  ['another task', ['mark-started', 'c', 'k'], /the request key "k" was already used by tester: .*mark-started b/],
  ['too long', ['mark-started', 'c', 'k'.repeat(201)], /a request key has 1 to 200 printable characters/],
  [
    'not printable',
    ['mark-failed', 'c', '--error', 'x', 'k\u001b[2J'],
    /a request key has 1 to 200 printable characters/,
  ],
  ['empty', ['mark-complete', 'c', ''], /a request key has 1 to 200 printable characters/],
])('refused: %s', async (_, words, message) => {
  const w = await begin();
  expect((await w.run(...keyed('mark-started', 'b', 'k'))).code).toBe(0);
  const before = await typesOf(w);
  const { code, json } = await w.run(...keyed(...words));
  expect([code, json.type, json.message]).toEqual([2, 'error', expect.stringMatching(message)]);
  expect(await typesOf(w)).toEqual(before);
});

it('a key that is refused creates no state', async () => {
  const w = new Workspace({ 'plan.yaml': plan });
  expect((await w.run('mark-started', 'b', '--plan', 'plan.yaml', '--request', '\t')).code).toBe(2);
  expect(w.has('.signalbox')).toBe(false);
});

it('processes with one key at once: one records, and all succeed', async () => {
  const w = await begin();
  w.write('ready', '');
  const all = await Promise.all(Array.from({ length: 3 }, () => w.start(...keyed('mark-complete', 'a', 'c-1')).ended));
  expect(all.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(all.filter(({ json }) => json.repeated !== true)).toHaveLength(1);
  expect(count(await typesOf(w), 'task-handed-in')).toBe(1);
});

it('a caller killed when it wrote: another repeats, and the task is started once', async () => {
  const w = await begin();
  const killed = w.start(...keyed('mark-started', 'b', 's-1'));
  await new Promise<void>((done) => {
    const watcher = watch(join(w.folder, '.signalbox'), () => {
      killed.kill('SIGKILL');
      watcher.close();
      done();
    });
  });
  await killed.ended;
  const again: Ended = await w.start(...keyed('mark-started', 'b', 's-1')).ended;
  const more: Ended = await w.start(...keyed('mark-started', 'b', 's-1')).ended;
  expect([again.code, more.code, more.json.repeated, more.json.attempt]).toEqual([0, 0, true, 'b#1']);
  expect(count(await typesOf(w), 'task-started')).toBe(1);
});
