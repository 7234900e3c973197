// One task of a markdown plan while its lines are read: its keys, its dependencies, and the prose that goes to the agent.
import { quoted } from '../../diagnostics/diagnostic.ts';
import type { Place, Report } from '../../diagnostics/report.ts';
import type { Key } from '../../keys/keys.ts';
import type { RawTask, Reference } from '../raw-plan.ts';
import { type Attribute, readAttribute } from './attribute.ts';
import type { Box } from './box.ts';
import type { TaskLine } from './task-line.ts';

export interface TaskPlace extends Place {
  readonly phase: number;
  readonly parent: number;
  readonly box: Box;
  readonly indent: number;
}

export class TaskDraft implements RawTask {
  readonly id: string | null;
  readonly title: string;
  readonly line: number;
  readonly column: number;
  phase: number;
  parent: number;
  box: RawTask['box'];
  readonly optional: boolean;
  readonly parallel: boolean;
  keys: RawTask['keys'];
  references: Reference[] | null;
  prompt: string | null = null;
  usesAt: Place | null = null;
  /** `[SEQUENTIAL]` behind its title. */
  readonly sequential: boolean;
  /** Lines of the file inside the task are this far to the right. */
  readonly indent: number;
  private blank = false;

  constructor(line: TaskLine, at: TaskPlace) {
    this.id = line.id;
    this.title = line.title;
    this.references = line.references;
    this.line = at.line;
    this.column = at.column;
    this.phase = at.phase;
    this.parent = at.parent;
    this.box = at.box.mark;
    this.optional = at.box.optional;
    this.parallel = line.parallel;
    this.sequential = line.sequential;
    this.keys = line.labels === null ? null : { labels: line.labels };
    this.indent = at.indent;
  }

  /** An empty line separates paragraphs only between lines of prose. */
  addBlank(): void {
    this.blank = this.prompt !== null;
  }

  addProse(text: string): void {
    if (this.prompt === null) this.prompt = text;
    else this.prompt += this.blank ? `\n\n${text}` : `\n${text}`;
    this.blank = false;
  }

  addReferences(more: readonly Reference[]): void {
    if (more.length === 0) return;
    this.references ??= [];
    for (const reference of more) this.references.push(reference);
  }

  addAttribute(attribute: Attribute, report: Report): void {
    const { key } = attribute;
    const value = readAttribute(attribute, report);
    if (value === undefined) return;
    if (key.name === 'uses') this.usesAt = { line: attribute.line, column: attribute.valueColumn };
    if (key.value.kind === 'prose') this.addProse(value as string);
    else if (key.value.kind === 'references') this.addReferences(value as Reference[]);
    else this.setKey(key, value, attribute, report);
  }

  /** Lists and maps grow when they are given again; anything else is there once. */
  setKey(key: Key, value: unknown, at: Place, report: Report): void {
    this.keys ??= {};
    const keys = this.keys as Record<string, unknown>;
    const before = keys[key.field];
    if (before === undefined) keys[key.field] = value;
    // In place: a key that is given twenty thousand times would be copied as often.
    else if (Array.isArray(before)) for (const one of value as unknown[]) before.push(one);
    else if (key.value.kind === 'env') Object.assign(before as object, value);
    else {
      report.error({
        code: 'duplicate-key',
        message: `${quoted(key.name)} is there twice`,
        line: at.line,
        column: at.column,
        length: key.name.length,
        help: 'keep one of them',
      });
    }
  }
}
