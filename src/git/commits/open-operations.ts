// Operations of git that were begun in a tree and not ended, by the file or folder that each leaves.
import { lstatSync } from 'node:fs';
import { resolve } from 'node:path';
import type { GitCaller } from '../git-caller.ts';

const operations = {
  'rebase-merge': 'a rebase',
  'rebase-apply': 'a rebase',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  REVERT_HEAD: 'a revert',
  BISECT_LOG: 'a bisection',
  MERGE_HEAD: 'a merge',
} as const;

export type OpenOperation = (typeof operations)[keyof typeof operations];

export async function openOperations(repository: GitCaller, folder: string): Promise<OpenOperation[]> {
  const names = Object.keys(operations) as (keyof typeof operations)[];
  const args = ['rev-parse', ...names.flatMap((name) => ['--git-path', name])];
  const paths = (await repository.line({ args }, folder)).split('\n');
  const begun = names.filter((_, i) => lstatSync(resolve(folder, paths[i]!), { throwIfNoEntry: false }));
  return [...new Set(begun.map((name) => operations[name]))];
}
