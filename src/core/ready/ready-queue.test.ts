import { describe, expect, it } from 'vitest';
import { begin, planOf } from '../../../test/scenario.ts';
import type { TaskKeys } from '../model/plan.ts';
import { ReadyQueue } from './ready-queue.ts';

const keysOf = (keys: Record<string, TaskKeys>) => begin(planOf(Object.keys(keys).join(', '), { keys }));

describe('the pools of a task', () => {
  it.each<[string, TaskKeys, string[]]>([
    ['none', {}, []],
    ['its model', { model: 'opus' }, ['opus']],
    ['its resources', { uses: ['db', 'port'] }, ['db', 'port']],
    ['both', { model: 'opus', uses: ['db'] }, ['opus', 'db']],
    ['each once', { model: 'opus', uses: ['db', 'opus', 'db'] }, ['opus', 'db']],
  ])('%s', (_, keys, pools) => {
    expect(keysOf({ a: keys }).plan.ready.poolsOf(0)).toEqual(pools);
  });

  it('tasks with the same ones share a heap', () => {
    const { ready } = keysOf({ a: { model: 'opus' }, b: {}, c: { model: 'opus' }, d: { uses: ['opus'] } }).plan;
    expect(ready.classes.map(({ pools, heap }) => [pools, heap.size])).toEqual([
      [['opus'], 3],
      [[], 1],
    ]);
  });
});

describe('the order', () => {
  it('is that of the plan among equals, over all pools', () => {
    expect(keysOf({ c: { model: 'opus' }, a: {}, b: { model: 'opus' } }).ready()).toEqual(['c', 'a', 'b']);
  });

  it('is that of age: who got ready first', () => {
    expect(begin('late → x, x, early').complete('x').ready()).toEqual(['early', 'late']);
  });

  it('is that of priority before age; none is 0', () => {
    const scenario = begin(
      planOf('x, low, high → x, plain', { keys: { low: { priority: -1 }, high: { priority: 2 } } }),
    );
    expect(scenario.complete('x').ready()).toEqual(['high', 'plain', 'low']);
  });

  it('keeps the age over retries', () => {
    expect(begin('a, b, c').failOnce('a').ready()).toEqual(['a', 'b', 'c']);
  });
});

it('gives the same one by one, over pools of which some have nothing', () => {
  const opus = { model: 'opus' };
  const keys = { a: opus, b: {}, c: opus, d: { uses: ['db'], priority: 1 }, e: {}, f: opus, g: { uses: ['port'] } };
  const { ready } = keysOf(keys).complete('g').plan;
  expect(ready.inOrder()).toEqual([3, 0, 1, 2, 4, 5]);
});

it('knows what is in it', () => {
  const { plan } = begin('a, b');
  const queue = new ReadyQueue(plan.plan, plan.tasks);
  expect([queue.size, queue.has(1), queue.inOrder()]).toEqual([0, false, []]);
  queue.add(1);
  expect([queue.size, queue.has(1), queue.inOrder()]).toEqual([1, true, [1]]);
  queue.remove(1);
  expect([queue.size, queue.has(1), queue.inOrder()]).toEqual([0, false, []]);
});
