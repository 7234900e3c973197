// A fast reader for the plain part of YAML that nearly every plan keeps to: block maps and lists, one-line scalars, one-line
// flow lists and maps, literal blocks. At anything else it gives up with 'unusual', and never guesses. Measured at 100,000
// tasks (18 MB): 0.3 to 0.5 s, where the `yaml` package takes 12 s and 1.2 GB.
import { mostTasks } from '../limits.ts';
import type { Place } from '../report.ts';
import { TooMany, unusual } from './unusual.ts';
import type { YamlEntry, YamlNode, YamlText } from './yaml-node.ts';

/** Null for a text with nothing in it. */
export function parsePlainYaml(text: string, at: Place): YamlNode | null | 'unusual' {
  if (hasUnusualSigns(text) || at.column !== 1) return 'unusual';
  const reader = new PlainYaml(text, at.line);
  try {
    return reader.document();
  } catch (error) {
    if (error === unusual || error instanceof RangeError) return 'unusual';
    throw error;
  }
}

/** Signs that only the package reads as YAML means them. A few milliseconds on 25 MB, as with a pattern. */
export const hasUnusualSigns = (text: string): boolean =>
  text.includes('\t') || text.includes('\r') || text.includes('\ufeff');

/** The line where the reader above gives up. */
export function lineOfUnusual(text: string, at: Place): number {
  const strange = text.search(/[\t\r\ufeff]/);
  // Up to the sign that it never starts with, and not to the line end: behind that one it counts a line more.
  const reader = new PlainYaml(strange < 0 ? text : text.slice(0, strange + 1), at.line);
  try {
    reader.document();
  } catch (error) {
    if (error !== unusual && !(error instanceof RangeError || error instanceof TooMany)) throw error;
  }
  return reader.lineNumber;
}

export class PlainYaml {
  protected readonly text: string;
  lineNumber: number;
  protected next = 0;
  // The current line that says something: where it starts, its indentation, where its content ends.
  protected start = 0;
  protected indent = -1;
  protected end = 0;
  /** Behind the part of a flow list or map that was read last. */
  protected flowEnd = 0;

  constructor(text: string, firstLine: number) {
    this.text = text;
    this.lineNumber = firstLine - 1;
  }

  document(): YamlNode | null {
    this.advance();
    if (this.indent === 0 && this.rest(this.start) === '---') this.advance();
    if (this.indent < 0) return null;
    const node = this.block(this.indent);
    if (this.indent >= 0) throw unusual;
    return node;
  }

  /** To the next line that is neither empty nor a comment; indentation -1 at the end. */
  protected advance(): void {
    const { text } = this;
    while (this.next < text.length) {
      const from = this.next;
      const newline = text.indexOf('\n', from);
      const end = newline < 0 ? text.length : newline;
      this.next = newline < 0 ? text.length : newline + 1;
      this.lineNumber++;
      let i = from;
      while (text.charCodeAt(i) === space) i++;
      if (i >= end || text.charCodeAt(i) === hash) continue;
      this.start = i;
      this.indent = i - from;
      this.end = end;
      return;
    }
    this.indent = -1;
  }

  private block(indent: number): YamlNode {
    return this.isDash(this.start) ? this.list(indent) : this.map(indent, this.start);
  }

  protected isDash(i: number): boolean {
    return this.text.charCodeAt(i) === dash && (i + 1 === this.end || this.text.charCodeAt(i + 1) === space);
  }

  private list(indent: number): YamlNode {
    const { line, column } = this.place(this.start);
    const items: YamlNode[] = [];
    while (this.indent === indent && this.isDash(this.start)) {
      let i = this.start + 1;
      while (this.text.charCodeAt(i) === space) i++;
      if (i >= this.end || this.text.charCodeAt(i) === hash || this.isDash(i)) throw unusual;
      const column = indent + (i - this.start);
      if (keyEnd(this.text, i, this.end) > 0) items.push(this.map(column, i));
      else items.push(this.value(i, indent));
      if (items.length > mostTasks) throw new TooMany(this.place(this.start));
    }
    if (this.indent > indent) throw unusual;
    return { kind: 'list', items, line, column };
  }

