// The trees of a run: each attempt gets one before it starts, and what it left there is on its branch before its end is recorded. One step at
// a time for each tree; who comes second waits.
import { basename, join, posix } from 'node:path';
import { litterOf } from '../../agents/performer.ts';
import { outputFile } from '../../agents/process/attempt-files.ts';
import { readEnd } from '../../agents/process/output-tail.ts';
import { markerOf } from '../../agents/process/process-table.ts';
import type { AttemptEnd, Evidence, Incident } from '../../core/model/failure.ts';
import type { PlanPath } from '../../core/model/ids.ts';
import type { WorktreeKeys } from '../../core/model/plan.ts';
import type { Isolation } from '../../core/model/run-event.ts';
import { missingIdentity } from '../../git/commits/commit-work.ts';
import { GitCaller, GitTrouble } from '../../git/git-caller.ts';
import { compareFingerprints } from '../../git/ground/compare-fingerprints.ts';
import { type Fingerprint, type FingerprintPlace, takeFingerprint } from '../../git/ground/fingerprint.ts';
import { markTree } from '../../git/trees/tree-marker.ts';
import type { Store } from '../../store/store.ts';
import type { AttemptDiff } from '../attempts/attempt-diff.ts';
import type { Work } from '../attempts/work.ts';
import { SetupFailed } from '../machine.ts';
import type { RunSite } from '../run-site.ts';
import { beginTree } from './attempt-tree.ts';
import { changedInWords, endTree, lookOf, workDiff } from './attempt-work.ts';
import { begunInWords, keptInWords } from './begun-words.ts';
import { CheckoutVisits } from './checkout-visits.ts';
import { idleIsolation } from './idle-results.ts';
import { keepIncidents } from './keep-incidents.ts';
import { noteLeftBehind, noteResults } from './notes-of-trees.ts';
import { ownWrites, wroteThere } from './own-writes.ts';
import { prepareTree } from './prepare-tree.ts';
import { followResults } from './results-tree.ts';
import { demandRoom } from './room.ts';
import {
  apartFor,
  attemptBranch,
  integrationTree,
  isApartIn,
  isOfRound,
  resultsBranch,
  rootFor,
  rootIn,
  topOf,
  treeOf,
} from './tree-places.ts';
import { messageOf } from './work-message.ts';

export interface TreesParts {
  readonly site: RunSite;
  readonly store: Pick<Store, 'read' | 'workspace'>;
  readonly environment: Readonly<Record<string, string>>;
  /** What a person should read. */
  readonly tell: (text: string) => void;
  /** For tests: the bytes that are free on the disk of a folder. */
  readonly freeBytes?: (folder: string) => number;
  /** Where the output of setup commands goes. */
  readonly logs: string;
}

interface Begun {
  readonly work: Work;
  readonly isolation: Isolation;
  readonly folder: string;
  readonly base: string | null;
  readonly merging: readonly string[];
  readonly byHand: readonly string[];
  /** Variables for its own commits, where git does not know who it is. */
  readonly identity: Readonly<Record<string, string>>;
  /** What is outside of its tree; null: an earlier runner knew. */
  readonly before: Fingerprint | null;
}

/** What points from an attempt to the person's checkout. */
interface Deeds {
  /** Files, as its stream spells them. */
  readonly writes: readonly string[];
  /** Commands of its processes that worked there. */
  readonly visitors: readonly string[];
}

