// What an agent is told about the files around it: whose they are, and where it may write. Pure text.
import type { Task } from '../../core/model/plan.ts';
import { joined } from './markdown.ts';
import { type OwnTree, treeInWords } from './own-tree.ts';

export interface AroundFiles {
  readonly task: Task;
  /** Its hooks take the locks of what it edits. */
  readonly isGoverned?: boolean;
  readonly tree?: OwnTree;
}

export function filesInWords({ task, isGoverned = false, tree }: AroundFiles): string {
  const { files = [], reads = [], locks = [], produces } = task.keys;
  const held = [...files, ...locks];
  if (tree) return treeInWords(tree, held, reads);
  if (produces === 'text' && held.length + reads.length === 0) return '';
  return joined([
    '## Files',
    'Others work in this folder at the same time. Write only to files that you have locked.',
    held.length === 0 ? '' : `You hold these until you end: ${held.join(', ')}.`,
    reads.length === 0 ? '' : `Nobody writes to these while you work, and neither do you: ${reads.join(', ')}.`,
    isGoverned
      ? 'Your edits lock their files by themselves. An edit that is denied because another has the file: do something else, and make it again later.'
      : '',
    `Before ${isGoverned ? 'a shell command writes' : 'you write'} to ${held.length === 0 ? 'a' : 'any other'} file: \`signalbox lock wait PATH\`. If that is refused (exit code 1: another has it; 5: you would wait for each other), leave the file alone, do what you can without it, and say at your end what is left.`,
  ]);
}
