// Paths that are one and the same on a disk that does not tell cases apart.

const mostPairs = 10;

/** Files and their folders; some pairs are enough to say. */
export function clashesIn(paths: readonly Buffer[]): (readonly [string, string])[] {
  const seen = new Map<string, string>();
  const pairs: [string, string][] = [];
  for (const bytes of paths) {
    const path = nameOf(bytes);
    for (let end = path.indexOf('/'); ; end = path.indexOf('/', end + 1)) {
      const part = end === -1 ? path : path.slice(0, end);
      const folded = part.normalize('NFC').toLowerCase();
      const other = seen.get(folded);
      if (other === undefined) seen.set(folded, part);
      else if (other !== part) {
        pairs.push([other, part]);
        if (pairs.length === mostPairs) return pairs;
        break; // what is below it clashes by this
      }
      if (end === -1) break;
    }
  }
  return pairs;
}

/** Bytes that are no text keep what makes them different. */
function nameOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}