export class TreesOfRun {
  readonly #parts: TreesParts;
  readonly #begun = new Map<number, Begun>();
  readonly #looks = new Map<number, readonly string[]>();
  /** Merges, and what works in the tree of results: when one is over, the tree follows the branch. By token. */
  readonly #moves = new Map<number, PlanPath>();
  /** Ends the setup of a tree for an attempt that is called back. By token. */
  readonly #setups = new Map<number, AbortController>();
  readonly #visits = new CheckoutVisits();
  /** Checks and reviews: what they leave behind is noted when they are over. By token. */
  readonly #jobs = new Map<number, { readonly work: Work; readonly isolation: Isolation }>();
  /** By folder: the last step in it. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(parts: TreesParts) {
    this.#parts = parts;
  }

  /** Where it works: a tree, or the workspace itself. */
  rootOf(work: Pick<Work, 'isolation' | 'task' | 'live' | 'about'>): string {
    return rootFor(work, this.#parts.site.root);
  }

  /** Files in which the merge with earlier work is in progress, and those that somebody has changed. */
  foundIn(token: number): Pick<Work, 'merging' | 'byHand'> {
    const { merging = [], byHand = [] } = this.#begun.get(token) ?? {};
    return { merging, byHand };
  }

  /** Under which it commits in its tree; empty: as git is configured. */
  identityIn(token: number): Readonly<Record<string, string>> {
    return this.#begun.get(token)?.identity ?? {};
  }

  /** Null: it works in the workspace, or needs no tree of its own. */
  before(work: Work): Promise<void> | null {
    const { isolation, live } = work;
    if (isolation === null) return null;
    this.#remember(work, isolation);
    if (live.job.kind === 'review') return this.#lookBefore(work, isolation);
    if (live.job.kind !== 'attempt') return null;
    const folder = treeOf(isolation, work);
    const setup = new AbortController();
    this.#setups.set(live.token, setup);
    const begun = this.#inTurn(folder, () => this.#begin(work, isolation, folder, setup.signal));
    return begun.finally(() => this.#setups.delete(live.token));
  }

  adopted(work: Work): void {
    const { isolation, live } = work;
    if (isolation === null) return;
    this.#remember(work, isolation);
    if (live.job.kind !== 'attempt') return;
    this.#begun.set(live.token, {
      work,
      isolation,
      folder: treeOf(isolation, work),
      base: null,
      merging: [],
      byHand: [],
      identity: {},
      before: null,
    });
  }

