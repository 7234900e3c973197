// What is never part of anybody's work in a tree: what belongs to Signalbox, wherever a plan puts it.
import { relative, sep } from 'node:path';
import type { Isolation } from '../../core/model/run-event.ts';
import { setApart } from '../../git/ground/set-apart.ts';
import type { Ground } from '../attempts/ground.ts';

/** By the path from the top of the tree. */
export function isApartIn(
  { prefix }: Isolation,
  { root, outputsFolder }: Pick<Ground, 'root' | 'outputsFolder'>,
): (path: Buffer) => boolean {
  const outputs = relative(root, outputsFolder).split(sep).join('/');
  return setApart(prefix, ['.signalbox', outputs]);
}
