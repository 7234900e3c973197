// Which files an attempt in a tree of its own may edit. Beyond its tree it may write where nobody works: temporary folders, and the folder in
// which its program keeps notes. Other checkouts of the repository are denied also where they lie in a temporary folder.
import { isAbsolute, join, relative, resolve } from 'node:path';
import { workspaceOfTree } from '../../git/trees/tree-marker.ts';
import { realPath } from '../files/real-path.ts';
import { contains, type Workspace } from '../workspace.ts';

export interface TreeBounds {
  /** SIGNALBOX_TREE: the workspace's place in the tree. */
  readonly tree: string;
  /** Of the run: the workspace inside of each tree. */
  readonly prefix: string;
  /** Of the run: where its trees lie. */
  readonly trees: string;
  readonly workspace: Pick<Workspace, 'root' | 'stateFolder' | 'userFolder'>;
  /** Where its program keeps notes of its own. */
  readonly homes: readonly string[];
  /** As the environment names it. */
  readonly temporary: string | undefined;
}

/** Why the edit is denied, in words for the agent; null: it may pass. @param cwd of the call */
export function leavesTree(paths: readonly string[], cwd: string, bounds: TreeBounds): string | null {
  const from = isAbsolute(cwd) ? cwd : bounds.tree;
  for (const asked of paths) {
    const full = resolve(from, asked);
    const real = realPath(full);
    const because = refusedAt(real, bounds);
    if (because !== null) return `${real === full ? full : `${full} leads to ${real}, which`} ${because}`;
  }
  return null;
}

/** Goes on after the name of the file. */
function refusedAt(path: string, { tree, prefix, trees, workspace, homes, temporary }: TreeBounds): string | null {
  const own = topOf(realPath(tree), prefix);
  const isGits = (top: string): boolean => contains(join(top, '.git'), path);
  const gits = 'belongs to git. Use its commands, and only for your own tree and branch.';
  if (contains(own, path)) return isGits(own) ? gits : null;
  const { root, stateFolder, userFolder } = workspace;
  const ours = [stateFolder, ...(userFolder === null ? [] : [userFolder])].map(realPath);
  const checkout = workspaceOfTree(path)?.tree ?? topOf(realPath(root), prefix);
  if (contains(checkout, path) && !contains(ours[0]!, path)) {
    if (isGits(checkout)) return gits;
    return `is in another checkout, where others work. Your tree is ${own}: write to ${join(own, relative(checkout, path))} instead.`;
  }
  if ([...ours, realPath(trees)].some((folder) => contains(folder, path)))
    return 'belongs to Signalbox. Use its commands: signalbox --help.';
  const open = [...temporaryFolders, ...homes, ...(temporary ? [temporary] : [])];
  if (open.some((folder) => isAbsolute(folder) && contains(realPath(folder), path))) return null;
  return `is outside of your tree. Write below ${own}; what is only temporary can lie in ${temporary || temporaryFolders[0]}.`;
}

const temporaryFolders = ['/tmp', '/var/tmp'];

/** @param place of the workspace inside of a checkout */
const topOf = (place: string, prefix: string): string =>
  prefix === '' ? place : resolve(place, ...prefix.split('/').map(() => '..'));