  /** `from` is where the first key starts: behind the dash when the map is an item of a list. */
  private map(indent: number, from: number): YamlNode {
    const { line, column } = this.place(from);
    const entries: YamlEntry[] = [];
    let i = from;
    do {
      const colon = keyEnd(this.text, i, this.end);
      if (colon <= 0) throw unusual;
      const key = this.scalar(i, colon);
      let v = colon + 1;
      while (this.text.charCodeAt(v) === space) v++;
      const empty = v >= this.end || this.text.charCodeAt(v) === hash;
      entries.push({ key, value: empty ? this.nested(indent, colon) : this.value(v, indent) });
      if (entries.length > mostTasks) throw new TooMany(key);
      i = this.start;
    } while (this.indent === indent && !this.isDash(i));
    if (this.indent > indent) throw unusual;
    return { kind: 'map', entries, line, column };
  }

  /** Where the colon of the key on this line stands. */
  protected keyEnd(): number {
    const colon = keyEnd(this.text, this.start, this.end);
    if (colon <= 0) throw unusual;
    return colon;
  }

  /** What a plan says on its first level; its tasks are for the one who asks. */
  protected topEntries(readTasks: (colon: number) => void): { entries: YamlEntry[]; hasTasks: boolean } {
    this.advance();
    if (this.indent === 0 && this.rest(this.start) === '---') this.advance();
    if (this.indent !== 0) throw unusual;
    const entries: YamlEntry[] = [];
    let hasTasks = false;
    do {
      const colon = this.keyEnd();
      const key = this.scalar(this.start, colon);
      if (key.text !== 'tasks') entries.push({ key, value: this.topValue(colon) });
      // There are not half as many keys: what is wrong with them is for the general reader to say.
      if (entries.length > 100) throw unusual;
      if (key.text !== 'tasks') continue;
      if (hasTasks) throw unusual;
      hasTasks = true;
      readTasks(colon);
    } while (this.indent === 0 && !this.isDash(this.start));
    return { entries, hasTasks };
  }

  protected topValue(colon: number): YamlNode {
    const from = this.valueStart(colon);
    return from < 0 ? this.nested(0, colon) : this.value(from, 0);
  }

  /** Negative when there is nothing behind the colon on this line. */
  protected valueStart(colon: number): number {
    const from = skipSpaces(this.text, colon + 1, this.end);
    return from === this.end || this.text.charCodeAt(from) === hash ? -1 : from;
  }

  /** What follows a key without a value on its line; a list may stand as far left as the key. */
  protected nested(indent: number, colon: number): YamlNode {
    const { line, column } = this.place(colon);
    this.advance();
    if (this.indent > indent || (this.indent === indent && this.isDash(this.start))) return this.block(this.indent);
    return { kind: 'text', text: '', plain: true, line, column };
  }

  /** A value on the line of its key or dash. Leaves the reader on the line behind it. */
  protected value(i: number, indent: number): YamlNode {
    const c = this.text.charCodeAt(i);
    if (c === 0x7c) return this.literal(i, indent);
    const node = c === 0x5b || c === 0x7b ? this.flow(i) : this.scalar(i, this.end);
    this.advance();
    // Deeper lines would continue a plain scalar.
    if (this.indent > indent) throw unusual;
    return node;
  }

  protected scalar(from: number, end: number): YamlText {
    const line = this.lineNumber;
    const column = from - (this.start - this.indent) + 1;
    const c = this.text.charCodeAt(from);
    if (c === 0x22 || c === 0x27) {
      const close = this.text.indexOf(c === 0x22 ? '"' : "'", from + 1);
      if (close < 0 || close >= end || !onlyComment(this.text, close + 1, end)) throw unusual;
      const inside = this.text.slice(from + 1, close);
      if (inside.includes('\\') && c === 0x22) throw unusual;
      return { kind: 'text', text: inside, plain: false, line, column };
    }
    return { kind: 'text', text: plainScalar(this.text, from, end), plain: true, line, column };
  }