  /** What it left on its branch; null: it had no tree. @param seen what its agent says it did */
  after(token: number, end: AttemptEnd, seen: Promise<Evidence | undefined> | null): Promise<Evidence> | null {
    const begun = this.#begun.get(token);
    this.#begun.delete(token);
    const visitors = this.#visits.end(token);
    this.#setups.get(token)?.abort();
    if (begun === undefined) this.judged(token);
    this.#noteLeftBehind(token);
    if (begun === undefined || end.kind === 'never-started') return null;
    return this.#inTurn(begun.folder, async () => {
      const writes = (await seen?.catch(() => undefined))?.agent?.writes ?? [];
      return this.#end(begun, { writes, visitors });
    });
  }

  #noteLeftBehind(token: number): void {
    const job = this.#jobs.get(token);
    this.#jobs.delete(token);
    if (job === undefined) return;
    const { work, isolation } = job;
    const tree = { folder: treeOf(isolation, work), isApart: apartFor(work, isolation, this.#parts.site) };
    this.#inTurn(tree.folder, () => noteLeftBehind(this.#repository(isolation), tree)).catch(() => undefined);
  }

  /** Processes of an attempt that is being ended. */
  found(token: number, pids: readonly number[]): void {
    this.#visits.found(token, pids);
  }

  /** Nothing of ours is at work in a tree any more. */
  async close(): Promise<void> {
    this.#visits.close();
    for (const setup of this.#setups.values()) setup.abort();
    await Promise.all(this.#last.values());
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
  async problem(work: Work): Promise<string | null> {
    const { live, task, about, isolation } = work;
    const before = this.#looks.get(live.token);
    this.#looks.delete(live.token);
    if (isolation === null || before === undefined) return null;
    const after = await lookOf(this.#repository(isolation), treeOf(isolation, { task, live, about }));
    return changedInWords(before, after, litterOf(work.live.job, work.task, this.#parts.site.settings));
  }

  /** The tree of results for those who look at how things stand. What an earlier runner began there goes on undisturbed. */
  async results(plan: PlanPath, isolation: Isolation, keys: WorktreeKeys | undefined): Promise<string> {
    const folder = integrationTree(isolation);
    await this.#inTurn(folder, async () => {
      if ((await this.#idle(plan)) !== null) await this.#followResults(isolation, keys);
    });
    return rootIn(isolation, folder);
  }

  /** The tree of results follows the branch while nobody works in it. What cannot be done now is done before the next job there. */
  async follow(plan: PlanPath): Promise<void> {
    const isolation = await this.#idle(plan);
    if (isolation === null) return;
    await this.#inTurn(integrationTree(isolation), async () => {
      if ((await this.#idle(plan)) !== null) await this.#bringAlong(isolation);
    }).catch(() => undefined);
  }

  async #idle(plan: PlanPath): Promise<Isolation | null> {
    return this.#parts.store.read((state) => idleIsolation(state.plans.get(plan)));
  }

  #remember(work: Work, isolation: Isolation): void {
    const { job, token, plan } = work.live;
    const isThere = job.kind === 'attempt' && treeOf(isolation, work) === integrationTree(isolation);
    if (job.kind === 'merge' || isThere) this.#moves.set(token, plan);
    if (job.kind === 'check' || job.kind === 'review') this.#jobs.set(token, { work, isolation });
  }

  async #followResults(isolation: Isolation, keys: WorktreeKeys = {}, signal?: AbortSignal): Promise<string> {
    const folder = integrationTree(isolation);
    const base = await this.#bringAlong(isolation);
    await this.#prepare(isolation, folder, keys, signal).finally(() => this.#noteResults(isolation));
    return base;
  }

  /** Checks that belong to no task are over there. */
  async resultsSeen(plan: PlanPath): Promise<void> {
    const isolation = await this.#idle(plan);
    if (isolation !== null) await this.#inTurn(integrationTree(isolation), () => this.#noteResults(isolation));
  }

  /** What is there now is nobody's work. */
  #noteResults(isolation: Isolation): Promise<void> {
    const isApart = isApartIn(isolation, this.#parts.site);
    return noteResults(this.#repository(isolation), { folder: integrationTree(isolation), isApart });
  }

  async #bringAlong(isolation: Isolation): Promise<string> {
    const folder = integrationTree(isolation);
    const { base, keptOn } = await followResults(this.#repository(isolation), {
      ...{ folder, results: isolation.branch, keepOn: resultsBranch(isolation) },
      message: 'Keep what was changed where the results are seen\n',
      isApart: isApartIn(isolation, this.#parts.site),
    });
    if (keptOn !== null) this.#parts.tell(keptInWords(folder, keptOn));
    // Also where nobody works yet: people look there.
    markTree(folder, this.#parts.site.root);
    return base;
  }

  async #begin(work: Work, isolation: Isolation, folder: string, signal: AbortSignal): Promise<void> {
    // It was called back while it waited for its turn.
    if (signal.aborted) return;
    demandRoom(isolation.trees, this.#parts.freeBytes);
    const { live } = work;
    const begun =
      folder === integrationTree(isolation)
        ? { base: await this.#followResults(isolation, work.plan.worktree, signal), merging: [], byHand: [] }
        : await this.#beginOwn(work, isolation, folder, signal);
    const place = this.#fingerprintPlace(isolation);
    const before = await takeFingerprint(place);
    this.#visits.begin(live.token, markerOf(this.#parts.store.workspace, live.token), place);
    const identity = await missingIdentity(this.#repository(isolation));
    this.#begun.set(live.token, { work, isolation, folder, before, identity, ...begun });
  }

  async #beginOwn(work: Work, isolation: Isolation, folder: string, signal: AbortSignal) {
    const branch = attemptBranch(isolation, work.live.attempt);
    const message = messageOf(work, `Bring ${work.task.id} along with what was merged meanwhile`);
    const results = isolation.branch;
    const beginning = {
      ...{ folder, branch, results, message, earlier: work.work },
      keeping: messageOf(work, `Keep what was changed in the tree of ${work.task.id}`),
      isOfRound: (name: string) => isOfRound(isolation, work, name),
      isApart: apartFor(work, isolation, this.#parts.site),
    };
    return beginTree(this.#repository(isolation), beginning, (begun) => {
      for (const words of begunInWords(begun, work.live.attempt, folder)) this.#parts.tell(words);
      return this.#prepare(isolation, folder, work.plan.worktree ?? {}, signal);
    });
  }

  /** In a tree that is ready nothing is done. */
  async #prepare(
    isolation: Isolation,
    folder: string,
    { setup, include }: WorktreeKeys,
    signal?: AbortSignal,
  ): Promise<void> {
    const { site, environment, logs, tell } = this.#parts;
    markTree(folder, site.root);
    const isApart = isApartIn({ ...isolation, prefix: '' }, site);
    const prepared = await prepareTree({
      workspace: site.root,
      folder: rootIn(isolation, folder),
      include: include ?? [],
      setup: setup ?? null,
      environment,
      output: join(logs, `setup-${basename(folder)}.log`),
      isApart,
      isTrusted: site.trustsGit === true,
      ...(signal === undefined ? {} : { signal }),
    });
    if (prepared.kind === 'failed' && prepared.setup !== undefined)
      throw new SetupFailed(prepared.because, prepared.setup);
    if (prepared.kind === 'failed') throw new GitTrouble(prepared.because);
    for (const note of prepared.notes) tell(note);
  }

  async #end(begun: Begun, deeds: Deeds): Promise<Evidence> {
    const incidents = await this.#incidents(begun, deeds).catch(() => []);
    return { ...(await this.#commit(begun)), ...(incidents.length === 0 ? {} : { incidents }) };
  }

  /** What changed outside of its tree while it worked. */
  async #incidents({ work, isolation, before }: Begun, deeds: Deeds): Promise<readonly Incident[]> {
    const place = this.#fingerprintPlace(isolation);
    const wrote = ownWrites(deeds.writes, place.root, place.isApart);
    const changed = before === null ? [] : compareFingerprints(before, await takeFingerprint(place), wrote);
    // Its calls of tools and its commands are in there, too.
    const said = readEnd(outputFile(this.#parts.logs, work.live), mostPrinted);
    const printed = wrote.reduce((text, path) => text.replaceAll(join(place.root, path), ''), said);
    const signs = {
      ...(printed.includes(place.root) ? { named: true as const } : {}),
      ...(deeds.visitors.length === 0 ? {} : { processes: deeds.visitors }),
    };
    const signed = changed.map((one) => (one.kind === 'checkout' ? { ...one, ...signs } : one));
    return keepIncidents(
      [...wroteThere(wrote), ...signed],
      join(this.#parts.site.stateFolder, 'incidents', String(work.live.token)),
    );
  }

  #fingerprintPlace(isolation: Isolation): FingerprintPlace {
    const { site, environment } = this.#parts;
    return { root: topOf(isolation, site.root), environment, isApart: isApartIn(isolation, site) };
  }

  async #commit({ work, isolation, folder, base }: Begun): Promise<Evidence> {
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
      isApart: apartFor(work, isolation, this.#parts.site),
      judgedBy: [work.plan.path, 'signalbox.yaml'].map((path) => posix.join(isolation.prefix, path)),
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
    const { site, environment } = this.#parts;
    const isTrusted = site.trustsGit === true;
    const { committer } = isolation;
    return new GitCaller({ root: topOf(isolation, site.root), environment, isTrusted, committer });
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

/** More than almost every attempt prints. */
const mostPrinted = 16 * 1024 * 1024;
