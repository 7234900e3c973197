// The fastest way through a markdown plan: headings, plain tasks with ids side by side, their plain keys and prose. Makes each
// task where it stands in the text; at anything else it gives up, having said nothing. Knows of the outline only what such lines
// can do to it: which task is open, how far to the right it stands, and whether a key of it is open.
import { splitReferences } from '../dependencies.ts';
import type { ReadyPlan, TooManyTasks } from '../finish-ready.ts';
import type { Key } from '../keys.ts';
import { longestLine, mostIdleLines, mostTasks } from '../limits.ts';
import { isWellFormed } from '../prepare-text.ts';
import { ReadyTasks } from '../ready-tasks.ts';
import { type Place, Report } from '../report.ts';
import { isLockKey } from '../separate-files.ts';
import { hasSmartQuotes, splitNames, unwrapCode } from '../value.ts';
import { readAttribute } from './attribute.ts';
import type { Box } from './box.ts';
import { readFrontMatter } from './front-matter.ts';
import { Headings } from './headings.ts';
import { mayHaveHalves, PlainLines } from './plain-lines.ts';
import { readHeading } from './read-markdown.ts';
import { hasSequentialMark } from './sequential-mark.ts';
import { readTaskHeading } from './task-heading.ts';

/** Null when it gives up. */
export function readReadyMarkdown(text: string): ReadyPlan | TooManyTasks | null {
  // Most plans with groups have one early, and are not read up to there in vain; all of a large one would take longer to search.
  if (text.slice(0, 1 << 20).includes('\n  - [ ] ')) return null;
  if (text.includes('<!--') || hasLongFrontMatter(text)) return null;
  return new ReadyMarkdown(text).plan();
}

/** Nobody writes one; what is made to take long must not be read twice. */
function hasLongFrontMatter(text: string): boolean {
  if (!text.startsWith('---')) return false;
  const end = text.indexOf('\n---', 3);
  return end < 0 || end > 5000;
}

/** Further right than any line. */
const nowhere = Number.MAX_SAFE_INTEGER;

class ReadyMarkdown extends PlainLines {
  private readonly ready = new ReadyTasks(this.shown);
  /** Whatever is said here makes the reader give up. */
  private readonly report = new Report('', '');
  private readonly headings = new Headings(this.report);
  /** Boxes here are criteria, not tasks. */
  private hasCriteria = false;
  /** A task was begun and waits for its last line. */
  private isBegun = false;
  private line = 0;
  private phase = 0;
  private mark: Box['mark'] = 'open';
  /** As in `ready-yaml.ts`, lists are copied from here. */
  private readonly texts: string[] = [];
  /** Lines from here on to the right are inside the open task, and its open key; `nowhere` when none is open. */
  private taskInner = nowhere;
  private keyInner = nowhere;
  /** The last line can be continued by one that is not indented. */
  private lazy = false;
  private hasBlank = false;

  private tooMany: Place | null = null;

  plan(): ReadyPlan | TooManyTasks | null {
    const { top, next, line } = readFrontMatter(this.text, this.report);
    if (!isAllowedText(this.text.slice(0, next))) return null;
    if (!this.report.silent || top.order?.value === 'spec-kit') return null;
    if (!this.scan(next, line)) return this.tooMany && this.report.silent ? { tooMany: this.tooMany } : null;
    const { title, phases, saysPhase } = this.headings;
    if (!this.report.silent || (title !== null && /^implementation plan\b/i.test(title))) return null;
    return { ready: this.ready, top, title: top.title ?? title, phases, saysPhase };
  }

  private scan(offset: number, firstLine: number): boolean {
    const { text } = this;
    let number = firstLine;
    for (let start = offset; start < text.length; number++) {
      const newline = text.indexOf('\n', start);
      const end = newline < 0 ? text.length : newline;
      // The general reader comes as far, and says why not further.
      if (end - start > longestLine || number - this.line > mostIdleLines) return false;
      if (!this.read(start, end, number) && !this.heading(start, end, number)) return false;
      start = end + 1;
    }
    return this.finishTask();
  }

