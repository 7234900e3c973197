// The fastest way through a plan in the native form: plain, without mistakes, groups and preferences. Makes each task where it
// stands in the text; at anything else it gives up, having said nothing.
import type { ReadyPlan } from '../finish-ready.ts';
import { type Key, keyAt } from '../keys.ts';
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
  keyEnd,
  onlyComment,
  PlainYaml,
  plainEnd,
  skipSpaces,
  space,
  unlessUnusual,
  unusual,
} from './plain-yaml.ts';
import { readKeyValue } from './read-keys.ts';
import { readTop } from './read-top.ts';
import { entriesOf, looksTypedText, type YamlEntry, type YamlNode } from './yaml-node.ts';

/** Null when it gives up. */
export function readReadyYaml(text: string): ReadyPlan | null {
  // Looked for at once, so that a plan with groups is not read to its middle in vain.
  if (hasUnusualSigns(text) || text.includes(' subtasks:') || text.includes(' prefers:')) return null;
  const read = unlessUnusual(() => new ReadyYaml(text).plan());
  return read === 'unusual' ? null : read;
}

const TITLE = 1;
const NEEDS = 2;
const PROMPT = 4;

class ReadyYaml extends PlainYaml {
  private readonly ready: ReadyTasks;
  /** Whatever is said here makes the reader give up. */
  private readonly report = new Report('', '');
  private nextBackslash = -1;
  /** Keys of the task in hand that were there. */
  private seen = 0;

  constructor(text: string) {
    super(text, 1);
    this.ready = new ReadyTasks(text);
  }

  plan(): ReadyPlan {
    this.advance();
    if (this.indent === 0 && this.rest(this.start) === '---') this.advance();
    if (this.indent !== 0) throw unusual;
    const entries: YamlEntry[] = [];
    let hasTasks = false;
    do {
      const colon = this.keyEnd();
      const key = this.scalar(this.start, colon);
      if (key.text !== 'tasks') entries.push({ key, value: this.topValue(colon) });
      else if (hasTasks) throw unusual;
      else {
        hasTasks = true;
        this.readTasks(colon);
      }
    } while (this.indent === 0 && !this.isDash(this.start));
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
    const { text, start, ready, lineNumber: line } = this;
    let colon = start;
    while (isWordCharacter(text.charCodeAt(colon))) colon++;
    const isId = colon > start && colon - start <= 200 && text.charCodeAt(start) !== 0x2d;
    const ends = colon + 1 === this.end || text.charCodeAt(colon + 1) === space;
    if (!isId || text.charCodeAt(colon) !== colonSign || !ends || !ready.begin(text, start, colon)) throw unusual;
    this.seen = 0;
    const from = this.valueStart(colon);
    if (from >= 0) this.readFlow(from);
    this.advance();
    if (from < 0) {
      const keysIndent = this.indent;
      if (keysIndent > indent) while (this.indent === keysIndent) this.readKey(keysIndent);
    }
    if (this.indent > indent || !ready.end(line, 0)) throw unusual;
  }

  /** A whole task on one line: `{title: x, needs: [a, b]}`. */
  private readFlow(from: number): void {
    const { text, end } = this;
    if (text.charCodeAt(from) !== 0x7b) throw unusual;
    let i = skipSpaces(text, from + 1, end);
    for (;;) {
      let colon = i;
      while (isWordCharacter(text.charCodeAt(colon))) colon++;
      if (text.charCodeAt(colon) !== colonSign || text.charCodeAt(colon + 1) !== space) throw unusual;
      const key = keyAt(text, i, colon);
      if (key === undefined) throw unusual;
      const value = skipSpaces(text, colon + 1, end);
      const c = text.charCodeAt(value);
      if ((c === 0x22 || c === 0x27) && isTextual(key)) this.flowEnd = this.quoted(key, value);
      else if (c === 0x5b && key.value.kind === 'references') this.readNeeds(key, value);
      else this.setNode(key, this.flowNode(value));
      i = skipSpaces(text, this.flowEnd, end);
      if (text.charCodeAt(i) === 0x7d) break;
      if (text.charCodeAt(i) !== comma) throw unusual;
      i = skipSpaces(text, i + 1, end);
    }
    if (!onlyComment(text, i + 1, end)) throw unusual;
  }

