// What differs between two commits or trees, path by path, as git stores it.
import type { GitCaller } from '../git-caller.ts';

export interface ChangedEntry {
  readonly path: Buffer;
  /** Renamed from there. */
  readonly from: Buffer | null;
  readonly before: Version;
  readonly after: Version;
}

/** In octal, and the name of the object. A mode of only zeros: there is none. */
export interface Version {
  readonly mode: string;
  readonly object: string;
}

export const isAbsent = ({ mode }: Version): boolean => mode === '000000';
export const isSame = (a: Version, b: Version): boolean => a.mode === b.mode && a.object === b.object;

/** @param how beside the form: such as `diff-tree -M` and what is compared */
export async function changedEntries(
  repository: GitCaller,
  how: readonly string[],
  { cwd, variables = {} }: { readonly cwd?: string; readonly variables?: Readonly<Record<string, string>> } = {},
): Promise<ChangedEntry[]> {
  const [command, ...rest] = how as [string, ...string[]];
  const args = [command, '-z', '--raw', '--no-abbrev', ...rest];
  return readRaw(await repository.names({ args, variables }, cwd));
}

/** The fields of `--raw -z`: a head and a path, or two where it was renamed. */
function readRaw(fields: readonly Buffer[]): ChangedEntry[] {
  const entries: ChangedEntry[] = [];
  for (let i = 0; i < fields.length; ) {
    const [modeBefore, mode, objectBefore, object, what] = fields[i++]!.toString('latin1').slice(1).split(' ');
    const isMoved = /^[RC]/.test(what!);
    const from = isMoved ? fields[i++]! : null;
    entries.push({
      path: fields[i++]!,
      from,
      before: { mode: modeBefore!, object: objectBefore! },
      after: { mode: mode!, object: object! },
    });
  }
  return entries;
}