  private heading(start: number, end: number, line: number): boolean {
    if (this.text.charCodeAt(start) !== 0x23) return false;
    const raw = this.text.slice(start, end);
    const found = readHeading(raw, 0);
    if (!found || hasSequentialMark(found.name) || !isAllowedText(raw)) return false;
    const isTask = (found.level > 1 || this.headings.title !== null) && readTaskHeading(found.name) !== null;
    if (isTask) return false;
    this.close(0);
    this.lazy = false;
    this.headings.enter(found.level, found.name, { line, column: 1 });
    this.hasCriteria = this.headings.criteria !== null;
    return true;
  }

  /** Closes what a line at this indentation is not inside of. */
  private close(indent: number): void {
    if (indent < this.keyInner) this.keyInner = nowhere;
    if (indent < this.taskInner) this.taskInner = nowhere;
  }

  private finishTask(): boolean {
    if (!this.isBegun) return true;
    this.isBegun = false;
    if (this.mark !== 'open') this.ready.ticked = this.mark;
    return this.ready.end(this.line, this.phase);
  }

  protected override takeBlank(): void {
    this.lazy = false;
    if (this.taskInner !== nowhere) this.hasBlank = true;
  }

  protected override openTask(idFrom: number, idTo: number): boolean {
    if (idTo === idFrom || idTo - idFrom > 200 || !this.finishTask()) return false;
    this.isBegun = true;
    return this.ready.begin(idFrom, idTo) || this.giveUpAt(idFrom);
  }

  private giveUpAt(idFrom: number): false {
    // Under a heading of criteria, or further right, it may be something else than a task.
    const isTask = !this.hasCriteria && this.shown.codes[this.start] !== 0x20;
    if (isTask && this.ready.tasks.length >= mostTasks)
      this.tooMany = { line: this.number, column: idFrom - this.start + 1 };
    return false;
  }

  protected override takeReference(from: number, to: number): boolean {
    return this.ready.need(from, to);
  }

  protected override takeTask(from: number, mark: Box['mark'], titleFrom: number, titleTo: number): boolean {
    const { shown } = this;
    const indent = from - this.start;
    this.close(indent);
    // An odd number of spaces may be a subtask that was not indented enough.
    if (this.taskInner !== nowhere || this.hasCriteria || indent % 2 === 1) return false;
    const title = shown.cut(titleFrom, titleTo);
    this.ready.title = isVisible(shown.codes[titleFrom]!) ? title : title.trim();
    this.ready.mayMeanNeeds = this.mayMeanNeeds;
    this.line = this.number;
    this.phase = this.headings.phaseOfTask();
    this.mark = mark;
    this.taskInner = indent + 2;
    this.lazy = true;
    this.hasBlank = false;
    return true;
  }

  protected override takeAttribute(from: number, key: Key, valueFrom: number, valueTo: number): boolean {
    const indent = from - this.start;
    this.close(indent);
    if (this.taskInner === nowhere || this.keyInner !== nowhere) return false;
    if (key.yamlOnly || !key.where.includes('task')) return false;
    this.lazy = true;
    this.keyInner = indent + 2;
    return this.readValue(key, valueFrom, valueTo);
  }

  /** What is open here can only be closed by a line that is read here: a value that goes on makes the reader give up. */
  private readValue(key: Key, from: number, to: number): boolean {
    const { shown, ready } = this;
    const { codes } = shown;
    if (!isLockKey(key.field) && !this.isAllowed(from, to)) return false;
    if (codes[from]! > 0x7f && hasSmartQuotes(shown.cut(from, to))) return false;
    switch (key.value.kind) {
      case 'names':
        return this.setNames(key, isLockKey(key.field) ? this.paths(from, to) : splitNames(shown.cut(from, to)));
      case 'statements':
        this.texts[0] = this.withoutCode(key, from, to);
        return this.setKey(key, this.texts.slice(0, 1));
      case 'text': {
        const value = this.withoutCode(key, from, to);
        return value !== '' && this.setKey(key, value);
      }
      case 'references': {
        if (key.name !== 'needs') return false;
        const words = splitReferences(shown.cut(from, to), { line: 1, column: 1 }, 'need');
        return words.every((word) => ready.needWord(word.text));
      }
      // Whether an empty line stands before it or behind it makes a difference.
      case 'prose':
        return false;
      default: {
        const place = { line: 1, column: 1, valueColumn: 1 };
        const value = readAttribute({ key, ...place, text: shown.cut(from, to), more: null }, this.report);
        return value !== undefined && this.report.silent && this.setKey(key, value);
      }
    }
  }

