// Statuses as bytes: a column of 10,000 of them is made, kept and searched as a whole.
import type { Status } from './state.ts';

/** To be added to at the end only, as it is kept like this. */
export const statuses: readonly Status[] = [
  'pending',
  'in_progress',
  'completed',
  'failed',
  'blocked',
  'suspended',
  'skipped',
];

/** What groups, and whatever else is not counted, have. */
export const uncounted = 0;

export const codeOf = Object.fromEntries(statuses.map((status, i) => [status, i + 1])) as Readonly<
  Record<Status, number>
>;

export const statusAt = (code: number): Status | null => statuses[code - 1] ?? null;

/** Where the column has this byte. */
export function placesOf(column: Uint8Array, byte: number): number[] {
  const places: number[] = [];
  for (let at = column.indexOf(byte); at !== -1; at = column.indexOf(byte, at + 1)) places.push(at);
  return places;
}
