// Whether a lock covers one file, for callers that have a list of files. Exact, unlike the comparison of two keys: nothing about the path
// is guessed, and a pattern covers only what it matches.
//
//   src      covers src/a/b.ts      src/*   covers src/a.ts and not src/a/b.ts      src/**  covers src too: ** may be nothing
import { anyDepth, type Claim, type NameSegment } from './claim.ts';
import type { Resource } from './resource.ts';
import { ANY, STAR } from './signs.ts';

/** `path` is plain: names from the root of the workspace, separated by slashes. */
export function covers(resource: Resource, path: string): boolean {
  if (resource.kind === 'named') return false;
  const names = path.split('/');
  return resource.claims.some((claim) => claimCovers(claim, names));
}

function claimCovers(claim: Claim, names: readonly string[]): boolean {
  if (!claim.literal.every((name, i) => name === names[i])) return false;
  return (
    claim.wild.length === 0 || fits<string, NameSegment, typeof anyDepth>(names, claim.segments, anyDepth, isNamed)
  );
}

function isNamed(name: string, segment: NameSegment): boolean {
  if (segment.name !== null) return segment.name === name;
  const points = Array.from(name, (c) => c.codePointAt(0)!);
  return fits(points, segment.signs, STAR, (point, sign) => sign === ANY || sign === point);
}

/** On a mismatch only the last star takes one more, so no choice is tried twice. */
function fits<T, P, S>(
  items: readonly T[],
  pattern: ArrayLike<P | S>,
  star: S,
  agree: (item: T, element: P) => boolean,
): boolean {
  let [at, next, lastStar, taken] = [0, 0, -1, 0];
  while (at < items.length) {
    if (next < pattern.length && pattern[next] === star) {
      lastStar = next++;
      taken = at;
    } else if (next < pattern.length && agree(items[at]!, pattern[next] as P)) {
      next++;
      at++;
    } else if (lastStar >= 0) {
      next = lastStar + 1;
      at = ++taken;
    } else {
      return false;
    }
  }
  while (next < pattern.length && pattern[next] === star) next++;
  return next === pattern.length;
}
