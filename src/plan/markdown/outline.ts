// The tree of a markdown plan: which list item, block or line of prose belongs to which task. Works on lines that the
// scanner has told apart; keeps the open items on a stack, so that depth costs no recursion.
import { readLooseArrow } from '../dependencies.ts';
import { quoted } from '../diagnostic.ts';
import { findKey } from '../keys.ts';
import type { Place, Report } from '../report.ts';
import { unwrapCode } from '../value.ts';
import { type Attribute, readItem } from './attribute.ts';
import { type Box, readBox } from './box.ts';
import { type Criteria, criteriaLabel, Headings } from './headings.ts';
import { TaskDraft } from './task-draft.ts';
import { readTaskLine } from './task-line.ts';

/** A line without its line end. `indent` counts columns, `from` is where its text starts. */
export interface Line {
  readonly number: number;
  readonly raw: string;
  readonly indent: number;
  readonly from: number;
}

interface Item {
  readonly indent: number;
  /** The task it is, or is inside of; -1 for none. */
  readonly task: number;
  /** What lines inside it add to. */
  readonly attribute: Attribute | null;
  /** Boxes inside it are no tasks. */
  criteria: Criteria | null;
}

export interface Block {
  readonly info: string;
  readonly content: string;
  /** With its fences, as it is shown to an agent. */
  readonly shown: readonly string[];
  readonly indent: number;
  readonly at: Place;
}

export class Outline {
  readonly tasks: TaskDraft[] = [];
  readonly headings: Headings;
  specKit: Place | null = null;
  kiro: Place | null = null;
  private readonly stack: Item[] = [];
  private readonly report: Report;
  /** The last line can be continued by one that is not indented. */
  private lazy = false;

  constructor(report: Report) {
    this.report = report;
    this.headings = new Headings(report);
  }

  /** How far right a line must stand to be inside the innermost item; 0 outside of lists. */
  get innerIndent(): number {
    const top = this.stack[this.stack.length - 1];
    return top ? top.indent + 2 : 0;
  }

  heading(level: number, name: string, at: Place): void {
    this.close(0);
    this.lazy = false;
    this.headings.enter(level, name, at);
  }

  blank(): void {
    this.lazy = false;
    const top = this.stack[this.stack.length - 1];
    if (top && top.task >= 0) this.tasks[top.task]!.addBlank();
  }

  /** A list item; `from` is where its text starts. */
  item(line: Line, from: number): void {
    this.close(line.indent);
    this.lazy = true;
    const { raw } = line;
    const box = raw.charCodeAt(from) === 0x5b ? this.readBox(raw, from, line.number) : null;
    const parent = this.stack[this.stack.length - 1];
    if (box === null) this.plainItem(line, from, parent);
    else if (parent?.attribute) this.growAttribute(parent, line, box.end);
    else if (parent?.criteria ?? (parent ? null : this.headings.criteria)) this.criterion(line, box.end, parent);
    else this.task(line, box, parent);
  }

  /** A line of prose. */
  text(line: Line): void {
    const root = this.stack[0];
    const open = this.stack[this.stack.length - 1];
    // A line that is not indented at all goes on with the paragraph above, as in any markdown; a value ends with its line.
    const continues = this.lazy && root && line.indent < root.indent + 2 && !open?.attribute;
    if (!continues) this.close(line.indent);
    this.lazy = true;
    const top = this.stack[this.stack.length - 1];
    const text = line.raw.slice(line.from).trimEnd();
    const at = { line: line.number, column: line.from + 1 };
    if (top?.attribute) this.continueAttribute(top.attribute, text);
    else if (top && top.task >= 0) this.proseLine(top, text, line, at);
    else this.looseArrow(text, at, false);
  }

