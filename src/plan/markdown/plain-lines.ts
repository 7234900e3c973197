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
  /** There is a sign in the title of the task in hand that may be an arrow. */
  protected mayMeanNeeds = false;

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
    const first = text.charCodeAt(from);
    if (first === dash) {
      if (from + 6 >= end || text.charCodeAt(from + 1) !== space) return false;
      return text.charCodeAt(from + 2) === 0x5b ? this.task(from) : this.attribute(from);
    }

    // Prose: it starts with a letter and has no arrow, no mark, nothing that looks like a key or announces criteria.
    if (!isLetter(first)) return false;
    const to = trimmedEnd(text, from, end);
    const lower = first | 0x20;
    if ((lower === 0x61 || lower === 0x76) && to - from <= 40) return false;
    const keyEnd = from + 28;
    let all = 0;
    for (let i = from; i < end; i++) {
      const c = text.charCodeAt(i);
      if (c > 0x7f) {
        if (c === arrow) return false;
        all |= c;
      } else if ((signs[c]! & IN_PROSE) !== 0 && (c !== colonSign || i <= keyEnd)) return false;
    }
    if (mayHaveHalves(all) && !isWellFormed(text.slice(from, end))) return false;
    return this.takeProse(from, to);
  }

  // All of a line of a kind is read in one function. Small ones are compiled for themselves and again inside of each that calls
  // them; when a plan is read once, as by most commands, that took nearly as long as reading it.
  private task(from: number): boolean {
    const { text, end } = this;
    const mark = markOf(text.charCodeAt(from + 3));
    if (mark === null || text.charCodeAt(from + 4) !== 0x5d || text.charCodeAt(from + 5) !== space) return false;
    const id = skipSpaces(text, from + 6, end);
    const first = text.charCodeAt(id);

    // To the colon behind a plain id; it stays where it is when there surely is none. Only a closer look can tell of others.
    let colon = id;
    if (first >= 0x41 && first <= 0x5a) {
      // `T014` and `ABC-12` go on with a digit, a dash or another capital.
      if (id + 1 >= end || !isSmall(text.charCodeAt(id + 1))) return false;
    } else if (!isSmall(first) && !isDigit(first)) return false;
    else {
      let kinds = 0;
      for (; colon < end; colon++) {
        const c = text.charCodeAt(colon);
        if (c > 0x7f || (signs[c]! & (ID_SIGN | DIGIT)) === 0) break;
        kinds |= signs[c]!;
      }
      // `1.` and `1.1` are ids too.
      if ((kinds & ID_SIGN) === 0 || colon >= end) return false;
      if (text.charCodeAt(colon) !== colonSign) {
        if (!isSmall(first)) return false;
        colon = id;
      } else if (colon + 1 >= end || text.charCodeAt(colon + 1) !== space) return false;
    }

    // To the arrow, or to the end of the line. Signs that may mean more: marks, code, parentheses, other arrows.
    const titleFrom = colon > id ? skipSpaces(text, colon + 1, end) : id;
    const start = text.charCodeAt(titleFrom);
    if (start === dash || start === 0x2013 || start === 0x2014 || start === 0x09 || start === 0xa0) return false;
    let all = 0;
    let titleEnd = titleFrom;
    let mayMeanNeeds = false;
    for (; titleEnd < end; titleEnd++) {
      const c = text.charCodeAt(titleEnd);
      if (c > 0x7f) {
        if (c === arrow) break;
        if (c >= firstArrow) mayMeanNeeds = true;
        all |= c;
      } else if ((signs[c]! & IN_TITLE) !== 0) {
        if (c === 0x3c || c === 0x3e) mayMeanNeeds = true;
        else if ((c !== dash && c !== 0x7e) || text.charCodeAt(titleEnd + 1) === 0x3e) return false;
      }
    }
    if (mayHaveHalves(all) && !isWellFormed(text.slice(titleFrom, titleEnd))) return false;
    if (titleEnd <= titleFrom || !this.openTask(id, colon)) return false;
    this.mayMeanNeeds = mayMeanNeeds;

    // Ids of letters, digits and `.`, `_`, `-`, separated by commas and spaces, and at least one.
    if (titleEnd < end) {
      let found = false;
      let i = titleEnd + 1;
      while (i < end) {
        const c = text.charCodeAt(i);
        if (c === space || c === 0x2c) {
          i++;
          continue;
        }
        // A dash that stands free makes a range.
        if (c === dash) return false;
        const word = i;
        let after = c;
        while (after <= 0x7f && (signs[after]! & IN_WORD) !== 0) after = ++i < end ? text.charCodeAt(i) : space;
        if (i === word || (after !== space && after !== 0x2c) || !this.takeReference(word, i)) return false;
        found = true;
      }
      if (!found) return false;
    }
    return this.takeTask(from, mark, titleFrom, trimmedEnd(text, titleFrom, titleEnd));
  }

  private attribute(from: number): boolean {
    const { text, end } = this;
    const word = from + 2;
    let colon = word;
    while (colon < end && (isSmall(text.charCodeAt(colon)) || text.charCodeAt(colon) === dash)) colon++;
    if (colon + 2 >= end || text.charCodeAt(colon) !== colonSign || text.charCodeAt(colon + 1) !== space) return false;
    const key = keyAt(text, word, colon);
    if (key === undefined) return false;
    const value = skipSpaces(text, colon + 2, end);
    const valueTo = trimmedEnd(text, value, end);
    // Other white space than ours: the general way knows where a value of nothing stands.
    if (valueTo === value || text.charCodeAt(value) === 0x09) return false;
    return this.takeAttribute(from, key, value, valueTo);
  }
}

const space = 0x20;
const dash = 0x2d;
const colonSign = 0x3a;
const arrow = 0x2192;
/** Of all those that `nearly-needs.ts` knows. */
const firstArrow = 0x2190;

const isSmall = (c: number): boolean => c >= 0x61 && c <= 0x7a;
const isDigit = (c: number): boolean => c >= 0x30 && c <= 0x39;
const isLetter = (c: number): boolean => isSmall(c | 0x20);

/** What a sign may be or mean, by its number; the same question for each of 40 million characters, so one look answers it. */
const ID_SIGN = 1;
const DIGIT = 2;
const IN_WORD = 4;
const IN_TITLE = 8;
const IN_PROSE = 16;
const signs = new Uint8Array(128);
const mean = (text: string, meaning: number) => {
  for (let i = 0; i < text.length; i++) signs[text.charCodeAt(i)]! |= meaning;
};
mean('abcdefghijklmnopqrstuvwxyz-_', ID_SIGN | IN_WORD);
mean('0123456789', DIGIT | IN_WORD);
mean('ABCDEFGHIJKLMNOPQRSTUVWXYZ.', IN_WORD);
mean('([`\0-~<>', IN_TITLE);
mean('>[_:\0', IN_PROSE);

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
