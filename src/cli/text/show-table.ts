// Rows in aligned columns. On a narrow terminal one column is cut; without a terminal none is.
import { cutToWidth, displayWidth, padToWidth } from '../terminal/display-width.ts';

export interface Cell {
  readonly text: string;
  readonly color?: (text: string) => string;
}

const gap = 2;
const narrowest = 8;

/** @param yielding index of the column that is cut first. */
export function showTable(rows: readonly (readonly Cell[])[], columns: number, yielding: number): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach(({ text }, i) => {
      widths[i] = Math.max(widths[i] ?? 0, displayWidth(text));
    });
  }
  const total = widths.reduce((sum, width) => sum + width, 0) + gap * (widths.length - 1);
  const excess = total - columns;
  if (excess > 0) widths[yielding] = Math.max(narrowest, widths[yielding]! - excess);
  return rows.map((row) => `${showRow(row, widths, columns)}\n`).join('');
}

function showRow(row: readonly Cell[], widths: readonly number[], columns: number): string {
  let left = columns;
  let line = '';
  let owed = '';
  row.forEach(({ text, color }, i) => {
    const shown = cutToWidth(text, Math.min(widths[i]!, left - owed.length));
    if (shown !== '') {
      line += owed + (color ? color(shown) : shown);
      left -= owed.length + displayWidth(shown);
      owed = '';
    }
    owed += padToWidth('', widths[i]! - displayWidth(shown) + gap);
  });
  return line;
}
