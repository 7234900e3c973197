// A binary heap of small integers with a place for each, so that any of them can be taken out in logarithmic time.
// What has changed its order must be taken out before the change and put back after it.

export class IndexedHeap {
  private items: number[] = [];
  private readonly place: Int32Array;
  private readonly before: (a: number, b: number) => boolean;

  /** @param place by item, shared between heaps whose items are disjoint; filled with -1. */
  constructor(place: Int32Array, before: (a: number, b: number) => boolean) {
    this.place = place;
    this.before = before;
  }

  get size(): number {
    return this.items.length;
  }

  /** The first one, or -1. */
  first(): number {
    return this.items[0] ?? -1;
  }

  /** All of them, in no particular order. */
  all(): readonly number[] {
    return this.items;
  }

  /** First one first, without taking them out; whoever asks for a few compares a few. */
  *oneByOne(): Generator<number> {
    const { items } = this;
    const before = (a: number, b: number) => this.before(items[a]!, items[b]!);
    const next = new IndexedHeap(new Int32Array(items.length).fill(-1), before);
    const offer = (at: number) => at < items.length && next.add(at);
    offer(0);
    for (let at = next.first(); at !== -1; at = next.first()) {
      yield items[at]!;
      next.remove(at);
      offer(2 * at + 1);
      offer(2 * at + 2);
    }
  }

  add(item: number): void {
    if (this.place[item] !== -1) return;
    this.items.push(item);
    this.place[item] = this.items.length - 1;
    this.rise(this.items.length - 1);
  }

  /** Puts back what `all` gave: their order is known to be right. */
  restore(items: Int32Array): void {
    const { place } = this;
    // Not by `Array.from`, which would make it in several sizes: small commands must not have to collect garbage.
    const copy: number[] = new Array(items.length);
    for (let at = 0; at < items.length; at++) {
      copy[at] = items[at]!;
      place[items[at]!] = at;
    }
    this.items = copy;
  }

  has(item: number): boolean {
    return this.place[item] !== -1;
  }

  remove(item: number): void {
    const at = this.place[item]!;
    if (at === -1) return;
    this.place[item] = -1;
    const last = this.items.pop()!;
    if (last === item) return;
    this.items[at] = last;
    this.place[last] = at;
    this.sink(at);
    this.rise(this.place[last]!);
  }

  private rise(start: number): void {
    let at = start;
    const item = this.items[at]!;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.before(item, this.items[parent]!)) break;
      this.put(this.items[parent]!, at);
      at = parent;
    }
    this.put(item, at);
  }

  private sink(start: number): void {
    let at = start;
    const item = this.items[at]!;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.items.length) break;
      if (child + 1 < this.items.length && this.before(this.items[child + 1]!, this.items[child]!)) child++;
      if (!this.before(this.items[child]!, item)) break;
      this.put(this.items[child]!, at);
      at = child;
    }
    this.put(item, at);
  }

  private put(item: number, at: number): void {
    this.items[at] = item;
    this.place[item] = at;
  }
}
