// What differs between two commits or trees, file by file: numbers, modes, sizes of what is no text, and the lines.

import { type GitCaller, GitTrouble } from '../git-caller.ts';
import { type ChangedEntry, changedEntries, isAbsent, type Version } from './changed-entries.ts';

export interface FileChange {
  readonly path: Buffer;
  /** It was renamed from there. */
  readonly from: Buffer | null;
  readonly was: 'new' | 'changed' | 'deleted' | 'renamed';
  /** In octal, as git keeps it; null: there was none, or there is none. */
  readonly modeBefore: string | null;
  readonly mode: string | null;
  /** Lines; null: it is no text. */
  readonly added: number | null;
  readonly removed: number | null;
  /** Of what is no text; null for texts, and where there is nothing. */
  readonly bytesBefore: number | null;
  readonly bytes: number | null;
  /** In the unified form, from the first `@@` on; null: no lines differ, it is no text, or there was no room for it. */
  readonly lines: string | null;
}

export interface Comparison {
  /** Commits or trees, by their whole names. */
  readonly from: string;
  readonly to: string;
  /** By its path from the top of the tree. */
  readonly isApart: (path: Buffer) => boolean;
  readonly mostBytes: number;
  /** Where the objects are, if not all of them are in the repository. */
  readonly variables?: Readonly<Record<string, string>>;
}

const how = ['-r', '-M', '--no-color', '--no-ext-diff', '--no-textconv', '--full-index'];

/** `cut`: the lines of some files had no room. */
export async function commitDiff(
  repository: GitCaller,
  { from, to, isApart, mostBytes, variables = {} }: Comparison,
): Promise<{ readonly files: FileChange[]; readonly cut: boolean }> {
  const tree = ['diff-tree', ...how];
  const entries = await changedEntries(repository, [...tree, from, to], { variables });
  if (entries.length === 0) return { files: [], cut: false };
  const counts = readCounts(await repository.names({ args: [...tree, '-z', '--numstat', from, to], variables }));
  const patch = await repository.run({ args: [...tree, '-p', from, to], variables, mostBytes });
  const sections = splitPatch(patch.bytes.toString('utf8'), patch.cut);
  const all = entries.map((entry, i) => ({ entry, count: counts[i]!, lines: takeLines(sections, entry) }));
  if (counts.length !== entries.length || sections.length > 0)
    throw new GitTrouble('git does not say the same of the files twice');
  const seen = all.filter(({ entry: { path, from: old } }) => !isApart(path) || (old !== null && !isApart(old)));
  const binary = seen.filter(({ count }) => count === null).flatMap(({ entry }) => [entry.before, entry.after]);
  const sizes = await sizesOf(repository, binary, variables);
  const files = seen.map(({ entry, count, lines }): FileChange => {
    const sizeOf = (version: Version) => (count === null ? (sizes.get(version.object) ?? null) : null);
    return {
      ...{ path: entry.path, from: entry.from, was: whatBecame(entry) },
      ...{ modeBefore: modeOf(entry.before), mode: modeOf(entry.after) },
      ...{ added: count?.added ?? null, removed: count?.removed ?? null },
      ...{ bytesBefore: sizeOf(entry.before), bytes: sizeOf(entry.after) },
      lines: count === null ? null : lines,
    };
  });
  return { files, cut: patch.cut };
}

const modeOf = (version: Version): string | null => (isAbsent(version) ? null : version.mode);

function whatBecame({ before, after, from }: ChangedEntry): FileChange['was'] {
  if (from !== null) return 'renamed';
  if (isAbsent(before)) return 'new';
  return isAbsent(after) ? 'deleted' : 'changed';
}

/** `12\t3\tpath`, or with two paths behind an empty one; dashes where it is no text. */
function readCounts(fields: readonly Buffer[]): ({ added: number; removed: number } | null)[] {
  const counts: ({ added: number; removed: number } | null)[] = [];
  for (let i = 0; i < fields.length; i++) {
    const [added, removed, path] = fields[i]!.toString('latin1').split('\t');
    counts.push(added === '-' ? null : { added: Number(added), removed: Number(removed) });
    if (path === '') i += 2;
  }
  return counts;
}

/** No line of a file begins like the head of a section: each has a sign in front. Where there is no section for a file, it had no room. */
function splitPatch(text: string, isCut: boolean): (string | null)[] {
  const sections = text.split(/^(?=diff --git )/m).filter((one) => one.startsWith('diff --git '));
  // The last one may be half of itself.
  if (isCut) sections.pop();
  return sections.map((section) => /^@@ .*/ms.exec(section)?.[0] ?? null);
}

/** A file that became a symlink, or the other way round, has two sections: one went, another came. */
function takeLines(sections: (string | null)[], { before, after }: ChangedEntry): string | null {
  const isOther = !isAbsent(before) && !isAbsent(after) && before.mode.slice(0, 3) !== after.mode.slice(0, 3);
  const taken = sections.splice(0, isOther ? 2 : 1).filter((lines) => lines !== null);
  return taken.length === 0 ? null : taken.join('');
}

async function sizesOf(
  repository: GitCaller,
  versions: readonly Version[],
  variables: Readonly<Record<string, string>>,
): Promise<Map<string, number>> {
  // A submodule is no object of this repository.
  const objects = versions.filter((one) => !isAbsent(one) && one.mode !== '160000').map(({ object }) => object);
  if (objects.length === 0) return new Map();
  const args = ['cat-file', '--batch-check=%(objectname) %(objectsize)'];
  const input = Buffer.from(objects.map((object) => `${object}\n`).join(''));
  const lines = (await repository.line({ args, input, variables })).split('\n');
  return new Map(lines.map((line) => line.split(' ') as [string, string]).map(([name, size]) => [name, Number(size)]));
}