  block(block: Block): void {
    this.lazy = false;
    const top = this.stack[this.stack.length - 1];
    const key = findKey(block.info);
    const isKey = block.info === 'run' || block.info === 'check' || block.info === 'prompt';
    if (top?.attribute) {
      grow(top.attribute, block.content, block.at);
    } else if (!top || top.task < 0) {
      if (isKey) this.blockOutside(block);
    } else if (isKey && key) {
      const more = [{ text: block.content, at: block.at }];
      const attribute = { key, ...block.at, valueColumn: block.at.column, text: '', more };
      this.tasks[top.task]!.addAttribute(attribute, this.report);
    } else {
      const task = this.tasks[top.task]!;
      const margin = ' '.repeat(Math.max(0, block.indent - task.indent));
      for (const line of block.shown) task.addProse(line === '' ? '' : margin + line);
    }
  }

  /** Closes every item that a line at this indentation is not inside of. */
  close(indent: number): void {
    const { stack } = this;
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!;
      if (indent >= top.indent + 2) return;
      stack.pop();
      // Only the item of the attribute itself ends it, not those nested in it.
      if (top.attribute && top.attribute !== stack[stack.length - 1]?.attribute && top.task >= 0) {
        this.tasks[top.task]!.addAttribute(top.attribute, this.report);
      }
    }
  }

  private task(line: Line, box: Box, parent: Item | undefined): void {
    const text = line.raw.slice(box.end).trimEnd();
    const column = box.end + 1;
    const read = readTaskLine(text, line.number, column, this.report);
    if (read.isSpecKit) this.specKit ??= { line: line.number, column };
    const group = parent ? parent.task : -1;
    const phase = group >= 0 ? this.tasks[group]!.phase : this.headings.phaseOfTask();
    const place = { line: line.number, column, phase, parent: group, box, indent: line.indent + 2 };
    this.tasks.push(new TaskDraft(read, place));
    this.stack.push({ indent: line.indent, task: this.tasks.length - 1, attribute: null, criteria: null });
  }

  private plainItem(line: Line, from: number, parent: Item | undefined): void {
    const text = line.raw.slice(from).trimEnd();
    const at = { line: line.number, column: from + 1 };
    const task = parent ? parent.task : -1;
    if (parent?.attribute) return this.growAttribute(parent, line, from);
    if (task < 0) {
      const attribute = parent ? null : this.headings.addItem(text, at);
      if (attribute === null) this.looseArrow(text, at, false);
      this.stack.push({ indent: line.indent, task, attribute, criteria: null });
      return;
    }
    const label = criteriaLabel(text);
    const reading = readItem(text, at, 'task');
    const attribute = reading.kind === 'attribute' ? reading.attribute : null;
    if (reading.kind === 'near') this.nearlyKey(reading.word, reading.meant, at);
    else if (reading.kind === 'misplaced') this.misplaced(reading.key.name, at);
    else if (parent?.criteria && attribute === null) return this.criterion(line, from, parent);
    else if (label === null && attribute === null) this.proseItem(parent!, line, text, at);
    this.stack.push({ indent: line.indent, task, attribute, criteria: label });
  }

  /** Items under an attribute are further values; deeper ones too. */
  private growAttribute(parent: Item, line: Line, from: number): void {
    const attribute = parent.attribute!;
    const at = { line: line.number, column: from + 1 };
    const isProse = attribute.key.value.kind === 'prose';
    const text = line.raw.slice(isProse ? line.from : from).trimEnd();
    grow(attribute, isProse ? ' '.repeat(Math.max(0, line.indent - parent.indent - 2)) + text : text, at);
    this.stack.push({ indent: line.indent, task: parent.task, attribute, criteria: null });
  }

  private continueAttribute(attribute: Attribute, text: string): void {
    const last = attribute.more?.[attribute.more.length - 1];
    const join = attribute.key.value.kind === 'prose' ? '\n' : ' ';
    if (last) last.text += join + text;
    else attribute.text = attribute.text === '' ? text : attribute.text + join + text;
  }

  private criterion(line: Line, from: number, parent: Item | undefined): void {
    const text = line.raw.slice(from).trim();
    const at = { line: line.number, column: from + 1 };
    const command = unwrapCode(text);
    const kind = parent ? parent.criteria : this.headings.criteria;
    const isCommand = kind === 'check' && command !== text;
    if (!parent || parent.task < 0) this.headings.addCriterion(isCommand ? command : null, at);
    else if (text !== '') {
      const key = findKey(isCommand ? 'check' : 'accept')!;
      this.tasks[parent.task]!.setKey(key, [isCommand ? command : text], at, this.report);
    }
    this.stack.push({ indent: line.indent, task: parent ? parent.task : -1, attribute: null, criteria: kind });
  }

  private proseItem(parent: Item, line: Line, text: string, at: Place): void {
    this.looseArrow(text, at, true);
    this.addProse(parent.task, line, at);
  }

  private proseLine(top: Item, text: string, line: Line, at: Place): void {
    const label = criteriaLabel(text);
    if (label !== null) {
      top.criteria = label;
      return;
    }
    if (text.startsWith('_Requirements:')) this.kiro ??= at;
    this.looseArrow(text, at, true);
    const reading = readItem(text, at, 'task');
    if (reading.kind === 'attribute') {
      const { name } = reading.attribute.key;
      this.report.warning({
        code: 'key-in-prose',
        message: `${quoted(`${name}:`)} is prose here, because it is not a list item`,
        ...at,
        length: name.length,
        help: `write \`- ${name}: …\` to set the key`,
      });
    }
    this.addProse(top.task, line, at);
  }

  private addProse(index: number, line: Line, at: Place): void {
    const task = this.tasks[index]!;
    const text = line.raw.slice(line.from).trimEnd();
    if (text.includes('_Requirements:')) this.kiro ??= at;
    const deeper = line.indent - task.indent;
    task.addProse(deeper > 0 ? ' '.repeat(deeper) + text : text);
  }

  private looseArrow(text: string, at: Place, insideTask: boolean): void {
    const arrow = readLooseArrow(text);
    if (arrow === null || (arrow.left === '' && !insideTask)) return;
    const { left, right } = arrow;
    this.report.error({
      code: 'loose-arrow',
      message: left === '' ? `${quoted(text)} stands on a line of its own` : `${quoted(text)} can be read in two ways`,
      ...at,
      length: text.length,
      help:
        left === ''
          ? `put it at the end of the task's line, or write \`- needs: ${right}\``
          : `if ${quoted(left)} needs ${quoted(right)}, end the line of ${quoted(left)} with \`→ ${right}\`; if ${quoted(left)} comes first, end the line of ${quoted(right)} with \`→ ${left}\``,
    });
  }

  private readBox(raw: string, from: number, line: number): Box | null {
    const box = readBox(raw, from);
    if (box !== 'unknown') return box;
    this.report.error({
      code: 'unknown-box',
      message: `${quoted(raw.slice(from, raw.indexOf(']', from) + 1))} is not a box`,
      line,
      column: from + 1,
      length: raw.indexOf(']', from) + 1 - from,
      help: 'boxes are `[ ]` open, `[x]` completed, `[-]` skipped, `[ ]*` optional, each with a space behind it',
    });
    return null;
  }

  private nearlyKey(word: string, meant: string, at: Place): void {
    this.report.error({
      code: 'unknown-key',
      message: `there is no key ${quoted(word)}`,
      ...at,
      length: word.length,
      help: `did you mean \`${meant}\`? Prose must not look like a key`,
    });
  }

  private misplaced(name: string, at: Place): void {
    const message = `${quoted(name)} has no meaning under a task`;
    const help = `it belongs to: ${findKey(name)!.where.join(', ')}`;
    this.report.error({ code: 'misplaced-key', message, ...at, length: name.length, help });
  }

  private blockOutside({ info, at }: Block): void {
    const message = `a ${quoted(info)} block outside of every task`;
    this.report.error({ code: 'misplaced-block', message, ...at, length: 3, help: 'indent it under its task' });
  }
}

function grow(attribute: Attribute, text: string, at: Place): void {
  attribute.more ??= [];
  attribute.more.push({ text, at });
}
