// A set of small integers. A small set costs its content; a large one costs one byte for each possible item.
const few = 1_000;

export class IntSet {
  private readonly size: number;
  private readonly some = new Set<number>();
  private bytes: Uint8Array | null = null;

  /** @param size all of them are smaller. */
  constructor(size: number) {
    this.size = size;
  }

  has(item: number): boolean {
    return this.bytes ? this.bytes[item] === 1 : this.some.has(item);
  }

  add(item: number): void {
    if (this.bytes) {
      this.bytes[item] = 1;
      return;
    }
    this.some.add(item);
    if (this.some.size <= few) return;
    this.bytes = new Uint8Array(this.size);
    for (const known of this.some) this.bytes[known] = 1;
  }

  inOrder(): number[] {
    const { bytes } = this;
    if (!bytes) return [...this.some].sort((a, b) => a - b);
    const items: number[] = [];
    for (let item = bytes.indexOf(1); item !== -1; item = bytes.indexOf(1, item + 1)) items.push(item);
    return items;
  }
}
