// What an attempt in a tree of its own says it wrote to the person's checkout: no work of the person, and an incident of its own.
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { listWords } from '../../core/model/count-words.ts';
import type { FoundIncident } from '../../git/ground/compare-fingerprints.ts';

/**
 * From the top of the checkout.
 * @param writes as its stream spells them; what is not absolute lies in its tree
 * @param isApart what belongs to Signalbox, and is nobody's
 */
export function ownWrites(writes: readonly string[], top: string, isApart: (path: Buffer) => boolean): string[] {
  const real = realOf(top);
  const found = writes.filter(isAbsolute).map((file) => relative(real, join(realOf(dirname(file)), basename(file))));
  return [...new Set(found)].filter(
    (path) => path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isApart(Buffer.from(path)),
  );
}

export const wroteThere = (paths: readonly string[]): FoundIncident[] =>
  paths.length === 0
    ? []
    : [{ kind: 'wrote', what: `it wrote to files in your checkout: ${listWords(paths)}`, texts: [] }];

function realOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder; // it is gone
  }
}
