// For tests of the merge queue: a branch of results, and attempts with their branches and trees.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MergeOrder } from '../../src/runner/merge/merge-order.ts';
import type { MergeParts } from '../../src/runner/merge/merge-parts.ts';
import { performMerge } from '../../src/runner/merge/perform-merge.ts';
import { TestRepository } from './repository.ts';

export const nothing = { kind: 'ended', result: 'nothing' };
export const merged = (commit: string, ...files: string[]) => ({ kind: 'ended', result: 'merged', commit, files });

export class MergeRig {
  readonly repository: TestRepository;
  readonly environment = { PATH: process.env.PATH ?? '', HOME: '/nonexistent' };
  /** The files of the results when everything began, and the commit. */
  readonly begin: Readonly<Record<string, string>>;
  readonly base: string;
  /** Of the last merge. */
  log = '';

  constructor(files: Readonly<Record<string, string>> = { 'a.txt': 'one\n', 'b.txt': 'one\n' }) {
    this.repository = new TestRepository(files);
    this.git('branch', 'results');
    this.base = this.tip;
    this.begin = this.results;
  }

  get tip(): string {
    return this.git('rev-parse', 'results');
  }

  get results(): Record<string, string> {
    return this.repository.files('results');
  }

  get queueTree(): string {
    return join(this.repository.beside, 'queue');
  }

  git(...args: string[]): string {
    return this.repository.git(...args);
  }

  /** In the tree of an attempt. */
  gitIn(name: string, ...args: string[]): string {
    return this.repository.gitIn(join(this.repository.beside, name), ...args);
  }

  /** Makes its tree and its branch, from where everything began, and commits. */
  attempt(name: string, files: Readonly<Record<string, string>>, from = this.base): string {
    this.git('worktree', 'add', '-q', '-b', `try/${name}`, join(this.repository.beside, name), from);
    return this.commit(name, files);
  }

  commit(name: string, files: Readonly<Record<string, string>>): string {
    const folder = join(this.repository.beside, name);
    for (const [file, text] of Object.entries(files)) this.repository.write(file, text, folder);
    return this.repository.commit(name, folder);
  }

  /** Others were merged meanwhile. */
  moveOn(files: Readonly<Record<string, string>>): void {
    const name = 'others';
    if (!existsSync(join(this.repository.beside, name)))
      this.git('worktree', 'add', '-q', '--detach', join(this.repository.beside, name), this.tip);
    this.git('update-ref', 'refs/heads/results', this.commit(name, files));
  }

  merge(head: string, order: Partial<MergeOrder> = {}, parts: Partial<MergeParts> = {}) {
    this.log = '';
    return performMerge(this.order(head, order), {
      repository: this.repository.caller,
      environment: this.environment,
      print: (text) => {
        this.log += text;
      },
      prepare: async () => undefined,
      ...parts,
    });
  }

  order(head: string, more: Partial<MergeOrder> = {}): MergeOrder {
    return {
      ...{ repository: this.repository.root, branch: 'results', head, base: this.base, message: 'merge' },
      ...{ queueTree: this.queueTree, prefix: '', include: [], setup: null },
      ...{ generated: {}, checks: [], accepted: [], isTrusted: false, ...more },
    };
  }
}