  /** `[a, b]` and `{a: 1, b: [c]}` on one line. */
  private flow(from: number): YamlNode {
    const node = this.flowNode(from);
    if (!onlyComment(this.text, this.flowEnd, this.end)) throw unusual;
    return node;
  }

  protected flowNode(from: number): YamlNode {
    const c = this.text.charCodeAt(from);
    if (c !== 0x5b && c !== 0x7b) return this.flowScalar(from);
    const { line, column } = this.place(from);
    const items: YamlNode[] = [];
    const entries: YamlEntry[] = [];
    const close = c + 2;
    let i = skipSpaces(this.text, from + 1, this.end);
    while (this.text.charCodeAt(i) !== close || items.length + entries.length > 0) {
      if (c === 0x5b) items.push(this.flowNode(i));
      else entries.push(this.flowEntry(i));
      if (items.length + entries.length > mostTasks) throw new TooMany(this.place(i));
      i = skipSpaces(this.text, this.flowEnd, this.end);
      if (this.text.charCodeAt(i) === close) break;
      if (this.text.charCodeAt(i) !== comma) throw unusual;
      i = skipSpaces(this.text, i + 1, this.end);
    }
    this.flowEnd = i + 1;
    return c === 0x5b ? { kind: 'list', items, line, column } : { kind: 'map', entries, line, column };
  }

  private flowEntry(from: number): YamlEntry {
    const key = this.flowScalar(from);
    const colon = this.flowEnd;
    if (this.text.charCodeAt(colon) !== colonSign || this.text.charCodeAt(colon + 1) !== space) throw unusual;
    return { key, value: this.flowNode(skipSpaces(this.text, colon + 1, this.end)) };
  }

  /** Sets `flowEnd` behind it. Empty ones, as behind a last comma, are unusual. */
  private flowScalar(from: number): YamlText {
    const c = this.text.charCodeAt(from);
    let i = from;
    if (c === 0x22 || c === 0x27) i = this.text.indexOf(c === 0x22 ? '"' : "'", from + 1) + 1;
    else while (i < this.end && !endsFlowScalar(this.text, i)) i++;
    if (i <= from || i >= this.end) throw unusual;
    this.flowEnd = i;
    return this.scalar(from, i);
  }

  /** `|` and `|-` with lines of at least the first one's indentation. */
  private literal(from: number, indent: number): YamlNode {
    const { line, column } = this.place(from);
    const body = this.literalText(from, indent);
    return { kind: 'text', text: this.keepsLineEnd ? `${body}\n` : body, plain: false, line, column };
  }

  private keepsLineEnd = false;
  /** Where the first line of the literal block that was read last has its first character. */
  protected literalStart = 0;

  /** Without the line end of its last line. */
  protected literalText(from: number, indent: number): string {
    const { text } = this;
    const header = from + 1 === this.end ? '|' : this.rest(from);
    if (header !== '|' && header !== '|-') throw unusual;
    this.keepsLineEnd = header === '|';
    let depth = -1;
    let body = '';
    let blanks = '';
    while (this.next < text.length) {
      const newline = text.indexOf('\n', this.next);
      const end = newline < 0 ? text.length : newline;
      const first = skipSpaces(text, this.next, end);
      const here = first - this.next;
      if (first === end) {
        if (depth < 0 || here > depth) throw unusual;
        blanks += '\n';
      } else {
        if (depth < 0 && here > indent) {
          depth = here;
          this.literalStart = first;
        }
        if (here < depth || depth < 0) break;
        const line = text.slice(this.next + depth, end);
        body = body === '' ? line : `${body}${blanks}\n${line}`;
        blanks = '';
      }
      this.next = newline < 0 ? text.length : newline + 1;
      this.lineNumber++;
    }
    // An empty block, and the question whether its last line had a line end, are for the package.
    if (depth < 0 || !text.endsWith('\n')) throw unusual;
    this.advance();
    if (this.indent > indent) throw unusual;
    return body;
  }

  protected rest(from: number): string {
    return this.text.slice(from, this.end).trimEnd();
  }

