// Plain lines for the outline, each with its place.
import type { Key } from '../keys.ts';
import type { Reference } from '../raw-plan.ts';
import type { Box } from './box.ts';
import type { Outline } from './outline.ts';
import { PlainLines } from './plain-lines.ts';

export class OutlineLines extends PlainLines {
  private readonly outline: Outline;
  // Of the task in hand.
  private idFrom = 0;
  private idTo = 0;
  private found: Reference[] | null = null;

  constructor(text: string, outline: Outline) {
    super(text);
    this.outline = outline;
  }

  protected override takeBlank(): void {
    this.outline.blank();
  }

  protected override openTask(idFrom: number, idTo: number): boolean {
    this.idFrom = idFrom;
    this.idTo = idTo;
    this.found = null;
    return true;
  }

  protected override takeReference(from: number, to: number): boolean {
    const { found } = this;
    const word = this.shown.cut(from, to);
    const reference: Reference = { kind: 'need', text: word, line: this.number, column: from - this.start + 1 };
    // One literal for one, because a list that grows keeps room for sixteen more.
    if (found === null) this.found = [reference];
    else this.found = found.length === 1 ? [found[0]!, reference] : [...found, reference];
    return this.found.length <= 8;
  }

  protected override takeTask(from: number, mark: Box['mark'], titleFrom: number, titleTo: number): boolean {
    const { shown, start, idFrom, idTo } = this;
    return this.outline.plainTask({
      indent: from - start,
      line: this.number,
      column: idFrom - start + 1,
      mark,
      id: idTo > idFrom ? shown.cut(idFrom, idTo) : null,
      title: shown.cut(titleFrom, titleTo).trim(),
      references: this.found,
    });
  }

  protected override takeAttribute(from: number, key: Key, valueFrom: number, valueTo: number): boolean {
    const { start } = this;
    const attribute = {
      key,
      line: this.number,
      column: from + 3 - start,
      valueColumn: valueFrom - start + 1,
      text: this.shown.cut(valueFrom, valueTo),
      more: null,
    };
    return this.outline.plainAttribute(attribute, from - start);
  }

  protected override takeProse(from: number, to: number): boolean {
    return this.outline.plainProse(this.shown.cut(from, to), from - this.start);
  }
}
