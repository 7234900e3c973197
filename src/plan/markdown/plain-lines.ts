// A fast reader for the lines that most plans are made of: `- [ ] id: title → id, id`, `- key: value` and prose. It looks at
// every character once, where it stands in the whole text, and cuts out only what is kept. At any sign that may mean more it
// gives up the line, having changed nothing that the general way would not do first; it never guesses.
//
// What is done with a line is for whoever extends it. All that is handed over are places in the text; each `take` says whether
// the line fits the place where it stands.
import { type Key, keyAt } from '../keys.ts';
import { isWellFormed } from '../prepare-text.ts';
import type { Box } from './box.ts';

export abstract class PlainLines {
  protected readonly text: string;
  /** Of the line in hand. */
  protected start = 0;
  protected end = 0;
  protected number = 0;

  constructor(text: string) {
    this.text = text;
  }

  protected abstract takeBlank(): void;
  /** The first of a task. Its id stands between the two places; without one they are the same. */
  protected abstract openTask(idFrom: number, idTo: number): boolean;
  protected abstract takeReference(from: number, to: number): boolean;
  /** The last of a task. `from` is its dash; there may be white space of other kinds than ours around the title. */
  protected abstract takeTask(from: number, mark: Box['mark'], titleFrom: number, titleTo: number): boolean;
  protected abstract takeAttribute(from: number, key: Key, valueFrom: number, valueTo: number): boolean;
  protected abstract takeProse(from: number, to: number): boolean;

  /** True when the line from `start` to `end` was read and is done with. */
  read(start: number, end: number, number: number): boolean {
    const { text } = this;
    this.start = start;
    this.end = end;
    this.number = number;
    let from = start;
    while (from < end && text.charCodeAt(from) === space) from++;
    if (from === end) {
      this.takeBlank();
      return true;
    }
    const c = text.charCodeAt(from);
    if (c !== dash) return isLetter(c) && this.prose(from);
    if (from + 6 >= end || text.charCodeAt(from + 1) !== space) return false;
    return text.charCodeAt(from + 2) === 0x5b ? this.task(from) : this.attribute(from);
  }

  private task(from: number): boolean {
    const { text, end } = this;
    const mark = markOf(text.charCodeAt(from + 3));
    if (mark === null || text.charCodeAt(from + 4) !== 0x5d || text.charCodeAt(from + 5) !== space) return false;
    const box = skipSpaces(text, from + 6, end);
    const colon = this.idEnd(box);
    if (colon < 0) return false;
    const titleFrom = colon > box ? skipSpaces(text, colon + 1, end) : box;
    const titleEnd = this.titleEnd(titleFrom);
    if (titleEnd <= titleFrom || !this.openTask(box, colon)) return false;
    if (titleEnd < end && !this.references(titleEnd + 1)) return false;
    return this.takeTask(from, mark, titleFrom, trimmedEnd(text, titleFrom, titleEnd));
  }

  /** Where the colon behind a plain id stands; `from` itself when there surely is no id; -1 when only a closer look can tell. */
  private idEnd(from: number): number {
    const { text, end } = this;
    const first = text.charCodeAt(from);
    // `T014` and `ABC-12` go on with a digit, a dash or another capital.
    if (first >= 0x41 && first <= 0x5a) return isSmall(text.charCodeAt(from + 1)) && from + 1 < end ? from : -1;
    if (!isSmall(first) && !isDigit(first)) return -1;
    let isNumber = true;
    let i = from;
    for (; i < end; i++) {
      const c = text.charCodeAt(i);
      if (isDigit(c)) continue;
      if (!isSmall(c) && c !== dash && c !== 0x5f) break;
      isNumber = false;
    }
    // `1.` and `1.1` are ids too.
    if (isNumber || i >= end) return -1;
    if (text.charCodeAt(i) !== 0x3a) return isSmall(first) ? from : -1;
    return text.charCodeAt(i + 1) === space && i + 1 < end ? i : -1;
  }

