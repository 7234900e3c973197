// A layered layout: boxes in rows, links in lanes between them. Pure geometry; it knows nothing of tasks.
import { orderRows } from './order-rows.ts';
import { type Box, rankRows } from './rank-rows.ts';
import { spreadRows } from './spread-rows.ts';
import { type KindredLink, threadLanes } from './thread-lanes.ts';

export interface Placement {
  readonly width: number;
  readonly height: number;
  /** By box: its upper left corner. */
  readonly corners: readonly Point[];
  /** By box: the lower end of its row. Lines go straight down to it, past higher boxes beside theirs. */
  readonly floors: readonly number[];
  readonly bands: readonly { readonly band: number; readonly top: number; readonly bottom: number }[];
  /** By link: where it passes rows, from the top. */
  readonly lanes: readonly (readonly Lane[])[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Lane {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Manner {
  /** No row of boxes gets wider, unless one box is. */
  readonly widest: number;
  /** Between bands, beside the usual gap. */
  readonly bandGap: number;
}

const linkedGap = 48;
const plainGap = 18;

export function placeBoxes(boxes: readonly Box[], links: readonly KindredLink[], manner: Manner): Placement {
  const boxRows = rankRows(boxes, links, manner.widest);
  const { rows, ofBox, ways } = threadLanes(boxRows, links);
  orderRows(rows);
  spreadRows(rows, boxes);
  const heights = boxRows.map((row) => row.reduce((height, i) => Math.max(height, boxes[i]!.height), 0));
  const bandOf = boxRows.map((row) => boxes[row[0]!]!.band);
  const tops: number[] = [];
  let y = 0;
  rows.forEach((row, r) => {
    if (r > 0) {
      const joined = row.some(({ up }) => up.length > 0);
      const crowd = Math.min(40, row.reduce((sum, { up }) => sum + up.length, 0) * 1.5);
      y += (joined ? linkedGap + crowd : plainGap) + (bandOf[r] === bandOf[r - 1] ? 0 : manner.bandGap);
    }
    tops.push(y);
    y += heights[r]!;
  });
  const slots = rows.flat();
  const half = (box: number) => (box < 0 ? 3 : boxes[box]!.width / 2);
  const left = slots.reduce((least, { x, box }) => Math.min(least, x - half(box)), Number.POSITIVE_INFINITY);
  const right = slots.reduce((most, { x, box }) => Math.max(most, x + half(box)), Number.NEGATIVE_INFINITY);
  return {
    width: slots.length === 0 ? 0 : right - left,
    height: y,
    corners: boxes.map(({ width }, i) => ({ x: ofBox[i]!.x - width / 2 - left, y: tops[ofBox[i]!.row]! })),
    floors: boxes.map((_, i) => tops[ofBox[i]!.row]! + heights[ofBox[i]!.row]!),
    bands: bandsOf(bandOf, tops, heights),
    lanes: ways.map((way) =>
      way
        .filter(({ box }) => box < 0)
        .map(({ x, row }) => ({ x: x - left, top: tops[row]!, bottom: tops[row]! + heights[row]! })),
    ),
  };
}

function bandsOf(bandOf: readonly number[], tops: readonly number[], heights: readonly number[]): Placement['bands'] {
  const bands: { band: number; top: number; bottom: number }[] = [];
  bandOf.forEach((band, r) => {
    const bottom = tops[r]! + heights[r]!;
    if (bands.at(-1)?.band === band) bands.at(-1)!.bottom = bottom;
    else bands.push({ band, top: tops[r]!, bottom });
  });
  return bands;
}
