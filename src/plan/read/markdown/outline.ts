// The tree of a markdown plan: which list item, block or line of prose belongs to which task. Works on lines that the
// scanner has told apart; keeps the open items on a stack, so that depth costs no recursion.

import { readNearlyNeed } from '../../check/nearly-needs.ts';
import type { Mistake, Place, Report } from '../../diagnostics/report.ts';
import { findKey } from '../../keys/keys.ts';
import { unwrapCode } from '../../keys/value.ts';
import { readLooseArrow } from '../dependencies.ts';
import type { NearlyNeed, Reference } from '../raw-plan.ts';
import { continueAttribute, grow, growByBlock, readItem } from './attribute.ts';
import { type Box, readBox } from './box.ts';
import { Boxes } from './boxes.ts';
import { Doubts } from './doubts.ts';
import { criteriaLabel, Headings } from './headings.ts';
import {
  blockOutside,
  isLooseBox,
  keyInProse,
  looseArrow,
  looseBox,
  misplacedKey,
  nearlyKey,
  shallowIndent,
} from './outline-mistakes.ts';
import type { Block, Item, Line } from './outline-parts.ts';
import { hasSequentialMark, readSequentialNote } from './sequential-mark.ts';
import { Tables } from './tables.ts';
import { TaskDraft } from './task-draft.ts';
import { readNeedsLine, readTaskNumber, type TaskSection } from './task-heading.ts';
import { readTaskLine } from './task-line.ts';

export type { Block, Line } from './outline-parts.ts';

export class Outline {
  readonly tasks: TaskDraft[] = [];
  readonly headings: Headings;
  specKit: Place | null = null;
  kiro: Place | null = null;
  /** Tasks that notes say to run one after the other. */
  readonly notes: (readonly Reference[])[] = [];
  readonly tables = new Tables();
  readonly doubts = new Doubts();
  readonly nearly: NearlyNeed[] = [];
  /** The first heading that is a task. */
  headed: Place | null = null;
  protected section: TaskSection | null = null;
  private readonly stack: Item[] = [];
  private readonly report: Report;
  private readonly boxes: Boxes;
  /** The last line can be continued by one that is not indented. */
  private lazy = false;

  constructor(report: Report) {
    this.report = report;
    this.headings = new Headings(report);
    this.boxes = new Boxes(report, this.tasks);
  }

  /** How far right a line must stand to be inside the innermost item; 0 outside of lists. */
  get innerIndent(): number {
    const top = this.stack[this.stack.length - 1];
    return top ? top.indent + 2 : 0;
  }

  /** The task that the innermost open item is, or is inside of; -1 for none. */
  get innerTask(): number {
    return this.stack[this.stack.length - 1]?.task ?? -1;
  }

  /** A line of nothing but comment says nothing. */
  comment(_line: number): void {
    return;
  }

  heading(level: number, name: string, at: Place): void {
    this.close(0);
    this.boxes.endList();
    this.lazy = false;
    if (this.section && level > this.section.level) {
      this.section.criteria = criteriaLabel(name);
      if (this.section.criteria === null) this.tasks[this.section.task]!.addProse(`${'#'.repeat(level)} ${name}`);
      return;
    }
    this.closeSection();
    const found = level > 1 || this.headings.title !== null ? readTaskNumber(name) : null;
    if (found) this.openSection(level, found.id, name.slice(found.from), at);
    else this.headings.enter(level, name, at);
  }

  blank(): void {
    this.lazy = false;
    const top = this.stack[this.stack.length - 1];
    const task = top ? top.task : (this.section?.task ?? -1);
    if (task >= 0) this.tasks[task]!.addBlank();
  }

  /** Nothing comes any more. */
  end(): void {
    this.close(0);
    this.boxes.endList();
    this.closeSection();
  }

