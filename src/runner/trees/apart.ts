// What is never part of anybody's work in a tree: what belongs to Signalbox, wherever a plan puts it.
import { relative, sep } from 'node:path';
import type { Isolation } from '../../core/model/event.ts';
import type { Ground } from '../attempts/ground.ts';

/** By the path from the top of the tree. */
export function isApartIn(
  { prefix }: Isolation,
  { root, outputsFolder }: Pick<Ground, 'root' | 'outputsFolder'>,
): (path: Buffer) => boolean {
  const outputs = relative(root, outputsFolder).split(sep).join('/');
  const folders = ['.signalbox', outputs].map((folder) =>
    Buffer.from(`${prefix === '' ? '' : `${prefix}/`}${folder}/`),
  );
  return (path) => folders.some((folder) => path.subarray(0, folder.length).equals(folder));
}
