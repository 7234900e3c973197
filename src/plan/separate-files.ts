// A glance at all lock keys of a plan: nearly always they are plain paths, and no two tasks name the same one or one inside the
// other. Then there is nothing to say about any of them, and no key has to be taken apart.
//
// Paths are compared by two hashes, of 32 and 30 bits. Equal paths have equal hashes, so nothing is ever missed; should different ones
// have equal hashes too, by chance or on purpose, only a closer look is taken than was needed.
import type { Plan } from '../core/plan.ts';
import { parseResource } from '../locks/resource.ts';

/** Whether all keys can be locked, and no two overlap. False also where it cannot be told at a glance. */
export function areSeparate({ tasks }: Plan): boolean {
  const paths = new SeparatePaths();
  let locks: readonly string[] | undefined;
  for (const { keys } of tasks) {
    if (keys.files !== undefined && !paths.addAll(keys.files)) return false;
    if (keys.reads !== undefined && !paths.addAll(keys.reads)) return false;
    if (keys.locks === undefined || keys.locks === locks) continue;
    locks = keys.locks;
    if (!locks.every((lock) => parseResource(lock).ok)) return false;
  }
  return true;
}

/** Whether this is one of the keys that are looked at here. */
export const isLockKey = (field: string): boolean => field === 'files' || field === 'reads' || field === 'locks';

const FOLDER = 1;
const PATH = 2;
const KIND = 3;
/** Further than this from where its hash points nothing is looked for. */
const furthest = 128;
/** A path; others are looked at closely. */
const longest = 1000;

export class SeparatePaths {
  /**
   * By slot: one hash, and the other with what has them in its last two bits; 0 for a free one. At least half of them are. Side
   * by side, because each path is met at a place of its own, and going there is what takes time.
   */
  private table: Int32Array;
  private count = 0;

  /** `expected` of them, or so, will be added; more cost a little more. */
  constructor(expected = 0) {
    let slots = 1024;
    while (slots < 2 * expected) slots *= 2;
    this.table = new Int32Array(2 * slots);
  }

  /** The characters of a path that is a text of its own. */
  private readonly scratch = new Uint16Array(longest);

  /** False when one of them is not plain, or overlaps with one that was there before. */
  addAll(paths: readonly string[]): boolean {
    const { scratch } = this;
    for (const path of paths) {
      if (path.length > longest) return false;
      for (let i = 0; i < path.length; i++) scratch[i] = path.charCodeAt(i);
      if (!this.add(scratch, 0, path.length)) return false;
    }
    return true;
  }

  /** The one whose characters stand there. */
  add(codes: Uint16Array, from: number, to: number): boolean {
    if (to === from || to - from > longest || codes[from]! <= space) return false;
    let one = 0x811c9dc5 | 0;
    let other = 0x2f0b4c47;
    let start = from;
    for (let i = from; i < to; i++) {
      const c = codes[i]!;
      if (c === slash) {
        if (!isName(codes, start, i) || !this.file(one, other, FOLDER)) return false;
        start = i + 1;
      } else if (c > 0x7e || plain[c] === 0) return false;
      one = Math.imul(one ^ c, 0x01000193);
      other = Math.imul(other ^ c, 0x5bd1e995);
      other ^= other >>> 15;
    }
    return isName(codes, start, to) && this.file(one, other, PATH);
  }

  /** A folder may be met again; a path must be new, and no folder of another one. */
  private file(one: number, other: number, kind: number): boolean {
    const { table } = this;
    const mask = table.length / 2 - 1;
    let slot = (one ^ (one >>> 15)) & mask;
    for (let step = 0; step < furthest; step++) {
      const found = table[2 * slot + 1]!;
      if (found === 0) {
        table[2 * slot] = one;
        table[2 * slot + 1] = (other & ~KIND) | kind;
        return ++this.count * 4 < table.length || this.grow();
      }
      if (table[2 * slot] === one && ((found ^ other) & ~KIND) === 0)
        return (found & KIND) === FOLDER && kind === FOLDER;
      slot = (slot + 1) & mask;
    }
    return false;
  }

  private grow(): boolean {
    const { table } = this;
    this.table = new Int32Array(table.length * 4);
    this.count = 0;
    for (let i = 0; i < table.length; i += 2)
      if (table[i + 1] !== 0 && !this.file(table[i]!, table[i + 1]!, table[i + 1]! & KIND)) return false;
    return true;
  }
}

const space = 0x20;
const slash = 0x2f;
const dot = 0x2e;

/** Signs of patterns, of named resources and of home folders mean more, and so do those that cannot be seen. */
const plain = Uint8Array.from({ length: 0x7f }, (_, c) =>
  c >= space && !'\\*?{}~:'.includes(String.fromCharCode(c)) ? 1 : 0,
);

/** Neither empty nor `.` nor `..`. */
function isName(codes: Uint16Array, from: number, to: number): boolean {
  return to - from > 2 || (to > from && codes[from] !== dot);
}
