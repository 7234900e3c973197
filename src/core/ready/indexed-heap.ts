// A binary heap of small integers that knows the place of each, so any of them can be removed in logarithmic time. An item whose order
// changes must be removed before the change and added again after it.

export class IndexedHeap {
  private readonly items: number[] = [];
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

  add(item: number): void {
    if (this.place[item] !== -1) return;
    this.items.push(item);
    this.place[item] = this.items.length - 1;
    this.rise(this.items.length - 1);
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
