// A fast reader for the lines that most plans are made of: `- [ ] id: title → id, id`, `- key: value` and prose. It looks at
// every character once, where it stands in the whole text, and cuts out only what is kept. At any sign that may mean more it
// gives up the line, having changed nothing that the general way would not do first; it never guesses.
//
// What is done with a line is for whoever extends it. All that is handed over are places in the text; each `take` says whether
// the line fits the place where it stands.
import { Codes } from '../codes.ts';
import { type Key, keyIn } from '../keys.ts';
import { isWellFormed } from '../prepare-text.ts';
import type { Box } from './box.ts';

export abstract class PlainLines {
  protected readonly text: string;
  /** All places that are handed over are those of the part that is shown here: the line in hand, at least. */
  protected readonly shown: Codes;
  /** Of the line in hand. */
  protected start = 0;
  protected end = 0;
  protected number = 0;
  /** There is a sign in the title of the task in hand that may be an arrow. */
  protected mayMeanNeeds = false;

  constructor(text: string) {
    this.text = text;
    this.shown = new Codes(text);
  }

  protected abstract takeBlank(): void;
  /** The first of a task. Its id stands between the two places; without one they are the same. */
  protected abstract openTask(idFrom: number, idTo: number): boolean;
  protected abstract takeReference(from: number, to: number): boolean;
  /** The last of a task. `from` is its dash; there may be white space of other kinds than ours around the title. */
  protected abstract takeTask(from: number, mark: Box['mark'], titleFrom: number, titleTo: number): boolean;
  protected abstract takeAttribute(from: number, key: Key, valueFrom: number, valueTo: number): boolean;
  protected abstract takeProse(from: number, to: number): boolean;

  /** True when the line of the text from one place to another was read and is done with. */
  read(lineStart: number, lineEnd: number, number: number): boolean {
    const { shown } = this;
    if (!shown.show(lineStart, lineEnd)) return false;
    const { codes, base } = shown;
    const start = lineStart - base;
    const end = lineEnd - base;
    this.start = start;
    this.end = end;
    this.number = number;
    let from = start;
    while (from < end && codes[from]! === space) from++;
    if (from === end) {
      this.takeBlank();
      return true;
    }
    const first = codes[from]!;
    if (first === dash) {
      if (from + 6 >= end || codes[from + 1]! !== space) return false;
      return codes[from + 2]! === 0x5b ? this.task(from) : this.attribute(from);
    }

    // Prose: it starts with a letter and has no arrow, no mark, nothing that looks like a key or announces criteria.
    if (!isLetter(first)) return false;
    const to = this.trimmedEnd(from, end);
    const lower = first | 0x20;
    if ((lower === 0x61 || lower === 0x76) && to - from <= 40) return false;
    const keyEnd = from + 28;
    let all = 0;
    for (let i = from; i < end; i++) {
      const c = codes[i]!;
      if (c > 0x7f) {
        if (c === arrow) return false;
        all |= c;
      } else if ((signs[c]! & IN_PROSE) !== 0 && (c !== colonSign || i <= keyEnd)) return false;
    }
    if (mayHaveHalves(all) && !isWellFormed(shown.cut(from, end))) return false;
    return this.takeProse(from, to);
  }

