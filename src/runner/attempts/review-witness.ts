// Looks at the workspace when a review begins and when it ends.
import { listWords } from '../../core/model/count-words.ts';
import { type TreeStamps, treeStamps } from '../../files/tree-stamps.ts';
import { keepBeginning } from './attempt-snapshots.ts';
import { type LockedFiles, reviewerChanges } from './reviewer-changes.ts';
import type { Work } from './work.ts';
import type { WorkDone, WorkDoneParts } from './work-done.ts';

interface Beginning {
  readonly locked: LockedFiles | null;
  /** Where git could not keep what the files are. */
  readonly stamps: TreeStamps | null;
}

/** An earlier runner may have begun it: git still knows. */
const unknown: Beginning = { locked: null, stamps: null };

export class ReviewWitness {
  readonly #parts: WorkDoneParts;
  readonly #done: WorkDone;
  readonly #begun = new Map<number, Beginning>();

  constructor(parts: WorkDoneParts, done: WorkDone) {
    this.#parts = parts;
    this.#done = done;
  }

  /** @param isRead somebody tells what the reviewer writes: it is held against what the files are now */
  async begin({ live, about }: Work, isRead: boolean): Promise<void> {
    const locked = await this.#locked(about?.token ?? 0);
    const stamps = isRead && !(await this.#isKept(live.token)) ? await treeStamps(this.#parts.site.root) : null;
    this.#begun.set(live.token, { locked, stamps });
  }

  /** It did not begin after all. */
  forget(token: number): void {
    this.#begun.delete(token);
  }

  /** Why its answer is no review; null: it only looked. */
  async problem({ live, about }: Work, writes: readonly string[]): Promise<string | null> {
    const { locked: before, stamps } = this.#begun.get(live.token) ?? unknown;
    this.#begun.delete(live.token);
    const after = before === null ? null : await this.#locked(about?.token ?? 0);
    const { found } = await this.#done.recorded(live.token);
    const hasTold = found.length > 0 || writes.length > 0;
    const files = reviewerChanges({
      locked: before === null || after === null ? null : [before, after],
      found,
      writes: this.#done.inTree(writes),
      tree: hasTold ? await this.#done.treeChanges(live.token, stamps) : null,
    });
    if (files.length === 0) return null;
    return `the reviewer changed ${listWords(files)}, and a reviewer changes no files`;
  }

  async #isKept(token: number): Promise<boolean> {
    try {
      await keepBeginning(this.#parts, token);
      return true;
    } catch {
      return false;
    }
  }

  /** Null: nobody can look at them. */
  #locked(token: number): Promise<LockedFiles | null> {
    return this.#done.lockedFiles(token).catch(() => null);
  }
}
