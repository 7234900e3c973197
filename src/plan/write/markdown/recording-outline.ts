// An outline that also remembers the task of each line of the file. Everything else can then be kept as it is.

import type { Place, Report } from '../../diagnostics/report.ts';
import { type Block, type Line, Outline } from '../../read/markdown/outline.ts';
import type { RawTask } from '../../read/raw-plan.ts';

/** One that is not a task, nor inside of one. */
export interface SeenHeading {
  readonly line: number;
  readonly level: number;
  readonly name: string;
}

export class RecordingOutline extends Outline {
  /** By line: the task it belongs to; -1 for none. */
  readonly ofTask: Int32Array;
  /** Lines outside of tasks, with comments blanked. */
  readonly outside = new Map<number, string>();
  readonly comments = new Set<number>();
  /** Lines of tasks that have a comment beside their text. */
  readonly beside = new Set<number>();
  /** Texts that the next line makes a heading of. */
  readonly underlined = new Set<number>();
  /** Those of them that are list items. */
  readonly items = new Set<number>();
  readonly seen: SeenHeading[] = [];
  /** Tasks that are headings, with their levels. */
  readonly sections = new Map<number, number>();

  private kept: readonly RawTask[] | null = null;

  private readonly source: readonly string[];

  /** `source` is the text, line by line. */
  constructor(report: Report, source: readonly string[]) {
    super(report);
    this.source = source;
    this.ofTask = new Int32Array(source.length + 2).fill(-1);
  }

  override comment(line: number): void {
    this.comments.add(line);
  }

  override heading(level: number, name: string, at: Place): void {
    const isUnderline = this.outside.has(at.line) || this.ofTask[at.line]! >= 0;
    const before = this.tasks.length;
    super.heading(level, name, at);
    if (this.tasks.length > before) this.sections.set(before, level);
    const task = this.section ? this.section.task : -1;
    if (isUnderline) this.underlined.add(at.line);
    this.ofTask[at.line] = task;
    if (isUnderline) this.ofTask[at.line + 1] = task;
    if (task < 0) this.seen.push({ line: at.line, level, name });
  }

  override item(line: Line, from: number): void {
    super.item(line, from);
    this.keep(line);
    if (this.owner < 0) this.items.add(line.number);
  }

  override text(line: Line): void {
    super.text(line);
    this.keep(line);
  }

  override block(block: Block): void {
    super.block(block);
    const { owner } = this;
    if (owner < 0) return;
    this.ofTask.fill(owner, block.at.line, block.at.line + block.shown.length);
  }

  /** Boxes that turned out to be no tasks are text. */
  keepOnly(tasks: readonly RawTask[]): void {
    if (this.kept === tasks || tasks === this.tasks || this.tasks.length === 0) return;
    this.kept = tasks;
    const places = new Map(tasks.map((task, i) => [task, i]));
    const place = this.tasks.map((task) => places.get(task) ?? -1);
    for (let i = 0; i < this.ofTask.length; i++) if (this.ofTask[i]! >= 0) this.ofTask[i] = place[this.ofTask[i]!]!;
    const sections = [...this.sections];
    this.sections.clear();
    for (const [task, level] of sections) if (place[task]! >= 0) this.sections.set(place[task]!, level);
  }

  private get owner(): number {
    return this.innerTask >= 0 ? this.innerTask : (this.section?.task ?? -1);
  }

  private keep(line: Line): void {
    const { owner } = this;
    if (owner < 0) this.outside.set(line.number, line.raw);
    else {
      this.ofTask[line.number] = owner;
      if (line.raw !== this.source[line.number - 1]) this.beside.add(line.number);
    }
  }
}
