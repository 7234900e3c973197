// The files of an edit as hooks ask for their locks: where links lead, and only those that others share.
import { isAbsolute, resolve } from 'node:path';
import { realPath } from '../files/real-path.ts';
import { contains, type Workspace } from '../workspace.ts';

/** A string: why nobody may edit them. A list: the resources to lock; empty if all lie outside of the workspace. */
export function editedFiles(
  paths: readonly string[],
  cwd: string,
  { root, stateFolder }: Pick<Workspace, 'root' | 'stateFolder'>,
): string | string[] {
  const from = isAbsolute(cwd) ? cwd : root;
  const real = paths.map((path) => realPath(resolve(from, path)));
  if (real.some((path) => contains(realPath(stateFolder), path)))
    return 'What lies in .signalbox belongs to Signalbox. Use its commands: signalbox --help.';
  return real.filter((path) => contains(realPath(root), path)).map(literal);
}

/** A file may be called like a pattern. */
const literal = (path: string): string => path.replace(/[\\*?{}]/g, '\\$&');
