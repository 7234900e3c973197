// The trees of a run: each attempt gets one before it starts, and what it left there is on its branch before its end is recorded. One step at
// a time for each tree; who comes second waits.
import type { Isolation } from '../../core/model/event.ts';
import type { AttemptEnd, Evidence } from '../../core/model/failure.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import { isByAgent, worksOnResults } from '../../core/state/isolated.ts';
import { startedTask } from '../../core/state/started-task.ts';
import type { PlanState } from '../../core/state/state.ts';
import { GitCaller } from '../../git/git-caller.ts';
import type { Store } from '../../store/store.ts';
import type { AttemptDiff } from '../attempts/attempt-diff.ts';
import type { Ground } from '../attempts/ground.ts';
import type { Work } from '../attempts/work.ts';
import { isApartIn } from './apart.ts';
import { beginTree, followResults } from './attempt-tree.ts';
import { endTree } from './attempt-work.ts';
import { attemptBranch, integrationTree, rootIn, topOf, treeOf } from './tree-places.ts';
import { lookOf, workDiff } from './work-diff.ts';

export interface TreesParts {
  readonly ground: Ground;
  readonly store: Pick<Store, 'read'>;
  readonly environment: Readonly<Record<string, string>>;
  /** What is done in each new tree before anybody works there. */
  readonly prepare: (tree: NewTree) => Promise<void>;
}

export interface NewTree {
  readonly folder: string;
  /** The workspace in it. */
  readonly root: string;
  readonly isolation: Isolation;
}

interface Begun {
  readonly work: Work;
  readonly isolation: Isolation;
  readonly folder: string;
  readonly base: string | null;
  readonly merging: readonly string[];
}

export class TreesOfRun {
  readonly #parts: TreesParts;
  readonly #begun = new Map<number, Begun>();
  readonly #looks = new Map<number, readonly string[]>();
  /** Merges, and what works in the tree of results: when one is over, the tree follows the branch. By token. */
  readonly #moves = new Map<number, PlanPath>();
  /** By folder: the last step in it. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(parts: TreesParts) {
    this.#parts = parts;
  }

  /** Where it works: a tree, or the workspace itself. */
  rootOf(work: Pick<Work, 'isolation' | 'task' | 'live' | 'about'>): string {
    const { isolation } = work;
    return isolation === null ? this.#parts.ground.root : rootIn(isolation, treeOf(isolation, work));
  }

  /** Files in which the merge with earlier work is in progress. */
  mergingIn(token: number): readonly string[] {
    return this.#begun.get(token)?.merging ?? [];
  }

  /** Null: it works in the workspace, or needs no tree of its own. */
  before(work: Work): Promise<void> | null {
    const { isolation, live } = work;
    if (isolation === null) return null;
    if (live.job.kind === 'review') return this.#lookBefore(work, isolation);
    this.#remember(work, isolation);
    if (live.job.kind !== 'attempt') return null;
    const folder = treeOf(isolation, work);
    return this.#inTurn(folder, () => this.#begin(work, isolation, folder));
  }

  adopted(work: Work): void {
    const { isolation, live } = work;
    if (isolation === null) return;
    this.#remember(work, isolation);
    if (live.job.kind !== 'attempt') return;
    this.#begun.set(live.token, { work, isolation, folder: treeOf(isolation, work), base: null, merging: [] });
  }

  /** What it left on its branch; null: it had no tree. */
  after(token: number, end: AttemptEnd): Promise<Evidence> | null {
    const begun = this.#begun.get(token);
    this.#begun.delete(token);
    if (begun === undefined) this.judged(token);
    if (begun === undefined || end.kind === 'never-started') return null;
    return this.#inTurn(begun.folder, () => this.#end(begun));
  }

  /** Nothing is left to find out about it. */
  judged(token: number): void {
    const plan = this.#moves.get(token);
    if (plan === undefined) return;
    this.#moves.delete(token);
    void this.follow(plan);
  }

  /** Of the attempt that it is about. */
  diff({ about, isolation, live }: Work): Promise<AttemptDiff> {
    const done = about?.ended.evidence?.work;
    if (isolation === null || done === undefined) throw new Error(`nobody knows what ${live.attempt} changed`);
    return workDiff(this.#repository(isolation), done);
  }

  /** Why the answer of a reviewer is no review; null: it only looked. */
  async problem({ live, task, about, isolation }: Work): Promise<string | null> {
    const before = this.#looks.get(live.token);
    this.#looks.delete(live.token);
    if (isolation === null || before === undefined) return null;
    const after = await lookOf(this.#repository(isolation), treeOf(isolation, { task, live, about }));
    const changed = [
      ...after.filter((line) => !before.includes(line)),
      ...before.filter((line) => !after.includes(line)),
    ];
    if (changed.length === 0) return null;
    const names = new Set(changed.map((line) => (line.startsWith('HEAD ') ? 'its branch' : line.slice(3))));
    return `the reviewer changed ${[...names].slice(0, 5).join(', ')}, and a reviewer changes no files`;
  }

  /** The tree of results before anything works there, for those who look at how things stand. */
  async results(isolation: Isolation): Promise<string> {
    const folder = integrationTree(isolation);
    await this.#inTurn(folder, () => this.#followResults(isolation));
    return rootIn(isolation, folder);
  }

  /** The tree of results follows the branch while nobody works in it. What cannot be done now is done before the next job there. */
  async follow(plan: PlanPath): Promise<void> {
    const idle = () => this.#parts.store.read((state) => idleIsolation(state.plans.get(plan)));
    const isolation = await idle();
    if (isolation === null) return;
    await this.#inTurn(integrationTree(isolation), async () => {
      if ((await idle()) !== null) await this.#followResults(isolation);
    }).catch(() => undefined);
  }