  /** As names are split anywhere, and shown to the tasks on the way. */
  private paths(from: number, to: number): string[] | null {
    const { shown, ready } = this;
    const { codes } = shown;
    let count = 0;
    let next = from;
    for (let i = from; i <= to; i++) {
      const c = i < to ? codes[i]! : comma;
      if (c !== comma) {
        // White space of other kinds, and what may stand around commas that do not separate.
        if (c <= 0x1f || c >= 0x7f || c === 0x60 || c === 0x7b) return this.closerPaths(from, to);
        continue;
      }
      let end = i;
      while (next < end && codes[next] === 0x20) next++;
      while (end > next && codes[end - 1] === 0x20) end--;
      if (end > next) {
        ready.claim(next, end);
        this.texts[count++] = shown.cut(next, end);
      }
      next = i + 1;
    }
    return this.texts.slice(0, count);
  }

  private closerPaths(from: number, to: number): string[] | null {
    this.ready.areSeparate = false;
    if (!this.isAllowed(from, to)) return null;
    return splitNames(this.shown.cut(from, to));
  }

  private withoutCode(key: Key, from: number, to: number): string {
    const { shown } = this;
    const { codes } = shown;
    if (codes[from] !== 0x60) return this.ready.cut(key, from, to);
    let close = from + 1;
    while (close < to && codes[close] !== 0x60) close++;
    const isWhole = close === to - 1 && close > from + 1;
    return isWhole && isVisible(codes[from + 1]!) && isVisible(codes[close - 1]!)
      ? this.ready.cut(key, from + 1, close)
      : unwrapCode(shown.cut(from, to));
  }

  /** No NUL character, and no half of a character. */
  private isAllowed(from: number, to: number): boolean {
    const { codes } = this.shown;
    let all = 0;
    for (let i = from; i < to; i++) {
      if (codes[i] === 0) return false;
      all |= codes[i]!;
    }
    return !mayHaveHalves(all) || isWellFormed(this.shown.cut(from, to));
  }

  private setNames(key: Key, names: readonly string[] | null): boolean {
    return names !== null && this.setKey(key, names);
  }

  /** Lists grow when they are given again; any other key that is there twice is for the general way. */
  private setKey(key: Key, value: unknown): boolean {
    if (this.ready.put(key.field, value)) return true;
    const before = (this.ready.keys as Record<string, unknown>)[key.field];
    if (!Array.isArray(before)) return false;
    for (const one of value as unknown[]) before.push(one);
    return true;
  }

  protected override takeProse(from: number, to: number): boolean {
    const indent = from - this.start;
    const continues = this.lazy && this.taskInner !== nowhere && indent < this.taskInner && this.keyInner === nowhere;
    if (!continues) this.close(indent);
    if (this.keyInner !== nowhere) return false;
    this.lazy = true;
    // Outside of tasks it says nothing.
    if (this.taskInner === nowhere) return true;
    const { ready } = this;
    const line = this.shown.cut(from, to);
    const deeper = indent - this.taskInner;
    const text = deeper > 0 ? ' '.repeat(deeper) + line : line;
    if (ready.prompt === null) ready.prompt = text;
    else ready.prompt += this.hasBlank ? `\n\n${text}` : `\n${text}`;
    this.hasBlank = false;
    return true;
  }
}

const comma = 0x2c;

/** Neither white space nor anything that may be. */
const isVisible = (c: number): boolean => c > 0x20 && c < 0x7f;

const isAllowedText = (text: string): boolean => !text.includes('\0') && isWellFormed(text);
