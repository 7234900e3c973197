// Ranges of numbered ids: `1.1-1.3` means every id that exists from 1.1 to 1.3. Sorted by prefix once, when the first
// range is met, so that a wide range costs what it finds.
import type { Ids } from './ids.ts';

export type RangeReading =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | { readonly kind: 'backwards' }
  | { readonly kind: 'missing'; readonly end: string };

interface Numbered {
  readonly number: number;
  readonly id: string;
}

export class Ranges {
  private readonly known: Ids['index'];
  private sorted: Map<string, Numbered[]> | null = null;

  constructor(known: Ids['index']) {
    this.known = known;
  }

  /** Null when the text does not have the form of a range. */
  read(text: string): RangeReading | null {
    const ends = splitRange(text);
    if (ends === null) return null;
    const [first, last] = ends;
    for (const end of ends) if (!this.known.has(end.id)) return { kind: 'missing', end: end.id };
    if (first.number >= last.number) return { kind: 'backwards' };
    const all = this.byPrefix().get(first.prefix) ?? [];
    const ids: string[] = [];
    for (let i = lowerBound(all, first.number); i < all.length && all[i]!.number <= last.number; i++)
      ids.push(all[i]!.id);
    return { kind: 'ids', ids };
  }

  private byPrefix(): Map<string, Numbered[]> {
    if (this.sorted) return this.sorted;
    const sorted = new Map<string, Numbered[]>();
    for (const id of this.known.keys()) {
      const end = readEnd(id);
      if (end === null) continue;
      const list = sorted.get(end.prefix);
      if (list) list.push(end);
      else sorted.set(end.prefix, [end]);
    }
    for (const list of sorted.values()) list.sort((a, b) => a.number - b.number);
    this.sorted = sorted;
    return sorted;
  }
}

interface End extends Numbered {
  readonly prefix: string;
}

/** At the dash that leaves the same prefix on both sides: `ABC-1-ABC-3` has three. */
function splitRange(text: string): [End, End] | null {
  if (text.length > 401) return null;
  for (let i = 1; i < text.length - 1; i++) {
    if (text[i] !== '-' && text[i] !== '–') continue;
    const first = readEnd(text.slice(0, i));
    const last = first && readEnd(text.slice(i + 1));
    if (first && last && first.prefix === last.prefix) return [first, last];
  }
  return null;
}

function readEnd(id: string): End | null {
  let i = id.length;
  while (i > 0 && /\d/.test(id[i - 1]!)) i--;
  if (i === id.length || id.length - i > 15) return null;
  return { id, prefix: id.slice(0, i), number: Number(id.slice(i)) };
}

function lowerBound(list: readonly Numbered[], number: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]!.number < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