  /** A list item; `from` is where its text starts. */
  item(line: Line, from: number): void {
    const isShallow = line.indent % 2 === 1 && this.isShallow(line.indent);
    this.close(line.indent);
    this.lazy = true;
    if (this.section) return this.sectionItem(this.section, line, from);
    const { raw } = line;
    const parent = this.stack[this.stack.length - 1];
    const isCriterion = (parent ? parent.criteria : this.headings.criteria) !== null;
    const group = parent?.attribute || isCriterion ? null : (parent?.task ?? -1);
    const box = raw[from] === '[' ? this.boxes.read(line, from, group) : null;
    if (box === null) this.plainItem(line, from, parent);
    else if (parent?.attribute) this.growAttribute(parent, line, box.end);
    else if (isCriterion) this.criterion(line, box.end, parent);
    else {
      if (isShallow) this.report.warning(shallowIndent(line.indent, line.number));
      this.task(line, box, parent);
    }
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
    if (!top) this.boxes.endList();
    const text = line.raw.slice(line.from).trimEnd();
    const at = { line: line.number, column: line.from + 1 };
    if (top?.attribute) continueAttribute(top.attribute, text, at);
    else if (this.section) this.sectionText(this.section, line, text);
    else if (top && top.task >= 0) this.proseLine(top, text, line, at);
    else this.outsideText(text, line, at);
  }

