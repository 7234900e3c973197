// A fast reader for plans in the native form that are plain and have no mistakes: takes each task from the text where it
// stands, so that no tree of the whole text is ever kept. It never says anything: where there is something to say, or
// anything is unusual, it gives up, and the way through the nodes reads the same text from its start.
import { IdIndex } from '../id-index.ts';
import { type Key, keyAt } from '../keys.ts';
import { mostTasks } from '../limits.ts';
import type { Draft, RawPlan, RawTask, Reference } from '../raw-plan.ts';
import { Report } from '../report.ts';
import {
  colonSign,
  comma,
  hasUnusualSigns,
  isWordCharacter,
  onlyComment,
  PlainYaml,
  skipSpaces,
  space,
} from './plain-yaml.ts';
import { readKeyValue } from './read-keys.ts';
import { readTop } from './read-top.ts';
import { unlessUnusual, unusual } from './unusual.ts';
import { entriesOf, type YamlNode } from './yaml-node.ts';

/** Null when it gives up. */
export function readPlainPlan(text: string): RawPlan | null {
  if (hasUnusualSigns(text)) return null;
  const read = unlessUnusual(() => new PlainPlan(text).plan());
  return read === 'unusual' ? null : read;
}

/** Tasks of the same indentation, and the one of them whose keys are being read. */
interface Level {
  readonly indent: number;
  readonly parent: number;
  task: Draft<RawTask> | null;
  /** Of its keys. */
  keysIndent: number;
  /** Those of its keys that leave no trace in it, to see one that is there twice. */
  seen: number;
}

const SUBTASKS = 1;
const TITLE = 2;
const NEEDS = 4;
const PREFERS = 8;

class PlainPlan extends PlainYaml {
  private readonly tasks: Draft<RawTask>[] = [];
  private readonly index = new IdIndex(1024);
  /** Whatever is said here makes the reader give up. */
  private readonly report = new Report('', '');

  /** Of the list in hand. */
  private readonly words: Reference[] = [];

  constructor(text: string) {
    super(text, 1);
  }

  plan(): RawPlan {
    const { entries, hasTasks } = this.topEntries((colon) => this.readTasks(colon));
    const isFull = this.tasks.length > mostTasks;
    if (!isFull && (this.indent >= 0 || !hasTasks)) throw unusual;
    const map = { kind: 'map', entries, line: 1, column: 1 } as const;
    const top = readTop(entriesOf(map, this.report), this.report, () => undefined);
    if (!this.report.silent) throw unusual;
    const { tasks, index } = this;
    return {
      title: top.title ?? null,
      phases: [{ name: '' }],
      tasks,
      top,
      index,
      specKit: null,
      kiro: null,
      saysPhase: null,
    };
  }

