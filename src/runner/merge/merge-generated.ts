// Files that a command makes are made anew from the merged result, instead of merged as text: git would put two halves of a lock file
// together, and call that clean.
import { commitTree } from '../../git/commits/commit-work.ts';
import { changedByBoth, filesBetween, type Merged, mergeInto } from '../../git/commits/merge.ts';
import type { GitCaller } from '../../git/git-caller.ts';
import type { MergeOrder } from './merge-order.ts';
import type { MergeParts } from './merge-parts.ts';
import type { QueueTree } from './queue-tree.ts';

export type MergedWithGenerated =
  | Merged
  /** The command of a generated file ended badly. */
  | { readonly kind: 'not-generated'; readonly files: readonly string[]; readonly command: string };

export async function mergeWithGenerated(
  order: MergeOrder,
  { repository, print }: MergeParts,
  queue: QueueTree,
  tip: string,
): Promise<MergedWithGenerated> {
  const { head, generated } = order;
  const merged = await mergeInto(repository, tip, head);
  if (merged.kind === 'reverts') return merged;
  const both = await changedByBoth(repository, [tip, head], Object.keys(generated));
  const made = await filesOf(repository, [tip, merged.tree], both);
  const conflicts = merged.kind === 'conflict' ? merged.files : [];
  const anew = [...new Set([...conflicts, ...made])];
  if (anew.length === 0 || conflicts.some((file) => !Object.hasOwn(generated, file))) return merged;
  // On no branch: it is there to be checked out.
  const message = 'signalbox: before generated files are made anew';
  const draft = await commitTree(repository, { tree: merged.tree, parents: [tip, head], message });
  await queue.standOn(draft);
  const git = (args: string[], input?: Buffer) => repository.run({ args, ...(input && { input }) }, queue.folder);
  await git(['checkout', '--no-overlay', '--quiet', tip, '--', ...anew]);
  for (const command of new Set(anew.map((file) => generated[file]!))) {
    print(`signalbox: ${command} makes ${anew.filter((file) => generated[file] === command).join(', ')} anew\n`);
    if ((await queue.run(command)).isGreen || (await queue.run(command)).isGreen) continue;
    return { kind: 'not-generated', files: anew.filter((file) => generated[file] === command), command };
  }
  await git(['update-index', '--add', '--remove', '-z', '--stdin'], Buffer.from(`${anew.join('\0')}\0`));
  const tree = (await git(['write-tree'])).bytes.toString('latin1').trim();
  return { kind: 'clean', tree, files: await filesBetween(repository, tip, tree) };
}

/** Of these, those that any of the trees has: what both sides have deleted is not made again. */
async function filesOf(
  repository: GitCaller,
  trees: readonly string[],
  files: readonly string[],
): Promise<readonly string[]> {
  if (files.length === 0) return [];
  const found = new Set<string>();
  for (const tree of trees) {
    const args = ['ls-tree', '-r', '-z', '--name-only', '--full-tree', tree, '--', ...files];
    for (const name of await repository.names({ args })) found.add(name.toString());
  }
  return files.filter((file) => found.has(file));
}
