// A file as text to be compared by lines, or why it cannot be.
import { type PathLike, readFileSync } from 'node:fs';
import { statsOf, symlinkAround, targetOf } from '../file-state.ts';
import { onDisk, shownName } from './disk-name.ts';
import { codeOf } from './file-outage.ts';

export type FileText = { readonly text: string } | { readonly without: 'binary' | 'large' | 'unreadable' };

/** Larger texts are only told by their size. */
const largestText = 1024 * 1024;

/** What is not there, or no file, is compared as if it were empty; so is what lies behind a symlink. */
export const textInTree = (root: string, path: string): FileText =>
  symlinkAround(root, path) === null ? textOf(onDisk(root, path)) : { text: '' };

export function textOf(file: PathLike): FileText {
  const stats = statsOf(file);
  if (stats?.isSymbolicLink()) return { text: `symlink to ${shownName(targetOf(file))}\n` };
  if (!stats?.isFile()) return { text: '' };
  if (stats.size > largestText) return { without: 'large' };
  try {
    const bytes = readFileSync(file);
    if (bytes.includes(0)) return { without: 'binary' };
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (error) {
    if (/^E(NOENT|NOTDIR)$/.test(codeOf(error))) return { text: '' };
    if (/^E(ACCES|PERM)$/.test(codeOf(error))) return { without: 'unreadable' };
    if (error instanceof TypeError) return { without: 'binary' };
    throw error;
  }
}
