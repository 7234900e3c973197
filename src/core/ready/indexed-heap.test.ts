import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IndexedHeap } from './indexed-heap.ts';

const heapOf = (rank: readonly number[]) => {
  const place = new Int32Array(rank.length).fill(-1);
  return { place, heap: new IndexedHeap(place, (a, b) => rank[a]! < rank[b]!) };
};

function drain(heap: IndexedHeap): number[] {
  const order: number[] = [];
  for (let first = heap.first(); first !== -1; first = heap.first()) {
    order.push(first);
    heap.remove(first);
  }
  return order;
}

describe('IndexedHeap', () => {
  it('is empty at first', () => {
    const { heap } = heapOf([1, 2]);
    expect([heap.first(), heap.size, heap.all()]).toEqual([-1, 0, []]);
  });

  it('adding twice is adding once; removing what is not there is nothing', () => {
    const { heap } = heapOf([3, 1, 2]);
    heap.add(1);
    heap.add(1);
    heap.remove(0);
    expect([heap.first(), heap.size, heap.all()]).toEqual([1, 1, [1]]);
  });

  it('two heaps with different items share one array of places', () => {
    const { place, heap } = heapOf([4, 3, 2, 1]);
    const other = new IndexedHeap(place, (a, b) => a < b);
    heap.add(0);
    other.add(1);
    heap.add(2);
    other.add(3);
    heap.remove(0);
    expect([drain(heap), drain(other)]).toEqual([[2], [1, 3]]);
  });

  it('gives what a sort gives, whatever was put in and taken out before', () => {
    const steps = fc.array(
      fc.tuple(
        fc.nat({ max: 3 }).map((n) => n > 0),
        fc.nat({ max: 39 }),
      ),
      { minLength: 60, maxLength: 150 },
    );
    const ranks = fc.shuffledSubarray(
      Array.from({ length: 40 }, (_, i) => i),
      { minLength: 40 },
    );
    fc.assert(
      fc.property(ranks, steps, (rank, history) => {
        const { heap, place } = heapOf(rank);
        const model = new Set<number>();
        for (const [add, item] of history) {
          if (add) {
            heap.add(item);
            model.add(item);
          } else {
            heap.remove(item);
            model.delete(item);
          }
          const sorted = [...model].sort((a, b) => rank[a]! - rank[b]!);
          expect([heap.first(), heap.size]).toEqual([sorted[0] ?? -1, sorted.length]);
          expect([...heap.all()].sort()).toEqual([...sorted].sort());
        }
        expect(drain(heap)).toEqual([...model].sort((a, b) => rank[a]! - rank[b]!));
        expect(place.every((at) => at === -1)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