  /** Depth first without recursion; a group stands before its subtasks, and may have keys behind them. */
  private readTasks(colon: number): void {
    const levels: Level[] = [];
    const first = this.enter(colon, 0, -1);
    if (first) levels.push(first);
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      if (this.tasks.length > mostTasks) return;
      const isKey = !this.isDash(this.start);
      if (level.task && this.indent === level.keysIndent && isKey) {
        const inner = this.readKey(level, level.task);
        if (inner) levels.push(inner);
      } else if (this.indent === level.indent && isKey) this.readTask(level);
      else if (this.indent >= level.indent) throw unusual;
      else levels.pop();
    }
    if (this.indent > 0) throw unusual;
  }

  /** The tasks below a key, if there are any. */
  private enter(colon: number, indent: number, parent: number): Level | null {
    if (this.valueStart(colon) >= 0) throw unusual;
    this.advance();
    if (this.indent === indent && this.isDash(this.start)) throw unusual;
    return this.indent > indent ? { indent: this.indent, parent, task: null, keysIndent: -1, seen: 0 } : null;
  }

  private readTask(level: Level): void {
    const colon = this.keyEnd();
    const { text: id, line, column } = this.scalar(this.start, colon);
    const task = draft(id, line, column, level.parent);
    if (this.index.add(id, this.tasks.length) !== undefined) throw unusual;
    this.tasks.push(task);
    level.seen = 0;
    level.task = null;
    const from = this.valueStart(colon);
    if (from >= 0) return this.readFlow(level, task, from);
    this.advance();
    if (this.indent < level.indent || (this.indent === level.indent && !this.isDash(this.start))) return;
    if (this.indent === level.indent || this.isDash(this.start)) throw unusual;
    level.task = task;
    level.keysIndent = this.indent;
  }

  /** A whole task on one line: `{title: x, needs: [a, b]}`. */
  private readFlow(level: Level, task: Draft<RawTask>, from: number): void {
    const { text, end } = this;
    if (text.charCodeAt(from) !== 0x7b) throw unusual;
    let i = skipSpaces(text, from + 1, end);
    if (text.charCodeAt(i) === 0x7d) throw unusual;
    for (;;) {
      let colon = i;
      while (colon < end && isWordCharacter(text.charCodeAt(colon))) colon++;
      if (text.charCodeAt(colon) !== colonSign || text.charCodeAt(colon + 1) !== space) throw unusual;
      const key = keyAt(text, i, colon);
      if (key === undefined || key.value.kind === 'structure') throw unusual;
      const value = skipSpaces(text, colon + 1, end);
      if (!this.readReferences(level, task, key, value)) this.set(level, task, key, this.flowNode(value));
      i = skipSpaces(text, this.flowEnd, end);
      if (text.charCodeAt(i) === 0x7d) break;
      if (text.charCodeAt(i) !== comma) throw unusual;
      i = skipSpaces(text, i + 1, end);
    }
    if (!onlyComment(text, i + 1, end)) throw unusual;
    this.advance();
    if (this.indent > level.indent) throw unusual;
  }

  /** Returns the subtasks that it announces. */
  private readKey(level: Level, task: Draft<RawTask>): Level | null {
    const colon = this.keyEnd();
    const key = keyAt(this.text, this.start, colon);
    if (key === undefined) throw unusual;
    if (key.name === 'subtasks') {
      once(level, SUBTASKS);
      return this.enter(colon, level.keysIndent, this.tasks.length - 1);
    }
    const from = this.valueStart(colon);
    if (from < 0) this.set(level, task, key, this.nested(level.keysIndent, colon));
    else if (!this.readReferences(level, task, key, from))
      this.set(level, task, key, this.value(from, level.keysIndent));
    else {
      if (!onlyComment(this.text, this.flowEnd, this.end)) throw unusual;
      this.advance();
      if (this.indent > level.keysIndent) throw unusual;
    }
    return null;
  }

  /** `[a, b]` of plain words without a node for each, and sets `flowEnd` behind it; false when it is anything else. */
  private readReferences(level: Level, task: Draft<RawTask>, key: Key, from: number): boolean {
    const { text, words, lineNumber: line } = this;
    if (key.value.kind !== 'references' || text.charCodeAt(from) !== 0x5b || task.references !== null) return false;
    const lineStart = this.start - this.indent;
    const kind = key.name === 'needs' ? 'need' : 'preference';
    words.length = 0;
    let i = from;
    do {
      if (words.length > mostTasks) throw unusual;
      const start = skipSpaces(text, i + 1, this.end);
      i = start;
      while (isWordCharacter(text.charCodeAt(i))) i++;
      if (i === start || text.charCodeAt(start) === 0x2d) return false;
      const known = this.index.findAt(text, start, i);
      const word = known === undefined ? text.slice(start, i) : this.tasks[known]!.id!;
      words.push({ kind, text: word, line, column: start - lineStart + 1, task: known });
    } while (text.charCodeAt(i) === comma);
    if (text.charCodeAt(i) !== 0x5d) return false;
    once(level, kind === 'need' ? NEEDS : PREFERS);
    // A list that grows keeps room for sixteen more.
    task.references = words.slice();
    this.flowEnd = i + 1;
    return true;
  }

  private set(level: Level, task: Draft<RawTask>, key: Key, node: YamlNode): void {
    if (!key.where.includes('task')) throw unusual;
    const value = readKeyValue(key, node, this.report);
    if (value === undefined || !this.report.silent) throw unusual;
    if (key.value.kind === 'references') {
      once(level, key.name === 'needs' ? NEEDS : PREFERS);
      const before = task.references;
      task.references = before ? [...before, ...(value as Reference[])] : (value as Reference[]);
    } else if (key.name === 'title') {
      once(level, TITLE);
      task.title = value as string;
    } else if (key.name === 'prompt') {
      if (task.prompt !== null) throw unusual;
      task.prompt = value as string;
    } else {
      task.keys ??= {};
      const keys = task.keys as Record<string, unknown>;
      if (keys[key.field] !== undefined) throw unusual;
      keys[key.field] = value;
      if (key.name === 'uses') task.usesAt = { line: node.line, column: node.column };
    }
  }
}

function once(level: Level, key: number): void {
  if ((level.seen & key) !== 0) throw unusual;
  level.seen |= key;
}

function draft(id: string, line: number, column: number, parent: number): Draft<RawTask> {
  return {
    id,
    title: id,
    line,
    column,
    phase: 0,
    parent,
    box: 'open',
    optional: false,
    parallel: false,
    keys: null,
    references: null,
    prompt: null,
    usesAt: null,
  };
}
