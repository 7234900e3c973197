// A reader for the plain part of YAML that nearly every plan keeps to: block maps and lists, scalars, flow lists and maps of one
// line, literal blocks. At anything else it stops and says in which line; it never guesses. Why there is one beside the `yaml`
// package: docs/adr/011-plain-yaml.md.

import type { Place } from '../../diagnostics/report.ts';
import { mostTasks } from '../../limits.ts';
import type { YamlEntry, YamlNode, YamlText } from './yaml-node.ts';

/** `node` is null for a text with nothing in it. */
export type PlainReading = { readonly node: YamlNode | null } | { readonly unusualLine: number };

/** @throws TooMany */
export function parsePlainYaml(text: string, at: Place): PlainReading {
  const reader = new PlainYaml(text, at.line);
  try {
    // Behind other text columns would be counted from the wrong place.
    return at.column === 1 ? { node: reader.document() } : { unusualLine: at.line };
  } catch (error) {
    // A `RangeError` is the end of the stack: lists in lists in lists.
    if (error === unusual || error instanceof RangeError) return { unusualLine: reader.lineNumber };
    throw error;
  }
}

/** One list or map that goes on for ever. */
export class TooMany extends Error {
  readonly place: Place;
  constructor(place: Place) {
    super('too many');
    this.place = place;
  }
}

/** Thrown to leave the recursion; never seen outside. */
const unusual = new Error('unusual');

class PlainYaml {
  private readonly text: string;
  /** Of the current line. */
  lineNumber: number;
  /** Where the line behind the current one starts. */
  private next = 0;
  // The current line that says something: where its content starts, how far right that is, where it ends. -1 behind the last one.
  private start = 0;
  private indent = -1;
  private end = 0;
  /** Behind the part of a flow list or map that was read last. */
  private flowEnd = 0;

  constructor(text: string, firstLine: number) {
    this.text = text;
    this.lineNumber = firstLine - 1;
  }

  document(): YamlNode | null {
    this.advance();
    if (this.indent === 0 && this.ends(this.start, '---')) this.advance();
    if (this.indent < 0) return null;
    const node = this.block(this.indent);
    if (this.indent >= 0) throw unusual;
    return node;
  }

  /** To the next line that is neither empty nor a comment. */
  private advance(): void {
    const { text } = this;
    while (this.next < text.length) {
      const from = this.next;
      const end = lineEnd(text, from);
      this.next = end + 1;
      this.lineNumber++;
      const start = skipSpaces(text, from, end);
      if (start === end || text[start] === '#') continue;
      this.start = start;
      this.indent = start - from;
      this.end = end;
      return;
    }
    this.indent = -1;
  }

  private block(indent: number): YamlNode {
    return this.isDash(this.start) ? this.list(indent) : this.map(indent, this.start);
  }

  private isDash(i: number): boolean {
    return this.text[i] === '-' && (i + 1 === this.end || this.text[i + 1] === ' ');
  }

  private list(indent: number): YamlNode {
    const { line, column } = this.place(this.start);
    const items: YamlNode[] = [];
    while (this.indent === indent && this.isDash(this.start)) {
      const from = this.skip(this.start + 1);
      if (this.isNothing(from) || this.isDash(from)) throw unusual;
      const isMap = keyEnd(this.text, from, this.end) !== -1;
      items.push(isMap ? this.map(indent + from - this.start, from) : this.value(from, indent));
      if (items.length > mostTasks) throw new TooMany(this.place(this.start));
    }
    if (this.indent > indent) throw unusual;
    return { kind: 'list', items, line, column };
  }