  block(block: Block): void {
    this.lazy = false;
    const top = this.stack[this.stack.length - 1];
    const key = findKey(block.info);
    const isKey = block.info === 'run' || block.info === 'check' || block.info === 'prompt';
    const at = top ? top.task : (this.section?.task ?? -1);
    if (top?.attribute) {
      growByBlock(top.attribute, block, this.report);
    } else if (at < 0) {
      if (isKey) this.report.error(blockOutside(block.info, block.at));
    } else if (isKey && key) {
      const more = [{ text: block.content, at: block.at, turns: null }];
      const attribute = { key, ...block.at, valueColumn: block.at.column, text: '', more };
      this.tasks[at]!.addAttribute(attribute, this.report);
    } else {
      const task = this.tasks[at]!;
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

  /** One space further right than a task, and so beside it. */
  private isShallow(indent: number): boolean {
    return this.stack.some((item) => item.indent === indent - 1 && this.tasks[item.task]?.indent === indent + 1);
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
      if (attribute === null) this.outsideText(text, line, at);
      this.stack.push({ indent: line.indent, task, attribute, criteria: null });
      return;
    }
    const label = criteriaLabel(text);
    const reading = readItem(text, at, 'task');
    const attribute = reading.kind === 'attribute' ? reading.attribute : null;
    if (reading.kind === 'near') {
      this.doubts.add('unknown-key', 'error', () => nearlyKey(reading.word, reading.meant, at));
      this.addProse(task, line, at);
    } else if (reading.kind === 'misplaced') this.report.error(misplacedKey(reading.key, reading.word, at));
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
    this.looseBox(text, at);
    this.looseArrow(text, at, true);
    this.nearlyNeed(text, at);
    this.addProse(parent.task, line, at);
  }

  /** True when it is one of those that are looked at again when all ids are known. */
  private nearlyNeed(text: string, at: Place, otherwise?: Mistake): boolean {
    const nearly = this.nearly.length < 1_000 ? readNearlyNeed(text, at) : null;
    if (nearly) this.nearly.push(otherwise ? { ...nearly, otherwise } : nearly);
    return nearly !== null;
  }

  private proseLine(top: Item, text: string, line: Line, at: Place): void {
    const label = criteriaLabel(text);
    if (label !== null) {
      top.criteria = label;
      return;
    }
    if (text.startsWith('_Requirements:')) this.kiro ??= at;
    if (hasSequentialMark(text)) this.sequentialNote(text, at);
    this.looseBox(text, at);
    this.looseArrow(text, at, true);
    const reading = readItem(text, at, 'task');
    const inProse = reading.kind === 'attribute' ? keyInProse(reading.attribute.key.name, at) : undefined;
    if (!this.nearlyNeed(text, at, inProse) && inProse) this.report.warning(inProse);
    this.addProse(top.task, line, at);
  }

  private addProse(index: number, line: Line, at: Place): void {
    const task = this.tasks[index]!;
    const text = line.raw.slice(line.from).trimEnd();
    if (text.includes('_Requirements:')) this.kiro ??= at;
    const deeper = line.indent - task.indent;
    task.addProse(deeper > 0 ? ' '.repeat(deeper) + text : text);
  }

  private outsideText(text: string, line: Line, at: Place): void {
    if (text[0] === '|') this.tables.add(line, this.headings);
    else if (hasSequentialMark(text)) this.sequentialNote(text, at);
    this.looseBox(text, at);
    this.looseArrow(text, at, false);
  }

  private sequentialNote(text: string, at: Place): void {
    const references = readSequentialNote(text, at);
    if (references === null) this.headings.markSequential();
    else this.notes.push(references);
  }

  private openSection(level: number, id: string, text: string, at: Place): void {
    this.headed ??= at;
    this.headings.leave(level);
    const column = at.column + level + 1;
    const read = { ...readTaskLine(text, at.line, column, this.report), id };
    const box: Box = { mark: 'open', optional: false, end: 0 };
    const place = { line: at.line, column, phase: this.headings.phaseOfTask(), parent: -1, box, indent: 0 };
    this.tasks.push(new TaskDraft(read, place));
    this.section = { level, task: this.tasks.length - 1, criteria: null, steps: 0, ticked: 0 };
  }

  private closeSection(): void {
    if (this.section && this.section.steps > 0 && this.section.ticked === this.section.steps) {
      this.tasks[this.section.task]!.box = 'completed';
    }
    this.section = null;
  }

  private sectionItem(section: TaskSection, line: Line, from: number): void {
    const { raw, indent } = line;
    const parent = this.stack[this.stack.length - 1];
    if (parent?.attribute) return this.growAttribute(parent, line, from);
    const { task } = section;
    const at = { line: line.number, column: from + 1 };
    const box = raw[from] === '[' ? readBox(raw, from) : null;
    const isBox = box !== null && box !== 'unknown';
    const text = raw.slice(from).trimEnd();
    if (section.criteria && !parent) {
      const under = { indent, task, attribute: null, criteria: section.criteria };
      return this.criterion(line, isBox ? box.end : from, under);
    }
    const needs = parent || isBox ? null : readNeedsLine(text, at);
    const reading = parent || isBox || needs ? null : readItem(text, at, 'task');
    const attribute = reading?.kind === 'attribute' ? reading.attribute : null;
    if (needs) this.tasks[task]!.addReferences(needs);
    else if (attribute === null) this.sectionProse(section, line, text, at);
    if (isBox) section.steps++;
    if (isBox && box.mark === 'completed') section.ticked++;
    this.stack.push({ indent, task, attribute, criteria: null });
  }

  private sectionText(section: TaskSection, line: Line, text: string): void {
    const at = { line: line.number, column: line.from + 1 };
    const isTop = this.stack.length === 0 || line.indent < 2;
    const needs = isTop ? readNeedsLine(text, at) : null;
    const label = isTop ? criteriaLabel(text) : null;
    if (isTop) section.criteria = label;
    if (needs) this.tasks[section.task]!.addReferences(needs);
    else if (label === null) this.sectionProse(section, line, text, at);
  }

  private sectionProse({ task }: TaskSection, line: Line, text: string, at: Place): void {
    this.nearlyNeed(text, at);
    this.addProse(task, line, at);
  }

  private looseArrow(text: string, at: Place, insideTask: boolean): void {
    const arrow = isLooseBox(text) ? null : readLooseArrow(text);
    if (arrow && (insideTask || arrow.parts[0] !== ''))
      this.doubts.add('loose-arrow', 'error', () => looseArrow(text, arrow, at));
  }

  /** A line that would be a task if it were an item of a list with a box. */
  private looseBox(text: string, at: Place): void {
    if (isLooseBox(text)) this.doubts.add('loose-box', 'warning', () => looseBox(text, at));
  }
}
