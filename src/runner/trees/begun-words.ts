// What a person reads when something else was in the tree of an attempt than what the attempt before it had left.
import { commandLine } from '../../core/model/command-line.ts';
import { listWords } from '../../core/model/count-words.ts';
import type { BegunTree } from './attempt-tree.ts';

/** @param attempt that begins there */
export function begunInWords({ movedTo, byHand, keptOn }: BegunTree, attempt: string, folder: string): string[] {
  const words: string[] = [];
  if (movedTo !== null)
    words.push(`${folder} is no tree any more that git can work in. Its files are kept in ${movedTo}.`);
  if (byHand.length > 0)
    words.push(`${attempt} begins with what was changed by hand in its tree: ${listWords(byHand)}`);
  if (keptOn !== null) words.push(keptInWords(folder, keptOn));
  return words;
}

export function keptInWords(folder: string, branch: string): string {
  const id = branch.replace(/^signalbox-attempts\//, '');
  return `${folder} had changes that nobody has committed. They are kept on ${branch}: ${commandLine('saved', 'show', id)}`;
}
