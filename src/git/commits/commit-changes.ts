// What a person has not committed yet becomes a commit that no branch knows. Their index, tree and branch stay as they are: a copy of the
// index is filled instead.
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LeftFile } from '../../core/model/failure.ts';
import { GitCaller, GitTrouble } from '../git-caller.ts';
import { changedPaths, commitTree, unmergedFiles } from './commit-work.ts';

export interface UncommittedChanges {
  /** The top of the person's tree. */
  readonly top: string;
  readonly head: string;
  readonly message: string;
  readonly isApart: (path: Buffer) => boolean;
}

export interface CommittedChanges {
  /** `head` itself when nothing was changed. */
  readonly commit: string;
  /** What was left out, with the reason. */
  readonly left: readonly LeftFile[];
}

/** @throws GitTrouble when the changes cannot be told, as in the middle of a merge */
export async function commitChanges(
  { place }: GitCaller,
  { top, head, message, isApart }: UncommittedChanges,
): Promise<CommittedChanges> {
  const plain = new GitCaller({ ...place, root: top });
  if ((await unmergedFiles(plain, top)).length > 0) throw new GitTrouble('a merge with conflicts is in progress');
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-index-'));
  try {
    const index = join(folder, 'index');
    const theirs = await plain.run({ args: ['rev-parse', '--path-format=absolute', '--git-path', 'index'] });
    const file = theirs.bytes.toString('utf8').replace(/\n$/, '');
    if (existsSync(file)) copyFileSync(file, index);
    const ours = new GitCaller(plain.place, { variables: { GIT_INDEX_FILE: index } });
    const { paths, left } = await changedPaths(ours, { folder: top, isApart });
    const args = ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'];
    const end = Buffer.of(0);
    await ours.run({ args, input: Buffer.concat(paths.flatMap((path) => [path, end])) });
    const tree = await ours.line({ args: ['write-tree'] });
    const before = await plain.line({ args: ['rev-parse', `${head}^{tree}`] });
    const commit = tree === before ? head : await commitTree(plain, { tree, parents: [head], message });
    return { commit, left };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