  /** `from` is where the first key starts: behind the dash when the map is an item of a list. */
  private map(indent: number, from: number): YamlNode {
    const { line, column } = this.place(from);
    const entries: YamlEntry[] = [];
    let keyStart = from;
    do {
      const colon = keyEnd(this.text, keyStart, this.end);
      if (colon === -1) throw unusual;
      const key = this.scalar(keyStart, colon);
      const value = this.skip(colon + 1);
      entries.push({ key, value: this.isNothing(value) ? this.nested(indent, colon) : this.value(value, indent) });
      if (entries.length > mostTasks) throw new TooMany(key);
      keyStart = this.start;
    } while (this.indent === indent && !this.isDash(keyStart));
    if (this.indent > indent) throw unusual;
    return { kind: 'map', entries, line, column };
  }

  /** What follows a key without a value on its line; a list may stand as far left as the key. */
  private nested(indent: number, colon: number): YamlNode {
    const { line, column } = this.place(colon);
    this.advance();
    if (this.indent > indent || (this.indent === indent && this.isDash(this.start))) return this.block(this.indent);
    return { kind: 'text', text: '', plain: true, line, column };
  }

  /** A value on the line of its key or dash. Leaves the reader on the line behind it. */
  private value(from: number, indent: number): YamlNode {
    const first = this.text[from];
    if (first === '|') return this.literal(from, indent);
    const node = first === '[' || first === '{' ? this.flow(from) : this.scalar(from, this.end);
    this.advance();
    // Deeper lines would continue a plain scalar.
    if (this.indent > indent) throw unusual;
    return node;
  }

  private scalar(from: number, end: number): YamlText {
    const { text } = this;
    const { line, column } = this.place(from);
    const quote = text[from]!;
    if (quote !== '"' && quote !== "'")
      return { kind: 'text', text: text.slice(from, plainEnd(text, from, end)), plain: true, line, column };
    const close = text.indexOf(quote, from + 1);
    if (close === -1 || close >= end || !onlyComment(text, close + 1, end)) throw unusual;
    const inside = text.slice(from + 1, close);
    if (quote === '"' && inside.includes('\\')) throw unusual;
    return { kind: 'text', text: inside, plain: false, line, column };
  }

  /** `[a, b]` and `{a: 1, b: [c]}` on one line. */
  private flow(from: number): YamlNode {
    const node = this.flowNode(from);
    if (!onlyComment(this.text, this.flowEnd, this.end)) throw unusual;
    return node;
  }

  private flowNode(from: number): YamlNode {
    const { text } = this;
    const { line, column } = this.place(from);
    const isList = text[from] === '[';
    if (!isList && text[from] !== '{') return this.flowScalar(from);
    const close = isList ? ']' : '}';
    const items: YamlNode[] = [];
    const entries: YamlEntry[] = [];
    let i = this.skip(from + 1);
    while (text[i] !== close || items.length + entries.length > 0) {
      if (isList) items.push(this.flowNode(i));
      else entries.push(this.flowEntry(i));
      if (items.length + entries.length > mostTasks) throw new TooMany(this.place(i));
      i = this.skip(this.flowEnd);
      if (text[i] === close) break;
      if (text[i] !== ',') throw unusual;
      i = this.skip(i + 1);
    }
    this.flowEnd = i + 1;
    return isList ? { kind: 'list', items, line, column } : { kind: 'map', entries, line, column };
  }

  private flowEntry(from: number): YamlEntry {
    const key = this.flowScalar(from);
    const colon = this.flowEnd;
    if (this.text[colon] !== ':' || this.text[colon + 1] !== ' ') throw unusual;
    return { key, value: this.flowNode(this.skip(colon + 1)) };
  }

  /** Empty ones, as behind a last comma, are unusual. */
  private flowScalar(from: number): YamlText {
    const { text } = this;
    const quote = text[from]!;
    let i = from;
    if (quote === '"' || quote === "'") i = text.indexOf(quote, from + 1) + 1;
    else while (i < this.end && !endsFlowScalar(text, i)) i++;
    if (i <= from || i >= this.end) throw unusual;
    this.flowEnd = i;
    return this.scalar(from, i);
  }

