// The tree in which merged results are looked at. It is kept from merge to merge, so that packages are installed once.
import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { runCheck } from '../../agents/process/run-check.ts';
import { resetTree } from '../../git/trees/reset-tree.ts';
import type { MergeOrder } from './merge-order.ts';
import { type MergeParts, MergeTrouble } from './merge-parts.ts';

/** What a command printed last, and whether it ended well. */
export interface CommandEnd {
  readonly isGreen: boolean;
  readonly tail: string;
}

export class QueueTree {
  readonly #order: MergeOrder;
  readonly #parts: MergeParts;
  /** Where it stands; null: not known yet. */
  #commit: string | null = null;
  /** The commit whose setup has been run again. */
  #preparedFor: string | null = null;

  constructor(order: MergeOrder, parts: MergeParts) {
    this.#order = order;
    this.#parts = parts;
  }

  get folder(): string {
    return this.#order.queueTree;
  }

  /** As if it were just made, but for ignored files. Commands on the same commit find what those before them have left. */
  async standOn(commit: string): Promise<void> {
    if (this.#commit === commit) return;
    this.#commit = null;
    await resetTree(this.#parts.repository, { folder: this.folder, commit });
    await this.#prepare('unless it is');
    this.#commit = commit;
  }

  /** For a commit that needs other packages than those before it; false: it has them, or there is no setup. */
  async prepareAgain(): Promise<boolean> {
    if (this.#order.setup === null || this.#preparedFor === this.#commit) return false;
    await this.#prepare('again');
    this.#preparedFor = this.#commit;
    return true;
  }

  /** In a shell, in the workspace's place in the tree. */
  async run(command: string): Promise<CommandEnd> {
    const { environment, print } = this.#parts;
    const cwd = this.#workspace();
    if (cwd === null) return { isGreen: false, tail: `there is no folder ${this.#order.prefix}\n` };
    const { code, tail } = await runCheck({
      command,
      cwd,
      env: { ...withoutGit(environment), SIGNALBOX_TREE: cwd },
      // Whoever started this process decides how long it may take.
      limitMs: 2 ** 31 - 1,
      marker: environment.SIGNALBOX_TOKEN,
      onOutput: print,
    });
    if (tail !== '' && !tail.endsWith('\n')) print('\n');
    return { isGreen: code === 0, tail };
  }

  /** Null: it is missing there, or a link that leads elsewhere. */
  #workspace(): string | null {
    const top = realpathSync.native(this.folder);
    const folder = resolve(top, this.#order.prefix);
    const isThere = existsSync(folder) && statSync(folder).isDirectory();
    return isThere && realpathSync.native(folder) === folder ? folder : null;
  }

  async #prepare(when: 'unless it is' | 'again'): Promise<void> {
    try {
      await this.#parts.prepare(this.folder, when);
    } catch (error) {
      throw new MergeTrouble((error as Error).message);
    }
  }
}

/** A command that works in a repository of its own would hit this one. */
const withoutGit = (environment: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('GIT_')));
