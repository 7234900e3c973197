// Where the slots of each row stand from left to right: near the middle of those they are joined to, in their order and with
// room between them. Every row is the exact least-squares answer to its own wishes (isotonic regression).
import { type Box, boxGap } from './rank-rows.ts';
import type { Slot } from './thread-lanes.ts';

const laneWidth = 6;
const laneGap = 14;
const passes = 10;

export function spreadRows(rows: readonly (readonly Slot[])[], boxes: readonly Box[]): void {
  const widthOf = ({ box }: Slot) => (box < 0 ? laneWidth : boxes[box]!.width);
  const distances = rows.map((row) =>
    row.map((slot, i) => {
      const before = row[i - 1];
      if (!before) return 0;
      const gap = before.box < 0 || slot.box < 0 ? laneGap : boxGap;
      return (widthOf(before) + widthOf(slot)) / 2 + gap;
    }),
  );
  const spans = rows.map((row, r) => ({
    /** From the left edge of the row to the middle of its first slot, and from the middle of its last one to the right. */
    left: widthOf(row[0]!) / 2,
    right: widthOf(row.at(-1)!) / 2,
    between: distances[r]!.reduce((sum, distance) => sum + distance, 0),
  }));
  const width = (span: Span) => span.left + span.between + span.right;
  rows.forEach((row, r) => {
    let x = spans[r]!.left - width(spans[r]!) / 2;
    row.forEach((slot, i) => {
      x += distances[r]![i]!;
      slot.x = x;
    });
  });
  const half = spans.reduce((most, span) => Math.max(most, width(span)), 0) * 0.55;
  for (let pass = 0; pass < passes; pass++) {
    const last = pass >= passes - 2;
    const order = pass % 2 === 0 ? rows.map((_, i) => i) : rows.map((_, i) => rows.length - 1 - i);
    for (const r of order) {
      const wished = rows[r]!.map((slot) => wish(slot, last ? [slot.up, slot.down] : [pass % 2 ? slot.down : slot.up]));
      settle(rows[r]!, within(wished, distances[r]!, spans[r]!, half), distances[r]!);
    }
  }
}

interface Span {
  readonly left: number;
  readonly right: number;
  readonly between: number;
}

interface Wish {
  readonly x: number;
  readonly weight: number;
}

/** Lanes want to be straight more than boxes want to be in the middle. */
function wish(slot: Slot, sides: readonly (readonly Slot[])[]): Wish {
  let sum = 0;
  let weight = 0;
  for (const other of sides.flat()) {
    const pull = slot.box < 0 && other.box < 0 ? 8 : slot.box < 0 || other.box < 0 ? 2 : 1;
    sum += other.x * pull;
    weight += pull;
  }
  return weight === 0 ? { x: slot.x, weight: 0.2 } : { x: sum / weight, weight };
}

/** No row leaves the width of the widest one: a long plan would wander off to the side. */
function within(wished: readonly Wish[], distance: readonly number[], span: Span, half: number): Wish[] {
  let before = 0;
  return wished.map(({ x, weight }, i) => {
    before += distance[i]!;
    const least = span.left + before - half;
    const most = half - span.right - (span.between - before);
    return { x: Math.min(Math.max(x, least), most), weight };
  });
}

/** Neighbours that would come too near to each other are merged into one block, which stands at the mean of their wishes. */
function settle(row: readonly Slot[], wished: readonly Wish[], distance: readonly number[]): void {
  const blocks: { sum: number; weight: number; count: number }[] = [];
  let offset = 0;
  const offsets = distance.map((d) => {
    offset += d;
    return offset;
  });
  wished.forEach(({ x, weight }, i) => {
    let block = { sum: (x - offsets[i]!) * weight, weight, count: 1 };
    for (let last = blocks.at(-1); last && last.sum / last.weight > block.sum / block.weight; last = blocks.at(-1)) {
      block = { sum: last.sum + block.sum, weight: last.weight + block.weight, count: last.count + block.count };
      blocks.pop();
    }
    blocks.push(block);
  });
  let i = 0;
  for (const { sum, weight, count } of blocks) {
    for (let n = 0; n < count; n++, i++) row[i]!.x = sum / weight + offsets[i]!;
  }
}
