// Sums (CRC-32) over what is written, to tell later whether it is still the same: a disk, or a person with a database editor, may change
// things that stay readable. The sums are no secret, and no protection against somebody who computes them again.
import type { EventRow } from '../event-row.ts';

/** Up to this length, summing by hand is faster than loading the library. */
const small = 4096;

export function crc32(bytes: Uint8Array, before = 0): number {
  if (bytes.length > small) return process.getBuiltinModule('node:zlib').crc32(bytes, before);
  table ??= makeTable();
  const sums = table;
  let sum = ~before;
  for (let i = 0; i < bytes.length; i++) sum = sums[(sum ^ bytes[i]!) & 0xff]! ^ (sum >>> 8);
  return ~sum >>> 0;
}

let table: Int32Array | null = null;

/** Each entry from two that are known: every command that writes something makes it. */
function makeTable(): Int32Array {
  const sums = new Int32Array(256);
  let sum = 1;
  for (let bit = 128; bit > 0; bit >>= 1) {
    sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
    for (let others = 0; others < 256; others += 2 * bit) sums[bit + others] = sum ^ sums[others]!;
  }
  return sums;
}

/** Of an event and, by the sum of the one before it, of all that were before. */
export function chainSum({ seq, at, plan, type, v, body }: EventRow, before: number): number {
  return crc32(Buffer.from(`${seq} ${at} ${plan} ${type} ${v} ${body}`), before);
}

/** The same text in SQL. */
export const chainText = "concat_ws(' ', seq, at, plan, type, v, body)";

/** Of one row of a snapshot. */
export function rowSum(cells: readonly (string | number)[]): number {
  let sum = 0;
  for (const cell of cells) {
    const bytes = Buffer.from(String(cell));
    sum = crc32(bytes, crc32(Buffer.from(`${bytes.length} `), sum));
  }
  return sum;
}
