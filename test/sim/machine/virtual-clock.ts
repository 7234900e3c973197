// Time that passes only when nothing is left to do: a queue of what is to happen, one thing after the other. Between two of
// them everything that promises have set going comes to rest.
import { setImmediate as settled } from 'node:timers/promises';
import type { Clock } from '../../../src/runner/clock.ts';
import type { SimProcess } from './sim-process.ts';

interface Entry {
  readonly time: number;
  readonly order: number;
  callback: (() => void) | null;
}

export class VirtualClock {
  private time: number;
  private order = 0;
  private readonly heap: Entry[] = [];
  /** How much has happened so far. */
  steps = 0;

  constructor(start: number) {
    this.time = start;
  }

  now(): number {
    return this.time;
  }

  at(time: number, callback: () => void): () => void {
    const entry: Entry = { time: Math.max(time, this.time), order: this.order++, callback };
    this.push(entry);
    return () => {
      entry.callback = null;
    };
  }

  after(ms: number, callback: () => void): () => void {
    return this.at(this.time + ms, callback);
  }

  /** Lets things happen until `isDone` says so after one of them, or nothing is left; `beforeWaiting`: time is about to pass. */
  async run(isDone: () => boolean, beforeWaiting: () => void): Promise<void> {
    await settled();
    while (!isDone()) {
      const next = this.pop();
      if (!next) return;
      if (next.time > this.time) {
        beforeWaiting();
        this.time = next.time;
      }
      this.steps++;
      next.callback!();
      await settled();
    }
  }

  private push(entry: Entry): void {
    const { heap } = this;
    let i = heap.push(entry) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!before(entry, heap[parent]!)) break;
      heap[i] = heap[parent]!;
      i = parent;
    }
    heap[i] = entry;
  }

  private pop(): Entry | undefined {
    for (;;) {
      const { heap } = this;
      const first = heap[0];
      if (!first) return undefined;
      const last = heap.pop()!;
      if (heap.length > 0) this.sink(last);
      if (first.callback) return first;
    }
  }

  private sink(entry: Entry): void {
    const { heap } = this;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++;
      if (!before(heap[child]!, entry)) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = entry;
  }
}

const before = (a: Entry, b: Entry) => a.time < b.time || (a.time === b.time && a.order < b.order);

/** The time as one process sees it: begun at the wall clock's time, monotonic from then on. Its callbacks die with it. */
export class ProcessClock implements Clock {
  private readonly clock: VirtualClock;
  private readonly process: SimProcess;
  private readonly offset: number;

  constructor(clock: VirtualClock, process: SimProcess, wallOffset: number) {
    this.clock = clock;
    this.process = process;
    this.offset = wallOffset;
  }

  now(): number {
    return this.clock.now() + this.offset;
  }

  at(time: number, callback: () => void): () => void {
    // An infinite time is never.
    if (time === Number.POSITIVE_INFINITY) return () => undefined;
    return this.clock.at(time - this.offset, this.process.whileAlive(callback));
  }

  soon(callback: () => void): void {
    this.clock.after(0, this.process.whileAlive(callback));
  }
}