  /** At the arrow, or at the end of the line; -1 for signs that may mean more: marks, code, parentheses, other arrows. */
  private titleEnd(from: number): number {
    const { text, end } = this;
    const first = text.charCodeAt(from);
    if (first === dash || first === 0x2013 || first === 0x2014 || first === 0x09 || first === 0xa0) return -1;
    let all = 0;
    let i = from;
    for (; i < end; i++) {
      const c = text.charCodeAt(i);
      if (c === arrow) break;
      if (c === 0x28 || c === 0x5b || c === 0x60 || c === 0) return -1;
      if ((c === dash || c === 0x7e) && text.charCodeAt(i + 1) === 0x3e) return -1;
      all |= c;
    }
    return mayHaveHalves(all) && !isWellFormed(text.slice(from, i)) ? -1 : i;
  }

  /** Ids of letters, digits and `.`, `_`, `-`, separated by commas and spaces; false for anything else, or none. */
  private references(from: number): boolean {
    const { text, end } = this;
    let found = false;
    let i = from;
    while (i < end) {
      const c = text.charCodeAt(i);
      if (c === space || c === 0x2c) {
        i++;
        continue;
      }
      // A dash that stands free makes a range.
      if (c === dash) return false;
      const word = i;
      while (i < end && isIdCharacter(text.charCodeAt(i))) i++;
      const after = i < end ? text.charCodeAt(i) : space;
      if (i === word || (after !== space && after !== 0x2c) || !this.takeReference(word, i)) return false;
      found = true;
    }
    return found;
  }

  private attribute(from: number): boolean {
    const { text, end } = this;
    const word = from + 2;
    let colon = word;
    while (colon < end && (isSmall(text.charCodeAt(colon)) || text.charCodeAt(colon) === dash)) colon++;
    if (colon + 2 >= end || text.charCodeAt(colon) !== 0x3a || text.charCodeAt(colon + 1) !== space) return false;
    const key = keyAt(text, word, colon);
    if (key === undefined) return false;
    const value = skipSpaces(text, colon + 2, end);
    const valueTo = trimmedEnd(text, value, end);
    // Other white space than ours: the general way knows where a value of nothing stands.
    if (valueTo === value || text.charCodeAt(value) === 0x09) return false;
    return this.takeAttribute(from, key, value, valueTo);
  }

  /** A line that starts with a letter and has no arrow, no mark, nothing that looks like a key or announces criteria. */
  private prose(from: number): boolean {
    const { text, end } = this;
    const to = trimmedEnd(text, from, end);
    const lower = text.charCodeAt(from) | 0x20;
    if ((lower === 0x61 || lower === 0x76) && to - from <= 40) return false;
    const keyEnd = from + 28;
    let all = 0;
    for (let i = from; i < end; i++) {
      const c = text.charCodeAt(i);
      if (c === arrow || c === 0x3e || c === 0x5b || c === 0x5f || (c === 0x3a && i <= keyEnd) || c === 0) return false;
      all |= c;
    }
    if (mayHaveHalves(all) && !isWellFormed(text.slice(from, end))) return false;
    return this.takeProse(from, to);
  }
}

const space = 0x20;
const dash = 0x2d;
const arrow = 0x2192;

const isSmall = (c: number): boolean => c >= 0x61 && c <= 0x7a;
const isDigit = (c: number): boolean => c >= 0x30 && c <= 0x39;
const isLetter = (c: number): boolean => isSmall(c | 0x20);
const isIdCharacter = (c: number): boolean =>
  isSmall(c) || isDigit(c) || (c >= 0x41 && c <= 0x5a) || c === dash || c === 0x2e || c === 0x5f;

function markOf(c: number): Box['mark'] | null {
  if (c === space) return 'open';
  if (c === 0x78 || c === 0x58) return 'completed';
  return c === dash ? 'skipped' : null;
}

function skipSpaces(text: string, from: number, end: number): number {
  let i = from;
  while (i < end && text.charCodeAt(i) === space) i++;
  return i;
}

/** Whether there may be halves of characters among some, of all whose bits this is. */
export const mayHaveHalves = (bits: number): boolean => (bits & 0xd800) === 0xd800;

/** Where the text ends without the white space behind it. */
function trimmedEnd(text: string, from: number, end: number): number {
  let to = end;
  while (to > from && text.charCodeAt(to - 1) === space) to--;
  const last = to > from ? text.charCodeAt(to - 1) : space;
  return last > space && last < 0x7f ? to : from + text.slice(from, to).trimEnd().length;
}
