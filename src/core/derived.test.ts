import { describe, expect, it } from 'vitest';
import { begin, log, planOf } from '../../test/scenario.ts';
import { packDerived, unpackDerived } from './derived.ts';
import { uncounted } from './status-code.ts';

const story = () => {
  const scenario = begin(planOf('g { a, b* → a }, c → g, d', { keys: { d: { model: 'opus' } } }));
  return scenario.schedule('a').end('a', 1);
};

describe('what is derived, as bytes', () => {
  it('comes back as it was', () => {
    const { plan } = story();
    const { counted, counts, graph, signals, waiting, bad, classOf, ready } = unpackDerived(
      packDerived(plan),
      plan.plan,
    )!;
    expect({ counted, counts, graph, signals, waiting, bad }).toEqual({
      counted: plan.counted,
      counts: plan.counts,
      graph: plan.graph,
      signals: plan.signals,
      waiting: plan.waiting,
      bad: plan.bad,
    });
    expect(counted).toContain(uncounted); // a group
    expect([...classOf]).toEqual([...plan.ready.classOf]);
    expect([...ready].sort()).toEqual(plan.ready.inOrder().sort());
  });

  it.each([
    ['numbers of two bytes', 100, {}],
    ['numbers of two bytes, and priorities', 100, { t7: { priority: -3 }, t9: { priority: 2.5 } }],
    ['larger numbers', 33_000, { t9: { priority: 7 } }],
    ['larger numbers, and no priorities', 33_000, {}],
  ])('comes back as it was with %s', (_, tasks, keys) => {
    const ids = Array.from({ length: tasks }, (_, i) => (i === 0 ? 't0' : `t${i} → t${i - 1}`));
    const { plan } = log(planOf(ids.join(', '), { keys })).load();
    const packed = packDerived(plan);
    const { graph, columns, waiting, bad, signals, classOf } = unpackDerived(packed.slice(), plan.plan)!;
    expect({ graph, columns, waiting, bad, signals }).toEqual({
      graph: plan.graph,
      columns: plan.columns,
      waiting: plan.waiting,
      bad: plan.bad,
      signals: plan.signals,
    });
    expect(classOf).toEqual(plan.ready.classOf);
    expect(packed.length / tasks).toBeLessThan(tasks < 2 ** 15 ? 41 : 61);
  });

  it.each([
    ['nothing at all', () => new Uint8Array()],
    ['another layout', (bytes: Uint8Array) => with32(bytes, 0, 99)],
    ['another number of tasks', (bytes: Uint8Array) => with32(bytes, 1, 3)],
    ['sizes that do not fit', (bytes: Uint8Array) => with32(bytes, 4, 1000)],
    ['half of it', (bytes: Uint8Array) => bytes.slice(0, bytes.length / 2)],
  ])('is nothing when there is %s', (_, change) => {
    const { plan } = story();
    expect(unpackDerived(change(packDerived(plan)), plan.plan)).toBeNull();
  });

  it('is read from any place in memory', () => {
    const { plan } = story();
    const bytes = packDerived(plan);
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    expect(unpackDerived(shifted.subarray(1), plan.plan)?.counts).toEqual(plan.counts);
  });
});

function with32(bytes: Uint8Array, word: number, value: number): Uint8Array {
  const copy = bytes.slice();
  new Int32Array(copy.buffer, 0, 8)[word] = value;
  return copy;
}
