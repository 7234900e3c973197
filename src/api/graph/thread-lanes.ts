// Gives a link that passes rows a lane in each of them, so that it goes between boxes and not through them. Links of one
// kind from one box share their lanes: they leave it as one line and part where they have to.
import type { Link } from './rank-rows.ts';

/** A place in a row: of a box, or of the links that pass. */
export interface Slot {
  /** -1 for a lane. */
  readonly box: number;
  readonly row: number;
  readonly up: Slot[];
  readonly down: Slot[];
  /** Its place among the others of its row. */
  order: number;
  /** The middle. */
  x: number;
}

export interface Threads {
  readonly rows: Slot[][];
  readonly ofBox: readonly Slot[];
  /** By link: the slots from its first to its last box, from the top; empty when both are in one row. */
  readonly ways: readonly (readonly Slot[])[];
}

/** Beyond that many lanes they would take more room than they save. */
const mostLanes = 6_000;

export function threadLanes(boxRows: readonly (readonly number[])[], links: readonly KindredLink[]): Threads {
  const ofBox: Slot[] = [];
  const rows = boxRows.map((row, r) =>
    row.map((box) => {
      const slot = newSlot(box, r);
      ofBox[box] = slot;
      return slot;
    }),
  );
  const shared = new Map<string, Slot>();
  let lanes = 0;
  const ways = links.map(({ from, to, kind }) => {
    const [upper, lower] = ofBox[from]!.row <= ofBox[to]!.row ? [from, to] : [to, from];
    const start = ofBox[upper]!;
    const end = ofBox[lower]!;
    if (start.row === end.row) return [];
    const way = [start];
    for (let r = start.row + 1; r < end.row && lanes < mostLanes; r++) {
      const key = `${upper} ${kind} ${upper === from} ${r}`;
      let lane = shared.get(key);
      if (!lane) {
        lane = newSlot(-1, r);
        shared.set(key, lane);
        rows[r]!.push(lane);
        join(way.at(-1)!, lane);
        lanes++;
      }
      way.push(lane);
    }
    way.push(end);
    if (way.length === end.row - start.row + 1) join(way.at(-2)!, end);
    return way;
  });
  for (const row of rows) {
    row.forEach((slot, i) => {
      slot.order = i;
    });
  }
  return { rows, ofBox, ways };
}

export interface KindredLink extends Link {
  readonly kind: string;
}

const newSlot = (box: number, row: number): Slot => ({ box, row, up: [], down: [], order: 0, x: 0 });

function join(upper: Slot, lower: Slot): void {
  upper.down.push(lower);
  lower.up.push(upper);
}
