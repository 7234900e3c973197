// What a merge is told. It is a process of its own, so that its end is known also when the runner dies: the order is a file, and the
// answer (`MergeAnswer`) the last line that it prints.
import type { Committer } from '../../core/model/run-event.ts';

/** Everything absolute. */
export interface MergeOrder {
  /** A folder of the repository. */
  readonly repository: string;
  /** Where results gather, without `refs/heads/`. */
  readonly branch: string;
  /** The commit with the work, and where the results stood when it began. */
  readonly head: string;
  readonly base: string;
  /** Of the merge commit. */
  readonly message: string;
  /** The tree in which checks of merged results run; made when it is first needed. */
  readonly queueTree: string;
  /** The workspace inside of a tree, with slashes; empty: the whole tree. */
  readonly prefix: string;
  /** Ignored files that a new tree gets: patterns. */
  readonly include: readonly string[];
  /** Prepares a new tree, in a shell; null: nothing does. */
  readonly setup: string | null;
  /** By the path from the top of a tree: the command that makes it anew. */
  readonly generated: Readonly<Record<string, string>>;
  /** Hooks and filters of the repository may run. */
  readonly isTrusted: boolean;
  /** In whose name the merge is committed; absent: as git is configured. */
  readonly committer?: Committer | undefined;
  /** The checks of the task, in a shell. */
  readonly checks: readonly string[];
  /** Checks that a person lets pass although the branch itself is red. */
  readonly accepted: readonly string[];
}
