// The order for the merge of an attempt's work: see `merge/merge-order.ts`.
import { posix } from 'node:path';
import type { Work } from '../attempts/work.ts';
import type { MergeOrder } from '../merge/merge-order.ts';
import type { RunSite } from '../run-site.ts';
import { queueTree, topOf } from './tree-places.ts';
import { messageOf } from './work-message.ts';

/** Null: there is nothing to merge, which the rules never ask for. */
export function mergeOrder(
  work: Work,
  { root, trustsGit = false }: Pick<RunSite, 'root' | 'trustsGit'>,
): MergeOrder | null {
  const { isolation, task, live, accepted } = work;
  const done = work.about?.ended.evidence?.work;
  if (isolation === null || done === undefined) return null;
  const { include = [], setup = null, generated = {} } = work.plan.worktree ?? {};
  return {
    repository: topOf(isolation, root),
    branch: isolation.branch,
    head: done.head,
    base: done.base,
    message: messageOf(work, `Merge ${live.attempt}: ${task.title}`),
    queueTree: queueTree(isolation),
    prefix: isolation.prefix,
    include,
    setup,
    generated: Object.fromEntries(
      Object.entries(generated).map(([path, command]) => [posix.join(isolation.prefix, path), command]),
    ),
    isTrusted: trustsGit,
    committer: isolation.committer,
    checks: task.keys.check ?? [],
    accepted,
  };
}
