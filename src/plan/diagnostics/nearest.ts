// "Did you mean": the nearest of the known words, if one is near enough to be meant. The work of one file is bounded, so
// that a thousand unknown ids in a plan of a hundred thousand cannot take minutes.

/** What one file may spend on comparing, in cells of the distance table: about a quarter of a second. */
export interface Patience {
  left: number;
}

export const patience = (): Patience => ({ left: 8_000_000 });

/** The known word within a few typing mistakes of this one. */
export function nearest(word: string, known: Iterable<string>, spent: Patience = patience()): string | undefined {
  if (word.length > 100) return undefined;
  const lower = word.toLowerCase();
  let best: string | undefined;
  let least = slips(word.length) + 1;
  for (const candidate of known) {
    if (--spent.left < 0) break;
    if (Math.abs(candidate.length - word.length) >= least) continue;
    spent.left -= candidate.length * word.length;
    const distance = editDistance(lower, candidate.toLowerCase(), least);
    if (distance < least) {
      least = distance;
      best = candidate;
      if (least === 0) break;
    }
  }
  return best;
}

/** How many typing mistakes a word of this length is forgiven. */
function slips(length: number): number {
  if (length <= 1) return 0;
  if (length <= 4) return 1;
  return length <= 8 ? 2 : 3;
}

/** Insertions, deletions, replacements and swaps of neighbours; `limit` or more is only "too far". */
export function editDistance(a: string, b: string, limit: number): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let smallest = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, before[j - 2]! + 1);
      row.push(cost);
      if (cost < smallest) smallest = cost;
    }
    if (smallest >= limit) return limit;
    before = above;
    above = row;
  }
  return Math.min(above[b.length]!, limit);
}