  private place(offset: number): Place {
    return { line: this.lineNumber, column: offset - (this.start - this.indent) + 1 };
  }
}

export const space = 0x20;
export const hash = 0x23;
const dash = 0x2d;
export const colonSign = 0x3a;
export const comma = 0x2c;

/** Where the colon of `key: value` stands; 0 or less when the line is none, or its key is not a simple one. */
export function keyEnd(text: string, from: number, end: number): number {
  let i = from;
  const quote = text.charCodeAt(from);
  if (quote === 0x22 || quote === 0x27) {
    const close = text.indexOf(quote === 0x22 ? '"' : "'", from + 1);
    if (close < 0 || close >= end) return -1;
    i = close + 1;
  } else while (i < end && isWordCharacter(text.charCodeAt(i))) i++;
  const ends = i + 1 === end || text.charCodeAt(i + 1) === space;
  return i > from && i < end && text.charCodeAt(i) === colonSign && ends ? i : -1;
}

/** Letters, digits, `_`, `.`, `/`, and `-` inside: what ids and keys are made of. */
export function isWordCharacter(c: number): boolean {
  if (c >= 0x61 && c <= 0x7a) return true;
  return (c >= 0x2d && c <= 0x39) || (c >= 0x41 && c <= 0x5a) || c === 0x5f;
}

/** A comma, a bracket, or a colon that ends a key. */
function endsFlowScalar(text: string, i: number): boolean {
  const c = text.charCodeAt(i);
  if (c === comma || c === 0x5b || c === 0x5d || c === 0x7b || c === 0x7d) return true;
  if (c === hash) throw unusual;
  return c === colonSign && !isWordCharacter(text.charCodeAt(i + 1)) && text.charCodeAt(i + 1) !== 0x2f;
}

const indicators = new Set([...'-?:,[]{}#&*!|>\'"%@`=<'].map((c) => c.charCodeAt(0)));

/** An unquoted scalar on one line, without its comment. */
const plainScalar = (text: string, from: number, end: number): string => text.slice(from, plainEnd(text, from, end));

export function plainEnd(text: string, from: number, end: number): number {
  if (indicators.has(text.charCodeAt(from))) {
    const next = text.charCodeAt(from + 1);
    const isNumber = text.charCodeAt(from) === dash && next >= 0x30 && next <= 0x39;
    if (!isNumber) throw unusual;
  }
  let i = from;
  for (; i < end; i++) {
    const c = text.charCodeAt(i);
    if (c === colonSign && (i + 1 === end || text.charCodeAt(i + 1) === space)) throw unusual;
    if (c === hash && text.charCodeAt(i - 1) === space) break;
    if (c < space || c === 0x7f) throw unusual;
  }
  while (text.charCodeAt(i - 1) === space) i--;
  return i;
}

/** The same of numbers. */
export function plainEndIn(codes: Uint16Array, from: number, end: number): number {
  const first = codes[from]!;
  if (indicators.has(first) && !(first === dash && codes[from + 1]! >= 0x30 && codes[from + 1]! <= 0x39)) throw unusual;
  let i = from;
  for (; i < end; i++) {
    const c = codes[i]!;
    if (c > 0x7f || endsPlain[c] === 0) continue;
    if (c === colonSign) {
      if (i + 1 === end || codes[i + 1] === space) throw unusual;
    } else if (c !== hash) throw unusual;
    else if (i > from && codes[i - 1] === space) break;
  }
  while (codes[i - 1] === space) i--;
  return i;
}

/** By sign: whether it may end a plain scalar, or never be in one. */
const endsPlain = Uint8Array.from({ length: 0x80 }, (_, c) =>
  c < space || c === 0x7f || c === colonSign || c === hash ? 1 : 0,
);

export function skipSpaces(text: string, from: number, end: number): number {
  let i = from;
  while (i < end && text.charCodeAt(i) === space) i++;
  return i;
}

export function onlyComment(text: string, from: number, end: number): boolean {
  const i = skipSpaces(text, from, end);
  return i === end || (text.charCodeAt(i) === hash && i > from);
}
