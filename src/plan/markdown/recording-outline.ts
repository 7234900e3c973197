// An outline that also remembers which line of the file belongs to which task, so that everything else can be kept as it is.
import type { Place } from '../report.ts';
import { type Block, type Line, Outline } from './outline.ts';

export class RecordingOutline extends Outline {
  /** By line: the task it belongs to. */
  readonly ofTask = new Map<number, number>();
  /** Lines outside of tasks, with comments blanked. */
  readonly outside = new Map<number, string>();
  readonly comments = new Set<number>();
  /** Texts that the next line makes a heading of. */
  readonly underlined = new Set<number>();
  /** Those of them that are list items. */
  readonly items = new Set<number>();

  override comment(line: number): void {
    this.comments.add(line);
  }

  override heading(level: number, name: string, at: Place): void {
    super.heading(level, name, at);
    if (this.outside.has(at.line)) this.underlined.add(at.line);
  }

  override item(line: Line, from: number): void {
    super.item(line, from);
    this.keep(line);
    if (this.innerTask < 0) this.items.add(line.number);
  }

  override text(line: Line): void {
    super.text(line);
    this.keep(line);
  }

  override block(block: Block): void {
    super.block(block);
    if (this.innerTask < 0) return;
    block.shown.forEach((_, i) => {
      this.ofTask.set(block.at.line + i, this.innerTask);
    });
  }

  private keep(line: Line): void {
    if (this.innerTask >= 0) this.ofTask.set(line.number, this.innerTask);
    else this.outside.set(line.number, line.raw);
  }
}
