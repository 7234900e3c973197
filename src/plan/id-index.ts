// Which task has an id. A hash table of its own over flat arrays: ids are cut out of the text, so a `Map` would have to hash
// each of them in a call of its own. With 100,000 ids and 200,000 look-ups it took 0.6 to 1.0 times as long as a `Map`.
import type { Codes } from './codes.ts';

/**
 * Further than this from where its hash points no id is looked for. Anybody can compute this hash and write ids that all have
 * the same one, and each would then be compared with all before it; honest ids stay far below, at most half of the slots
 * being taken.
 */
const furthest = 128;

export class IdIndex {
  private readonly ids: string[] = [];
  /** By id: the task. */
  private readonly tasks: number[] = [];
  /** By id. */
  private hashes: Int32Array;
  /** By slot: 1 more than the place in `ids`; 0 when it is free. At least half of them are. */
  private slots: Int32Array;
  /** Instead of the slots, once an id was too far from where it belongs: the engine's own hash has a secret seed. */
  private crowded: Map<string, number> | null = null;

  /** `expected` ids or so will be added; more cost a little more. */
  constructor(expected: number) {
    let slots = 16;
    while (slots < 2 * expected) slots *= 2;
    this.slots = new Int32Array(slots);
    this.hashes = new Int32Array(slots / 2);
  }

  get size(): number {
    return this.ids.length;
  }

  /** In the order in which they were added. */
  keys(): readonly string[] {
    return this.ids;
  }

  get(id: string): number | undefined {
    if (this.crowded === null) {
      const slot = this.slotOf(id, hashOf(id));
      if (slot >= 0) {
        const place = this.slots[slot]!;
        return place === 0 ? undefined : this.tasks[place - 1];
      }
    }
    return this.asMap().get(id);
  }

  /** The task whose id stands in the text from one place to another, without cutting it out. May miss one that is there. */
  findAt(text: string, from: number, to: number): number | undefined {
    if (this.crowded !== null) return undefined;
    const { slots, hashes, ids } = this;
    const hash = hashOf(text, from, to);
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let step = 0; step < furthest; step++) {
      const place = slots[slot]!;
      if (place === 0) return undefined;
      const id = ids[place - 1]!;
      if (hashes[place - 1] === hash && id.length === to - from && text.startsWith(id, from))
        return this.tasks[place - 1];
      slot = (slot + 1) & mask;
    }
    return undefined;
  }

  has(id: string): boolean {
    return this.get(id) !== undefined;
  }

  /** The task that has it already, or undefined after it was added. */
  add(id: string, task: number): number | undefined {
    return this.addHashed(id, hashOf(id), task);
  }

  private addHashed(id: string, hash: number, task: number): number | undefined {
    if (this.crowded === null) {
      if (this.ids.length === this.hashes.length) this.grow();
      const slot = this.slotOf(id, hash);
      if (slot >= 0) {
        const place = this.slots[slot]!;
        if (place !== 0) return this.tasks[place - 1];
        this.hashes[this.ids.length] = hash;
        this.tasks.push(task);
        this.slots[slot] = this.ids.push(id);
        return undefined;
      }
    }
    const map = this.asMap();
    const first = map.get(id);
    if (first !== undefined) return first;
    map.set(id, task);
    this.tasks.push(task);
    this.ids.push(id);
    return undefined;
  }

  /** Adds the id that stands there, and returns it; undefined when a task has it already. */
  addIn(text: Codes, from: number, to: number, task: number): string | undefined {
    const id = text.cut(from, to);
    return this.addHashed(id, hashIn(text.codes, from, to), task) === undefined ? id : undefined;
  }

  /** As `findAt`. */
  findIn(codes: Uint16Array, from: number, to: number): number | undefined {
    if (this.crowded !== null) return undefined;
    const { slots, hashes, ids } = this;
    const hash = hashIn(codes, from, to);
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let step = 0; step < furthest; step++) {
      const place = slots[slot]!;
      if (place === 0) return undefined;
      if (hashes[place - 1] === hash && isSame(ids[place - 1]!, codes, from, to)) return this.tasks[place - 1];
      slot = (slot + 1) & mask;
    }
    return undefined;
  }

  /** Where the id is, or the free slot where it would be; -1 when that is too far. */
  private slotOf(id: string, hash: number): number {
    const { slots, hashes, ids } = this;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let step = 0; step < furthest; step++) {
      const place = slots[slot]!;
      if (place === 0 || (hashes[place - 1] === hash && ids[place - 1] === id)) return slot;
      slot = (slot + 1) & mask;
    }
    return -1;
  }

  private asMap(): Map<string, number> {
    this.crowded ??= new Map(this.ids.map((id, place) => [id, this.tasks[place]!]));
    return this.crowded;
  }

  private grow(): void {
    const slots = new Int32Array(this.slots.length * 2);
    const hashes = new Int32Array(this.hashes.length * 2);
    hashes.set(this.hashes);
    const mask = slots.length - 1;
    for (let place = 0; place < this.ids.length; place++) {
      let slot = hashes[place]! & mask;
      let step = 0;
      while (slots[slot] !== 0 && ++step < furthest) slot = (slot + 1) & mask;
      if (slots[slot] !== 0) {
        this.asMap();
        return;
      }
      slots[slot] = place + 1;
    }
    this.slots = slots;
    this.hashes = hashes;
  }
}

/** FNV-1a over its characters, with the high bits mixed into the low ones that choose the slot. */
function hashOf(text: string, from = 0, to = text.length): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return hash ^ (hash >>> 15);
}

/** The same of numbers. */
function hashIn(codes: Uint16Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ codes[i]!, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return hash ^ (hash >>> 15);
}

function isSame(id: string, codes: Uint16Array, from: number, to: number): boolean {
  if (id.length !== to - from) return false;
  for (let i = from; i < to; i++) if (id.charCodeAt(i - from) !== codes[i]) return false;
  return true;
}
