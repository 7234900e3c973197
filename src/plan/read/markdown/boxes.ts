// The boxes of list items, with what only their list can tell: `[v]` beside other boxes was meant as one, and is text anywhere else.
import type { Report } from '../../diagnostics/report.ts';
import { type Box, readBox } from './box.ts';
import { unknownBox } from './outline-mistakes.ts';
import type { Line } from './outline-parts.ts';
import type { TaskDraft } from './task-draft.ts';

interface Doubtful {
  readonly line: Line;
  readonly from: number;
  /** The task that the item is inside of; -1 for none. */
  readonly group: number;
}

/** What a list of references has too: `[1] Author: Title`. */
const letterBox = /^\[[A-Za-z0-9]\][ \t]+\S/;

export class Boxes {
  private readonly report: Report;
  private readonly tasks: readonly TaskDraft[];
  /** The tasks from here on are in the list in hand, and have not been looked at. */
  private since = 0;
  /** Where there are tasks in the list in hand, each as `placeOf` says. */
  private readonly places = new Set<string>();
  private doubtful: Doubtful[] = [];

  constructor(report: Report, tasks: readonly TaskDraft[]) {
    this.report = report;
    this.tasks = tasks;
  }

  /** The box at `from`, where a `[` stands; null for a link or text. @param group null: boxes are no tasks there. */
  read(line: Line, from: number, group: number | null): Box | null {
    const { raw } = line;
    const box = readBox(raw, from);
    if (box === null)
      return group === null || !letterBox.test(raw.slice(from, from + 200)) ? null : this.letter({ line, from, group });
    if (box !== 'unknown') return box;
    this.report.error(unknownBox(raw, from, line.number));
    return meant(raw, from);
  }

  /** What comes next is in another list. */
  endList(): void {
    for (const one of this.doubtful) if (this.isBesideTask(one)) this.tell(one);
    if (this.doubtful.length > 0) this.doubtful = [];
    if (this.places.size > 0) this.places.clear();
    this.since = this.tasks.length;
  }

  private letter(one: Doubtful): Box | null {
    if (!this.isBesideTask(one)) {
      this.doubtful.push(one);
      return null;
    }
    return this.tell(one);
  }

  /** A number may be that of a reference, `[P]` is a mark of tasks that somebody explains: both stay text. */
  private tell({ line, from }: Doubtful): Box | null {
    const { raw, number } = line;
    const mistake = unknownBox(raw, from, number);
    if (/[\dP]/.test(raw[from + 1]!)) {
      this.report.warning(mistake);
      return null;
    }
    this.report.error(mistake);
    return meant(raw, from);
  }

  /** Under the same one, and as far to the right, up to what is a slip. */
  private isBesideTask({ line, group }: Doubtful): boolean {
    for (; this.since < this.tasks.length; this.since++) {
      const { parent, indent } = this.tasks[this.since]!;
      this.places.add(placeOf(parent, indent - 2));
    }
    return [0, -1, 1].some((more) => this.places.has(placeOf(group, line.indent + more)));
  }
}

const placeOf = (group: number, indent: number): string => `${group} ${indent}`;

/** Still a task, so that nobody who needs it is told that there is none. */
function meant(raw: string, from: number): Box {
  let end = raw.indexOf(']', from) + 1;
  while (raw[end] === '*' || raw[end] === ' ' || raw[end] === '\t') end++;
  return { mark: 'open', optional: false, end };
}
