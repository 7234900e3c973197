// What a merge stands on, beside its order.
import type { GitCaller } from '../../git/git-caller.ts';

export interface MergeParts {
  readonly repository: GitCaller;
  /** Of this process. */
  readonly environment: Readonly<Record<string, string>>;
  /** For the log of the merge. */
  readonly print: (text: string) => void;
  /**
   * Ignored files and the setup of a tree, to their end; a tree that is prepared already is left alone, unless it is to be done again.
   * Rejects with the end of a sentence.
   */
  readonly prepare: (folder: string, when: 'unless it is' | 'again') => Promise<void>;
}

/** Nobody's work is at fault. The message is the end of a sentence. */
export class MergeTrouble extends Error {}
