// Tables that stand outside of every task, taken apart into cells with their places. Whether one of them holds tasks is
// decided when all else has been read.

import type { Place } from '../../diagnostics/report.ts';
import { mostTasks } from '../../limits.ts';
import type { Headings } from './headings.ts';
import type { Line } from './outline.ts';

export interface Cell extends Place {
  readonly text: string;
}

export interface Table {
  /** The heading it stands under. */
  readonly heading: string;
  /** All headings around it. */
  readonly path: Headings['path'];
  readonly header: readonly Cell[];
  readonly rows: Line[];
}

const mostLoose = 1_000;

export class Tables {
  readonly found: Table[] = [];
  /** The first rows of what looks like a table and has no header, or no line of dashes below it. */
  readonly loose: Line[] = [];
  private last: Line | null = null;
  /** Rows of all tables together, whatever they hold. */
  kept = 0;
  private open: Table | null = null;

  /** A line that starts with `|`. */
  add(line: Line, { name, path }: Pick<Headings, 'name' | 'path'>): void {
    const isNext = this.last !== null && this.last.number === line.number - 1;
    if (!isNext) {
      this.open = null;
      if (this.loose.length < mostLoose) this.loose.push(line);
    }
    // What is more than a plan may have is not kept either.
    if (this.open) {
      if (this.kept <= mostTasks) {
        this.kept++;
        this.open.rows.push(line);
      }
    } else if (isNext && delimiter.test(line.raw)) {
      this.open = { heading: name, path, header: cellsOf(this.last!), rows: [] };
      this.found.push(this.open);
      if (this.loose[this.loose.length - 1] === this.last) this.loose.pop();
    }
    this.last = line;
  }
}

const delimiter = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$|^\s*\|(?:\s*:?-+:?\s*\|)*\s*:?-+:?\s*$/;

/** A bar in backticks or behind a backslash does not separate. */
export function cellsOf({ raw, from, number }: Line): Cell[] {
  const cells: Cell[] = [];
  let start = from + 1;
  let inCode = false;
  for (let i = start; i <= raw.length; i++) {
    const c = raw[i];
    if (c === '\\') i++;
    else if (c === '`') inCode = !inCode && raw.includes('`', i + 1);
    if (c !== undefined && (c !== '|' || inCode)) continue;
    const inside = raw.slice(start, i);
    const text = inside.trim();
    const isRest = c === undefined && text === '';
    if (!isRest) {
      const column = start + 1 + (inside.length - inside.trimStart().length);
      cells.push({ text: text.replaceAll('\\|', '|'), line: number, column });
    }
    start = i + 1;
  }
  return cells;
}
