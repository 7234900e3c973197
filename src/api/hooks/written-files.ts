// The files of the workspace that were written since a time of the file system, as the lock table names them.
import { statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { isLitter } from '../../agents/kind.ts';
import { baseEnvironment } from '../../agents/process/base-environment.ts';
import type { WrittenFile } from '../../core/rules/write-findings.ts';
import { nameOf, onDisk, shownName } from '../../files/disk/disk-name.ts';
import { isNeverKept, neverKeep } from '../../files/disk/tree-path.ts';
import { walkWorkspace } from '../../files/walk-workspace.ts';
import { changedFiles } from '../../git/snapshots/their-repository.ts';
import { parseResource } from '../../locks/resource.ts';
import { lockKey } from '../locks/lock-key.ts';
import type { Workspace } from '../workspace.ts';

const mostWalked = 50_000;

/** What is ignored is nobody's. A file that is gone counts if something in its folder has come or gone. */
export async function writtenSince(
  { root, outputsFolder }: Pick<Workspace, 'root' | 'outputsFolder'>,
  env: Readonly<Record<string, string | undefined>>,
  since: number,
): Promise<WrittenFile[]> {
  neverKeep(relative(root, outputsFolder).split(sep).join('/'));
  const names = await changedFiles({ root, environment: baseEnvironment(env) });
  const paths = names === null ? await everyFile(root) : names.map(nameOf);
  return paths
    .filter((path) => !isNeverKept(path) && !isLitter(path))
    .filter((path) => {
      const stats = statSync(onDisk(root, path), { throwIfNoEntry: false });
      const at = (stats ?? statSync(join(root, dirname(path)), { throwIfNoEntry: false }))?.ctimeMs;
      return at !== undefined && at >= since;
    })
    .flatMap((path) => keyOf(root, path) ?? []);
}

/** Null: a link leads out of the workspace. */
function keyOf(root: string, path: string): WrittenFile | null {
  try {
    return { path: shownName(path), key: lockKey(join(root, path).replace(/[\\*?{}]/g, '\\$&'), { root, cwd: root }) };
  } catch {
    return null;
  }
}

async function everyFile(root: string): Promise<string[]> {
  const all = parseResource('**');
  if (!all.ok || all.resource.kind === 'named') return [];
  return [...(await walkWorkspace(root, [all.resource], mostWalked)).files.keys()];
}
