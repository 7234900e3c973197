// The order of dotted version numbers: of the SQLite engine, and of the programs that may write to a database.

/** Negative when `a` is older. A pre-release (`1.0.0-beta.1`) is older than its release. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)];
  for (let i = 0; i < Math.max(left.numbers.length, right.numbers.length); i++) {
    const difference = (left.numbers[i] ?? 0) - (right.numbers[i] ?? 0);
    if (difference !== 0) return difference;
  }
  if (left.preRelease === right.preRelease) return 0;
  if (left.preRelease === '') return 1;
  if (right.preRelease === '') return -1;
  return left.preRelease.localeCompare(right.preRelease, 'en', { numeric: true });
}

function parse(version: string): { readonly numbers: readonly number[]; readonly preRelease: string } {
  const [, numbers = '', preRelease = ''] = /^v?([\d.]*)(?:-([^+]*))?/.exec(version) ?? [];
  return { numbers: numbers.split('.').map(Number), preRelease };
}
