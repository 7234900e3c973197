// The fastest way through a plan in the native form: plain, without mistakes, groups and preferences. Makes each task where it
// stands in the text; at anything else it gives up, having said nothing.
import { Codes } from '../codes.ts';
import type { ReadyPlan } from '../finish-ready.ts';
import { type Key, keyIn } from '../keys.ts';
import type { Reference } from '../raw-plan.ts';
import { ReadyTasks } from '../ready-tasks.ts';
import { Report } from '../report.ts';
import { isLockKey } from '../separate-files.ts';
import { splitNames } from '../value.ts';
import {
  colonSign,
  comma,
  hash,
  hasUnusualSigns,
  isWordCharacter,
  PlainYaml,
  plainEndIn,
  space,
} from './plain-yaml.ts';
import { readKeyValue } from './read-keys.ts';
import { readTop } from './read-top.ts';
import { unlessUnusual, unusual } from './unusual.ts';
import { entriesOf, looksTypedText, type YamlNode } from './yaml-node.ts';

/** Null when it gives up. */
export function readReadyYaml(text: string): ReadyPlan | null {
  // Most plans with groups have one early, and are not read up to there in vain; all of a large one would take longer to search.
  const beginning = text.slice(0, 1 << 20);
  if (hasUnusualSigns(text) || beginning.includes(' subtasks:') || beginning.includes(' prefers:')) return null;
  const read = unlessUnusual(() => new ReadyYaml(text).plan());
  return read === 'unusual' ? null : read;
}

const TITLE = 1;
const NEEDS = 2;
const PROMPT = 4;

class ReadyYaml extends PlainYaml {
  private readonly ready: ReadyTasks;
  /** The line in hand, at least. Places in it are counted from its base; all others are those of the text. */
  private readonly shown: Codes;
  /** Whatever is said here makes the reader give up. */
  private readonly report = new Report('', '');
  /**
   * Lists are copied from here: one that grows keeps room for sixteen more, and of one that is written down in the code the engine
   * finds out after a while that they are never thrown away, and compiles anew all that makes them.
   */
  private readonly texts: string[] = [];
  /** Keys of the task in hand that were there. */
  private seen = 0;

  constructor(text: string) {
    super(text, 1);
    this.shown = new Codes(text);
    this.ready = new ReadyTasks(this.shown);
  }

  /** Shows the line, too. */
  protected override advance(): void {
    const { text, shown } = this;
    while (this.next < text.length) {
      const from = this.next;
      const newline = text.indexOf('\n', from);
      const end = newline < 0 ? text.length : newline;
      this.next = newline < 0 ? text.length : newline + 1;
      this.lineNumber++;
      if (!shown.show(from, end)) throw unusual;
      const { codes, base } = shown;
      let i = from - base;
      while (codes[i] === space) i++;
      if (i + base >= end || codes[i] === hash) continue;
      this.start = i + base;
      this.indent = this.start - from;
      this.end = end;
      return;
    }
    this.indent = -1;
  }

  plan(): ReadyPlan {
    const { entries, hasTasks } = this.topEntries((colon) => this.readTasks(colon));
    if (this.indent >= 0 || !hasTasks) throw unusual;
    const map = { kind: 'map', entries, line: 1, column: 1 } as const;
    const top = readTop(entriesOf(map, this.report), this.report, () => undefined);
    if (!this.report.silent) throw unusual;
    return { ready: this.ready, top, title: top.title ?? null, phases: [{ name: '' }], saysPhase: null };
  }

  private readTasks(colon: number): void {
    if (this.valueStart(colon) >= 0) throw unusual;
    this.advance();
    const { indent } = this;
    if (indent === 0 && this.isDash(this.start)) throw unusual;
    if (indent > 0) while (this.indent === indent) this.readTask(indent);
    if (this.indent > 0) throw unusual;
  }

