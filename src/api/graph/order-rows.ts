// The order inside the rows that lets few links cross: every slot moves to the middle of those it is joined to, row by row
// down and up again, and the best order seen is kept.
import type { Slot } from './thread-lanes.ts';

const sweeps = 12;

export function orderRows(rows: Slot[][]): void {
  let least = crossings(rows);
  let best = rows.map((row) => [...row]);
  for (let sweep = 0; sweep < sweeps && least > 0; sweep++) {
    const down = sweep % 2 === 0;
    for (let i = 1; i < rows.length; i++) {
      sortRow(rows[down ? i : rows.length - 1 - i]!, down ? (slot) => slot.up : (slot) => slot.down);
    }
    const now = crossings(rows);
    if (now < least) {
      least = now;
      best = rows.map((row) => [...row]);
    }
  }
  best.forEach((row, r) => {
    rows[r] = row;
    number(row);
  });
}

/** A slot that is joined to nothing on that side stays where it is, and the others are sorted around it. */
function sortRow(row: Slot[], neighbours: (slot: Slot) => readonly Slot[]): void {
  const joined = row.filter((slot) => neighbours(slot).length > 0);
  const middle = new Map(joined.map((slot) => [slot, mean(neighbours(slot))]));
  joined.sort((a, b) => middle.get(a)! - middle.get(b)! || a.order - b.order);
  let next = 0;
  for (let i = 0; i < row.length; i++) if (neighbours(row[i]!).length > 0) row[i] = joined[next++]!;
  number(row);
}

const mean = (slots: readonly Slot[]) => slots.reduce((sum, { order }) => sum + order, 0) / slots.length;

function number(row: readonly Slot[]): void {
  row.forEach((slot, i) => {
    slot.order = i;
  });
}

/** Pairs of joins between neighbouring rows that cross, counted as inversions. */
function crossings(rows: readonly (readonly Slot[])[]): number {
  let count = 0;
  rows.forEach((row, r) => {
    const ends = row.flatMap((slot) => slot.down.map(({ order }) => order).sort((a, b) => a - b));
    const width = rows[r + 1]?.length ?? 0;
    const tree = new Int32Array(width + 1);
    ends.forEach((end, seen) => {
      let before = 0;
      for (let i = end + 1; i > 0; i -= i & -i) before += tree[i]!;
      count += seen - before;
      for (let i = end + 1; i <= width; i += i & -i) tree[i]!++;
    });
  });
  return count;
}
