// Whether two locks overlap: whether both claim some path. Exact, except that `looksLikeFile` guesses whether a name is a file or a
// folder. Patterns come from people and agents, so nothing is recursive, and no work grows faster than the product of both lengths.
//
//   src     and src/a.ts     yes: a folder with one of its files        src/*   and src/b/c.ts   no: a star stays in its segment
//   src     and src/**       yes                                        a/**/z  and a/z          yes: ** may be nothing
//   *.ts    and a*           yes: a.ts                                  db:test and db:test      yes: names are compared literally
import { anyDepth, type Claim, type NameSegment } from './claim.ts';
import type { Resource } from './resource.ts';
import { ANY, type Sign, STAR } from './signs.ts';

export function overlaps(a: Resource, b: Resource): boolean {
  if (a.kind === 'named' || b.kind === 'named') return a.kind === b.kind && a.key === b.key;
  return a.claims.some((one) => b.claims.some((other) => claimsOverlap(one, other)));
}

export function claimsOverlap(a: Claim, b: Claim): boolean {
  const shared = Math.min(a.literal.length, b.literal.length);
  for (let i = 0; i < shared; i++) if (a.literal[i] !== b.literal[i]) return false;
  // One lies below the other.
  if (a.wild.length === 0 && a.literal.length === shared) return true;
  if (b.wild.length === 0 && b.literal.length === shared) return true;
  return meet<NameSegment, typeof anyDepth>(a.segments, b.segments, anyDepth, segmentsMeet);
}

function segmentsMeet(a: NameSegment, b: NameSegment): boolean {
  if (a.name !== null && b.name !== null) return a.name === b.name;
  if (a.name !== null) return isNamed(a.signs, b.signs);
  if (b.name !== null) return isNamed(b.signs, a.signs);
  return meet(a.signs, b.signs, STAR, signsMeet);
}

/** The common case, which needs no table: on a mismatch only the last star takes one more. */
function isNamed(name: Int32Array, pattern: Int32Array): boolean {
  let [at, next, star, taken] = [0, 0, -1, 0];
  while (at < name.length) {
    if (pattern[next] === STAR) {
      star = next++;
      taken = at;
    } else if (pattern[next] === name[at] || pattern[next] === ANY) {
      next++;
      at++;
    } else if (star >= 0) {
      next = star + 1;
      at = ++taken;
    } else {
      return false;
    }
  }
  while (pattern[next] === STAR) next++;
  return next === pattern.length;
}

const signsMeet = (a: Sign, b: Sign) => a === b || a === ANY || b === ANY;

/**
 * Whether some sequence fits both patterns, where `star` stands for any number of elements. Fixed elements are compared from both ends.
 * The rest is a table: a cell says whether the remainders from there on have a sequence in common.
 */
function meet<T, S>(a: ArrayLike<T | S>, b: ArrayLike<T | S>, star: S, agree: (a: T, b: T) => boolean): boolean {
  let start = 0;
  let [endA, endB] = [a.length, b.length];
  while (start < endA && start < endB && a[start] !== star && b[start] !== star) {
    if (!agree(a[start] as T, b[start] as T)) return false;
    start++;
  }
  while (start < endA && start < endB && a[endA - 1] !== star && b[endB - 1] !== star) {
    if (!agree(a[--endA] as T, b[--endB] as T)) return false;
  }
  const width = endB - start;
  let below = new Uint8Array(width + 1);
  for (let i = endA; i >= start; i--) {
    const row = new Uint8Array(width + 1);
    for (let j = width; j >= 0; j--) {
      const isStarA = i < endA && a[i] === star;
      const isStarB = j < width && b[start + j] === star;
      let can: boolean;
      // A star takes nothing, or any one element of the other.
      if (isStarA || isStarB) can = (i < endA && below[j] === 1) || (j < width && row[j + 1] === 1);
      else if (i === endA || j === width) can = i === endA && j === width;
      else can = below[j + 1] === 1 && agree(a[i] as T, b[start + j] as T);
      row[j] = can ? 1 : 0;
    }
    below = row;
  }
  return below[0] === 1;
}