  private readKey(keysIndent: number): void {
    const { text, start } = this;
    let colon = start;
    while (isWordCharacter(text.charCodeAt(colon))) colon++;
    const ends = colon + 1 === this.end || text.charCodeAt(colon + 1) === space;
    const key = text.charCodeAt(colon) === colonSign && ends ? keyAt(text, start, colon) : undefined;
    if (key === undefined) throw unusual;
    const from = this.valueStart(colon);
    if (from < 0) return this.readBelow(key, keysIndent, colon);
    const c = text.charCodeAt(from);
    if (c === 0x7c && isTextual(key)) return this.setText(key, this.literalBlock(from, keysIndent));
    if (c === 0x7c || c === 0x7b) return this.setNode(key, this.value(from, keysIndent));
    if (c === 0x5b) {
      if (key.value.kind !== 'references') return this.setNode(key, this.value(from, keysIndent));
      this.readNeeds(key, from);
      if (!onlyComment(text, this.flowEnd, this.end)) throw unusual;
    } else if (!isTextual(key)) return this.setNode(key, this.value(from, keysIndent));
    else if (c !== 0x22 && c !== 0x27) this.setText(key, this.plainText(key, from, plainEnd(text, from, this.end)));
    else if (!onlyComment(text, this.quoted(key, from), this.end)) throw unusual;
    this.advance();
    // Deeper lines would continue a plain scalar.
    if (this.indent > keysIndent) throw unusual;
  }

  /** A list of names or statements, one in each line; anything else by way of its nodes. */
  private readBelow(key: Key, keysIndent: number, colon: number): void {
    const { text, ready } = this;
    if (key.value.kind !== 'names' && key.value.kind !== 'statements')
      return this.setNode(key, this.nested(keysIndent, colon));
    this.advance();
    const { indent } = this;
    if (indent < keysIndent || !this.isDash(this.start)) throw unusual;
    const isLock = isLockKey(key.field);
    const texts: string[] = [];
    while (this.indent === indent && this.isDash(this.start)) {
      const from = skipSpaces(text, this.start + 1, this.end);
      const c = text.charCodeAt(from);
      // Those in quotes are rare.
      if (from === this.end || c === hash || c === 0x22 || c === 0x27 || keyEnd(text, from, this.end) > 0)
        throw unusual;
      const to = plainEnd(text, from, this.end);
      if (isLock) ready.claim(text, from, to);
      texts.push(this.plainText(key, from, to));
      this.advance();
    }
    if (this.indent > keysIndent) throw unusual;
    // A list that grows keeps room for sixteen more.
    this.put(key, texts.length === 2 ? [texts[0], texts[1]] : texts.slice());
  }

  /** `[a, b]` of plain words; sets `flowEnd` behind it. */
  private readNeeds(key: Key, from: number): void {
    const { text, ready } = this;
    if (key.name !== 'needs') throw unusual;
    this.once(NEEDS);
    let i = from;
    do {
      const start = skipSpaces(text, i + 1, this.end);
      i = start;
      while (isWordCharacter(text.charCodeAt(i))) i++;
      if (i === start || text.charCodeAt(start) === 0x2d || !ready.need(text, start, i)) throw unusual;
    } while (text.charCodeAt(i) === comma);
    if (text.charCodeAt(i) !== 0x5d) throw unusual;
    this.flowEnd = i + 1;
  }

  private literalBlock(from: number, keysIndent: number): string {
    const found = this.literalText(from, keysIndent);
    const first = this.text.charCodeAt(this.literalStart);
    if ((first < space || first >= 0x7f) && found.trim() === '') throw unusual;
    return found;
  }

  /** A text in quotes on this line; returns the place behind it. */
  private quoted(key: Key, from: number): number {
    const { text } = this;
    const isDouble = text.charCodeAt(from) === 0x22;
    const close = text.indexOf(isDouble ? '"' : "'", from + 1);
    if (close < 0 || close >= this.end || (isDouble && this.hasBackslash(from, close))) throw unusual;
    this.setText(key, this.cut(key, from + 1, close));
    return close + 1;
  }

  /** Looks for the next one only behind the last one: most plans have none at all. */
  private hasBackslash(from: number, to: number): boolean {
    if (this.nextBackslash < from) {
      const next = this.text.indexOf('\\', from);
      this.nextBackslash = next < 0 ? this.text.length : next;
    }
    return this.nextBackslash < to;
  }

  private plainText(key: Key, from: number, to: number): string {
    const found = this.cut(key, from, to);
    if (looksTypedText(found)) throw unusual;
    return found;
  }

  private cut(key: Key, from: number, to: number): string {
    const found = this.ready.cut(key, this.text, from, to);
    const first = this.text.charCodeAt(from);
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
    else this.setKey(key, key.value.kind === 'names' ? splitNames(text) : [text]);
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

function isTextual({ value: { kind } }: Key): boolean {
  return kind === 'text' || kind === 'prose' || kind === 'statements' || kind === 'names';
}