  /** `|` and `|-` with lines of at least the first one's indentation. */
  private literal(from: number, indent: number): YamlNode {
    const { text } = this;
    const { line, column } = this.place(from);
    const keepsLineEnd = this.ends(from, '|');
    if (!keepsLineEnd && !this.ends(from, '|-')) throw unusual;
    let depth = -1;
    let body = '';
    let blanks = '';
    while (this.next < text.length) {
      const end = lineEnd(text, this.next);
      const first = skipSpaces(text, this.next, end);
      const here = first - this.next;
      if (first === end) {
        if (depth < 0 || here > depth) throw unusual;
        blanks += '\n';
      } else {
        if (depth < 0 && here > indent) depth = here;
        if (here < depth || depth < 0) break;
        const content = text.slice(this.next + depth, end);
        body = body === '' ? content : `${body}${blanks}\n${content}`;
        blanks = '';
      }
      this.next = end + 1;
      this.lineNumber++;
    }
    // An empty block, and the question whether its last line had a line end, are for the package.
    if (depth < 0 || !text.endsWith('\n')) throw unusual;
    this.advance();
    if (this.indent > indent) throw unusual;
    return { kind: 'text', text: keepsLineEnd ? `${body}\n` : body, plain: false, line, column };
  }

  private skip(from: number): number {
    return skipSpaces(this.text, from, this.end);
  }

  /** Whether the line has ended there, but for a comment. */
  private isNothing(i: number): boolean {
    return i >= this.end || this.text[i] === '#';
  }

  /** Whether the line ends with this word there, but for spaces. */
  private ends(from: number, word: string): boolean {
    return this.text.startsWith(word, from) && this.skip(from + word.length) === this.end;
  }

  private place(offset: number): Place {
    return { line: this.lineNumber, column: offset - (this.start - this.indent) + 1 };
  }
}

function lineEnd(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline === -1 ? text.length : newline;
}

function skipSpaces(text: string, from: number, end: number): number {
  let i = from;
  while (i < end && text[i] === ' ') i++;
  return i;
}

function onlyComment(text: string, from: number, end: number): boolean {
  const i = skipSpaces(text, from, end);
  return i === end || (text[i] === '#' && i > from);
}

/** What ids and keys are made of. */
const word = /[a-zA-Z0-9_./-]*/y;
const wordCharacter = /[a-zA-Z0-9_./-]/;

/** Where the colon of `key: value` stands; -1 when the line is none, or its key is not a simple one. */
function keyEnd(text: string, from: number, end: number): number {
  const quote = text[from]!;
  let colon: number;
  if (quote === '"' || quote === "'") colon = text.indexOf(quote, from + 1) + 1;
  else {
    word.lastIndex = from;
    word.test(text);
    colon = word.lastIndex;
  }
  if (colon <= from || colon >= end || text[colon] !== ':') return -1;
  return colon + 1 === end || text[colon + 1] === ' ' ? colon : -1;
}

/** A comma, a bracket, or a colon that ends a key. */
function endsFlowScalar(text: string, i: number): boolean {
  const sign = text[i]!;
  if (sign === '#') throw unusual;
  if (sign === ':') return !wordCharacter.test(text[i + 1] ?? '');
  return ',[]{}'.includes(sign);
}

/** What a plain scalar cannot start with, but for the dash of a number. */
const indicators = '-?:,[]{}#&*!|>\'"%@`=<';

/** Where an unquoted scalar on one line ends, without its comment. */
function plainEnd(text: string, from: number, end: number): number {
  if (indicators.includes(text[from]!) && !/^-[0-9]/.test(text.slice(from, from + 2))) throw unusual;
  let i = from;
  for (; i < end; i++) {
    const sign = text[i]!;
    if (sign === ':' && (i + 1 === end || text[i + 1] === ' ')) throw unusual;
    if (sign === '#' && text[i - 1] === ' ') break;
    if (sign < ' ' || sign === '\x7f') throw unusual;
  }
  while (text[i - 1] === ' ') i--;
  return i;
}
