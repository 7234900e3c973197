// Paths of the workspace as keys and manifests have them: names from its root on, separated by slashes.
import { planOutputsFolder } from '../../core/model/defaults.ts';

/** A manifest lies where agents can write: what it names is looked at before it is used. */
export function isTreePath(path: unknown): path is string {
  if (typeof path !== 'string' || path === '' || path.includes('\0')) return false;
  return path.split('/').every((name) => name !== '' && name !== '.' && name !== '..') && !isNeverKept(path);
}

/** What belongs to git, to Signalbox or to a package manager is in no image, and so never saved or put back. */
export function isNeverKept(path: string): boolean {
  const names = path.split('/');
  if (names.some((name) => apart.has(name))) return true;
  return [planOutputsFolder, outputs].some((folder) => `${path}/`.startsWith(`${folder}/`));
}

let outputs: string = planOutputsFolder;

/** The settings may have the plan outputs elsewhere. A process works in one workspace at a time, so it need not be handed through every call. */
export const neverKeep = (folder: string): void => {
  outputs = folder;
};

const apart = new Set(['.git', '.signalbox', 'node_modules']);

/** The folders around it, the outermost first. */
export function foldersAround(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_, i) => names.slice(0, i + 1).join('/'));
}