  private readTask(indent: number): void {
    const { ready, lineNumber: line } = this;
    const { codes, base } = this.shown;
    const start = this.start - base;
    const end = this.end - base;
    const colon = wordEnd(codes, start);
    const isId = colon > start && colon - start <= 200 && codes[start] !== 0x2d;
    const ends = colon + 1 === end || codes[colon + 1] === space;
    if (!isId || codes[colon] !== colonSign || !ends || !ready.begin(start, colon)) throw unusual;
    this.seen = 0;
    const from = skip(codes, colon + 1, end);
    const isBelow = from === end || codes[from] === hash;
    if (!isBelow) this.readFlow(from, end);
    this.advance();
    if (isBelow) {
      const keysIndent = this.indent;
      if (keysIndent > indent) while (this.indent === keysIndent) this.readKey(keysIndent);
    }
    if (this.indent > indent || !ready.end(line, 0)) throw unusual;
  }

  /** A whole task on one line: `{title: x, needs: [a, b]}`. */
  private readFlow(from: number, end: number): void {
    const { codes, base } = this.shown;
    if (codes[from] !== 0x7b) throw unusual;
    let i = skip(codes, from + 1, end);
    for (;;) {
      const colon = wordEnd(codes, i);
      if (codes[colon] !== colonSign || codes[colon + 1] !== space) throw unusual;
      const key = keyIn(codes, i, colon);
      if (key === undefined) throw unusual;
      const value = skip(codes, colon + 1, end);
      const c = codes[value];
      if ((c === 0x22 || c === 0x27) && isTextual(key)) i = this.quoted(key, value, end);
      else if (c === 0x5b && key.value.kind === 'references') i = this.readNeeds(key, value, end);
      else {
        this.setNode(key, this.flowNode(value + base));
        i = this.flowEnd - base;
      }
      i = skip(codes, i, end);
      if (codes[i] === 0x7d) break;
      if (codes[i] !== comma) throw unusual;
      i = skip(codes, i + 1, end);
    }
    if (!hasOnlyComment(codes, i + 1, end)) throw unusual;
  }

  private readKey(keysIndent: number): void {
    const { codes, base } = this.shown;
    const start = this.start - base;
    const end = this.end - base;
    const colon = wordEnd(codes, start);
    const ends = colon + 1 === end || codes[colon + 1] === space;
    const key = codes[colon] === colonSign && ends ? keyIn(codes, start, colon) : undefined;
    if (key === undefined) throw unusual;
    const from = skip(codes, colon + 1, end);
    const c = codes[from]!;
    if (from === end || c === hash) return this.readBelow(key, keysIndent, colon + base);
    if (c === 0x7c && isTextual(key)) return this.setText(key, this.literalBlock(from + base, keysIndent));
    if (c === 0x7c || c === 0x7b) return this.setNode(key, this.value(from + base, keysIndent));
    if (c === 0x5b) {
      if (key.value.kind !== 'references') return this.setNode(key, this.value(from + base, keysIndent));
      if (!hasOnlyComment(codes, this.readNeeds(key, from, end), end)) throw unusual;
    } else if (!isTextual(key)) return this.setNode(key, this.value(from + base, keysIndent));
    else if (c !== 0x22 && c !== 0x27) this.setText(key, this.plainText(key, from, plainEndIn(codes, from, end)));
    else if (!hasOnlyComment(codes, this.quoted(key, from, end), end)) throw unusual;
    this.advance();
    // Deeper lines would continue a plain scalar.
    if (this.indent > keysIndent) throw unusual;
  }

  /** A list of names or statements, one in each line; anything else by way of its nodes. */
  private readBelow(key: Key, keysIndent: number, colon: number): void {
    const { ready, shown } = this;
    const { codes } = shown;
    if (key.value.kind !== 'names' && key.value.kind !== 'statements')
      return this.setNode(key, this.nested(keysIndent, colon));
    this.advance();
    const { indent } = this;
    if (indent < keysIndent || !this.isDash(this.start)) throw unusual;
    const isLock = isLockKey(key.field);
    const { texts } = this;
    let count = 0;
    while (this.indent === indent && this.isDash(this.start)) {
      const end = this.end - shown.base;
      const from = skip(codes, this.start + 1 - shown.base, end);
      const c = codes[from];
      const word = wordEnd(codes, from);
      // Those in quotes are rare.
      const isKey = word > from && codes[word] === colonSign && (word + 1 === end || codes[word + 1] === space);
      if (from === end || c === hash || c === 0x22 || c === 0x27 || isKey) throw unusual;
      const to = plainEndIn(codes, from, end);
      if (isLock) ready.claim(from, to);
      texts[count++] = this.plainText(key, from, to);
      this.advance();
    }
    if (this.indent > keysIndent) throw unusual;
    this.put(key, texts.slice(0, count));
  }