  #remember(work: Work, isolation: Isolation): void {
    const { job, token, plan } = work.live;
    const isThere = job.kind === 'attempt' && treeOf(isolation, work) === integrationTree(isolation);
    if (job.kind === 'merge' || isThere) this.#moves.set(token, plan);
  }

  async #followResults(isolation: Isolation): Promise<string> {
    const folder = integrationTree(isolation);
    const { base, isNew } = await followResults(this.#repository(isolation), { folder, results: isolation.branch });
    if (isNew) await this.#prepare(isolation, folder);
    return base;
  }

  async #begin(work: Work, isolation: Isolation, folder: string): Promise<void> {
    const { live } = work;
    const begun =
      folder === integrationTree(isolation)
        ? { base: await this.#followResults(isolation), merging: [] }
        : await this.#beginOwn(work, isolation, folder);
    this.#begun.set(live.token, { work, isolation, folder, ...begun });
  }

  async #beginOwn(work: Work, isolation: Isolation, folder: string) {
    const branch = attemptBranch(isolation, work.live.attempt);
    const message = messageOf(work, `Bring ${work.task.id} along with what was merged meanwhile`);
    const results = isolation.branch;
    const begun = await beginTree(this.#repository(isolation), {
      folder,
      branch,
      results,
      earlier: work.work,
      message,
    });
    if (begun.isNew) await this.#prepare(isolation, folder);
    return begun;
  }

  #prepare(isolation: Isolation, folder: string): Promise<void> {
    return this.#parts.prepare({ folder, root: rootIn(isolation, folder), isolation });
  }

  async #end({ work, isolation, folder, base }: Begun): Promise<Evidence> {
    const { task, live } = work;
    const repository = this.#repository(isolation);
    const branch = attemptBranch(isolation, live.attempt);
    const isOwn = folder !== integrationTree(isolation);
    return endTree(repository, {
      folder,
      branch,
      checkedOut: isOwn ? branch : null,
      base: base ?? (await this.#baseOf(repository, isolation, folder)),
      message: messageOf(work, `${task.id}: ${task.title}`),
      isApart: isApartIn(isolation, this.#parts.ground),
    });
  }

  /** Of one that an earlier runner began: where its branch left that of the results. */
  #baseOf(repository: GitCaller, { branch }: Isolation, folder: string): Promise<string> {
    return repository.line({ args: ['merge-base', `refs/heads/${branch}`, 'HEAD'] }, folder);
  }

  async #lookBefore(work: Work, isolation: Isolation): Promise<void> {
    this.#looks.set(work.live.token, await lookOf(this.#repository(isolation), treeOf(isolation, work)));
  }

  #repository(isolation: Isolation): GitCaller {
    const { ground, environment } = this.#parts;
    return new GitCaller({ root: topOf(isolation, ground.root), environment });
  }

  #inTurn<T>(folder: string, step: () => Promise<T>): Promise<T> {
    const done = (this.#last.get(folder) ?? Promise.resolve()).then(step);
    this.#last.set(
      folder,
      done.catch(() => undefined),
    );
    return done;
  }
}

/** Null: somebody works in the tree of results, or there is none. */
function idleIsolation(plan: PlanState | undefined): Isolation | null {
  const isBusy = plan?.tasks.some(({ live, ended }, i) => {
    if (live === null && ended === null) return false;
    const isOthers = ended === null ? isByAgent(live!.job) : ended.byAgent === true;
    return worksOnResults(startedTask(plan, i), isOthers);
  });
  return isBusy ? null : (plan?.run?.isolation ?? null);
}

/** With the trailers by which everybody finds out where a commit comes from. */
export function messageOf({ plan, task, live }: Pick<Work, 'plan' | 'task' | 'live'>, subject: string): string {
  const line = subject.replace(/\s+/g, ' ').trim().slice(0, 200);
  return `${line}\n\nSignalbox-Plan: ${plan.path}\nSignalbox-Task: ${task.id}\nSignalbox-Attempt: ${live.attempt}\n`;
}