  // All of a line of a kind is read in one function. Small ones are compiled for themselves and again inside of each that calls
  // them; when a plan is read once, as by most commands, that took nearly as long as reading it.
  private task(from: number): boolean {
    const { end } = this;
    const { codes } = this.shown;
    const mark = markOf(codes[from + 3]!);
    if (mark === null || codes[from + 4]! !== 0x5d || codes[from + 5]! !== space) return false;
    const id = skipSpaces(codes, from + 6, end);
    const first = codes[id]!;

    // To the colon behind a plain id; it stays where it is when there surely is none. Only a closer look can tell of others.
    let colon = id;
    if (first >= 0x41 && first <= 0x5a) {
      // `T014` and `ABC-12` go on with a digit, a dash or another capital.
      if (id + 1 >= end || !isSmall(codes[id + 1]!)) return false;
    } else if (!isSmall(first) && !isDigit(first)) return false;
    else {
      let kinds = 0;
      for (; colon < end; colon++) {
        const c = codes[colon]!;
        if (c > 0x7f || (signs[c]! & (ID_SIGN | DIGIT)) === 0) break;
        kinds |= signs[c]!;
      }
      // `1.` and `1.1` are ids too.
      if ((kinds & ID_SIGN) === 0 || colon >= end) return false;
      if (codes[colon]! !== colonSign) {
        if (!isSmall(first)) return false;
        colon = id;
      } else if (colon + 1 >= end || codes[colon + 1]! !== space) return false;
    }

    // To the arrow, or to the end of the line. Signs that may mean more: marks, code, parentheses, other arrows.
    const titleFrom = colon > id ? skipSpaces(codes, colon + 1, end) : id;
    const start = codes[titleFrom]!;
    if (start === dash || start === 0x2013 || start === 0x2014 || start === 0x09 || start === 0xa0) return false;
    let all = 0;
    let titleEnd = titleFrom;
    let mayMeanNeeds = false;
    for (; titleEnd < end; titleEnd++) {
      const c = codes[titleEnd]!;
      if (c > 0x7f) {
        if (c === arrow) break;
        if (c >= firstArrow) mayMeanNeeds = true;
        all |= c;
      } else if ((signs[c]! & IN_TITLE) !== 0) {
        if (c === 0x3c || c === 0x3e) mayMeanNeeds = true;
        else if ((c !== dash && c !== 0x7e) || codes[titleEnd + 1]! === 0x3e) return false;
      }
    }
    if (mayHaveHalves(all) && !isWellFormed(this.shown.cut(titleFrom, titleEnd))) return false;
    if (titleEnd <= titleFrom || !this.openTask(id, colon)) return false;
    this.mayMeanNeeds = mayMeanNeeds;

    // Ids of letters, digits and `.`, `_`, `-`, separated by commas and spaces, and at least one.
    if (titleEnd < end) {
      let found = false;
      let i = titleEnd + 1;
      while (i < end) {
        const c = codes[i]!;
        if (c === space || c === 0x2c) {
          i++;
          continue;
        }
        // A dash that stands free makes a range.
        if (c === dash) return false;
        const word = i;
        let after = c;
        while (after <= 0x7f && (signs[after]! & IN_WORD) !== 0) after = ++i < end ? codes[i]! : space;
        if (i === word || (after !== space && after !== 0x2c) || !this.takeReference(word, i)) return false;
        found = true;
      }
      if (!found) return false;
    }
    return this.takeTask(from, mark, titleFrom, this.trimmedEnd(titleFrom, titleEnd));
  }

  private attribute(from: number): boolean {
    const { end } = this;
    const { codes } = this.shown;
    const word = from + 2;
    let colon = word;
    while (colon < end && (isSmall(codes[colon]!) || codes[colon]! === dash)) colon++;
    if (colon + 2 >= end || codes[colon]! !== colonSign || codes[colon + 1]! !== space) return false;
    const key = keyIn(codes, word, colon);
    if (key === undefined) return false;
    const value = skipSpaces(codes, colon + 2, end);
    const valueTo = this.trimmedEnd(value, end);
    // Other white space than ours: the general way knows where a value of nothing stands.
    if (valueTo === value || codes[value]! === 0x09) return false;
    return this.takeAttribute(from, key, value, valueTo);
  }

  /** Where the text ends without the white space behind it. */
  private trimmedEnd(from: number, end: number): number {
    const { codes } = this.shown;
    let to = end;
    while (to > from && codes[to - 1] === space) to--;
    const last = to > from ? codes[to - 1]! : space;
    return last > space && last < 0x7f ? to : from + this.shown.cut(from, to).trimEnd().length;
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

function skipSpaces(codes: Uint16Array, from: number, end: number): number {
  let i = from;
  while (i < end && codes[i] === space) i++;
  return i;
}

/** Whether there may be halves of characters among some, of all whose bits this is. */
export const mayHaveHalves = (bits: number): boolean => (bits & 0xd800) === 0xd800;