  /** `[a, b]` of plain words; returns the place behind it. */
  private readNeeds(key: Key, from: number, end: number): number {
    const { ready } = this;
    const { codes } = this.shown;
    if (key.name !== 'needs') throw unusual;
    this.once(NEEDS);
    let i = from;
    do {
      const start = skip(codes, i + 1, end);
      i = wordEnd(codes, start);
      if (i === start || codes[start] === 0x2d || !ready.need(start, i)) throw unusual;
    } while (codes[i] === comma);
    if (codes[i] !== 0x5d) throw unusual;
    return i + 1;
  }

  private literalBlock(from: number, keysIndent: number): string {
    const found = this.literalText(from, keysIndent);
    const first = this.text.charCodeAt(this.literalStart);
    if ((first < space || first >= 0x7f) && found.trim() === '') throw unusual;
    return found;
  }

  /** A text in quotes on this line; returns the place behind it. */
  private quoted(key: Key, from: number, end: number): number {
    const { codes } = this.shown;
    const quote = codes[from];
    let close = from + 1;
    while (close < end && codes[close] !== quote) {
      if (codes[close] === 0x5c && quote === 0x22) throw unusual;
      close++;
    }
    if (close >= end) throw unusual;
    this.setText(key, this.cut(key, from + 1, close));
    return close + 1;
  }

  private plainText(key: Key, from: number, to: number): string {
    const found = this.cut(key, from, to);
    if (looksTypedText(found)) throw unusual;
    return found;
  }

  private cut(key: Key, from: number, to: number): string {
    const found = this.ready.cut(key, from, to);
    const first = this.shown.codes[from]!;
    if ((first <= space || first >= 0x7f || from === to) && found.trim() === '') throw unusual;
    return found;
  }

  private setText(key: Key, text: string): void {
    if (key.name === 'title') {
      this.once(TITLE);
      this.ready.title = text;
    } else if (key.name === 'prompt') {
      this.once(PROMPT);
      this.ready.prompt = text;
    } else if (key.value.kind === 'text') this.setKey(key, text);
    else if (key.value.kind === 'names') this.setKey(key, splitNames(text));
    else {
      this.texts[0] = text;
      this.setKey(key, this.texts.slice(0, 1));
    }
  }

  private setNode(key: Key, node: YamlNode): void {
    const value = readKeyValue(key, node, this.report);
    if (value === undefined || !this.report.silent) throw unusual;
    if (key.name === 'title' || key.name === 'prompt') return this.setText(key, value as string);
    if (key.value.kind !== 'references') return this.setKey(key, value);
    if (key.name !== 'needs') throw unusual;
    this.once(NEEDS);
    for (const { text } of value as Reference[]) if (!this.ready.needWord(text)) throw unusual;
  }

  private setKey(key: Key, value: unknown): void {
    if (isLockKey(key.field)) this.ready.areSeparate = false;
    this.put(key, value);
  }

  private put(key: Key, value: unknown): void {
    if (!key.where.includes('task') || !this.ready.put(key.field, value)) throw unusual;
  }

  private once(key: number): void {
    if ((this.seen & key) !== 0) throw unusual;
    this.seen |= key;
  }
}

/** Where the word that starts there ends. */
function wordEnd(codes: Uint16Array, from: number): number {
  let i = from;
  while (codes[i]! <= 0x7f && inWord[codes[i]!] === 1) i++;
  return i;
}

/** By sign. */
const inWord = Uint8Array.from({ length: 0x80 }, (_, c) => (isWordCharacter(c) ? 1 : 0));

function skip(codes: Uint16Array, from: number, end: number): number {
  let i = from;
  while (i < end && codes[i] === space) i++;
  return i;
}

function hasOnlyComment(codes: Uint16Array, from: number, end: number): boolean {
  const i = skip(codes, from, end);
  return i === end || (codes[i] === hash && i > from);
}

function isTextual({ value: { kind } }: Key): boolean {
  return kind === 'text' || kind === 'prose' || kind === 'statements' || kind === 'names';
}
