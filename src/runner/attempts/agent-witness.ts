// Looks at what agents do: whether anything in the workspace is another after an attempt, what became of its locked files, which
// calls it made. And gathers what reviewers and debugging agents have to be told before they start. Plain commands pass by it.
import { relative, sep } from 'node:path';
import { withReset } from '../../agents/ask-limit.ts';
import { marksFolder, wasSeen } from '../../agents/hooks/call-marks.ts';
import { type AgentKind, isGoverned } from '../../agents/kind.ts';
import { litterOf, type Performer, performerOf } from '../../agents/performer.ts';
import type { OrderRequest } from '../../agents/prepare-order.ts';
import { agentHome, outputFile } from '../../agents/process/attempt-files.ts';
import { type Follow, followOutput } from '../../agents/process/output-tail.ts';
import { escalationPrompt } from '../../agents/prompt/escalation-prompt.ts';
import { toldAs } from '../../agents/prompt/prompt.ts';
import { reviewAnswer } from '../../agents/prompt/review-answer.ts';
import { reviewPrompt } from '../../agents/prompt/review-prompt.ts';
import { plainText } from '../../agents/sanitize-terminal.ts';
import { StreamReader, type StreamReport, type StreamSeen } from '../../agents/stream/stream-reader.ts';
import type { AgentReport } from '../../core/model/agent-result.ts';
import type { AttemptEnd, Doom, Evidence, WriteFinding } from '../../core/model/failure.ts';
import type { ReviewAnswer } from '../../core/rules/job-end.ts';
import { shownName } from '../../files/disk/disk-name.ts';
import { savedDiff } from '../../files/saved-diff.ts';
import { readSaved } from '../../files/saved-manifest.ts';
import { type TreeStamps, treeStamps } from '../../files/tree-stamps.ts';
import { placesOf } from '../../status/output-places.ts';
import { writeFinding } from '../../status/write-finding.ts';
import type { Store } from '../../store/store.ts';
import type { RunSite } from '../run-site.ts';
import type { TreesOfRun } from '../trees/trees-of-run.ts';
import { agentReport } from './agent-report.ts';
import { type AttemptDiff, attemptDiff } from './attempt-diff.ts';
import { earlierAttempts, historyInWords } from './attempt-history.ts';
import { isCompared, keepBeginning, snapshotPlace } from './attempt-snapshots.ts';
import { beforeName } from './files-of-attempts.ts';
import { HookProof } from './hook-proof.ts';
import { ReviewWitness } from './review-witness.ts';
import { talkFor } from './talk.ts';
import { TaskLogs } from './task-logs.ts';
import { rulesFor } from './told.ts';
import type { Work } from './work.ts';
import { WorkDone } from './work-done.ts';

export interface WitnessParts {
  readonly site: RunSite;
  readonly store: Store;
  readonly environment: Readonly<Record<string, string>>;
  readonly onDoom: (token: number, doom: Doom) => void;
  readonly auditLeft: (token: number) => Promise<readonly WriteFinding[]>;
  readonly trees: TreesOfRun;
  /** What it was started by, but for its words. */
  readonly asStarted: (work: Work) => OrderRequest;
}

interface Watched {
  readonly work: Work;
  /** Where git cannot tell what has changed; null: not known, because the tree is too large or an earlier runner started it. */
  readonly before: TreeStamps | null;
  readonly kind: AgentKind;
  readonly stream: StreamReader;
  /** Null: it works without hooks. */
  readonly proof: HookProof | null;
  readonly follow: Follow;
}

/** Of one that did not end by itself. */
const unseen = { files: [], change: 'unknown' } as const;

const mostLog = 4_000;
const mostFinding = 64_000;
const mostSaved = 100_000;
const mostErrors = 2_000;
const mostAnswers = 10;

export class AgentWitness {
  readonly #parts: WitnessParts;
  readonly #logs: TaskLogs;
  readonly #done: WorkDone;
  readonly #reviews: ReviewWitness;
  readonly #watched = new Map<number, Watched>();
  /** What those are told who do not get the usual words, by token. */
  readonly #texts = new Map<number, string>();
  /** Why nobody can tell what an attempt changes, by its token. */
  readonly #unknown = new Map<number, string>();
  /** Those that may be called back before all about them is known. */
  readonly #preparing = new Set<number>();
  /** Of coding agents that have reviewed, and of whoever gave none that counts; by token. */
  readonly #answers = new Map<number, ReviewAnswer>();
  /** Reviews whose output nobody reads while it comes. */
  readonly #plainReviews = new Map<number, Work>();

  constructor(parts: WitnessParts) {
    this.#parts = parts;
    this.#logs = new TaskLogs(parts.site, parts.store);
    this.#done = new WorkDone(parts);
    this.#reviews = new ReviewWitness(parts, this.#done);
  }

  before(work: Work): Promise<void> | null {
    const isReview = work.live.job.kind === 'review';
    const isPlain = this.#readKind(work) === null && !this.#isCompared(work);
    if (!isReview && isPlain) return null;
    this.#preparing.add(work.live.token);
    return isReview ? this.#prepareReview(work) : this.#prepareAttempt(work);
  }

  adopted(work: Work): void {
    this.#watch(work, null);
  }

  textFor(token: number): string | undefined {
    return this.#texts.get(token);
  }

  /** What a coding agent answered in its last message, or why there is no review; null: the output tells. An outage may let it be asked for again. */
  reviewAnswer(token: number): ReviewAnswer | null {
    return this.#answers.get(token) ?? null;
  }

  /** Null: it is no coding agent, whose stream would be the whole of its work. */
  seenOf(token: number): StreamSeen | null {
    const watched = this.#watched.get(token);
    return watched === undefined || watched.kind.known === null ? null : watched.stream.seen;
  }

  after(token: number, end: AttemptEnd): Promise<Evidence | undefined> | null {
    this.#texts.delete(token);
    this.#preparing.delete(token);
    const plain = this.#plainReviews.get(token);
    this.#plainReviews.delete(token);
    if (plain) return this.#endPlainReview(plain);
    const watched = this.#watched.get(token);
    if (!watched) return null;
    this.#watched.delete(token);
    return this.#evidence(watched, end);
  }

  /** What still runs goes on without being looked at. */
  close(): void {
    for (const { follow } of this.#watched.values()) follow.stop();
    this.#watched.clear();
  }

  async #prepareAttempt(work: Work): Promise<void> {
    const { job, token } = work.live;
    const text = job.kind === 'attempt' && job.escalated ? await this.#escalationText(work) : null;
    // In a tree of its own, git knows.
    if (work.isolation === null) await this.#keepBeginning(token);
    const isRead = this.#readKind(work) !== null;
    const before = isRead && this.#unknown.has(token) ? await treeStamps(this.#parts.site.root) : null;
    if (!this.#preparing.delete(token)) return;
    if (text !== null) this.#texts.set(token, text);
    this.#watch(work, before);
  }

  #watch(work: Work, before: TreeStamps | null): void {
    const { live, sameCalls } = work;
    const kind = this.#readKind(work);
    if (kind === null && live.job.kind === 'review') this.#plainReviews.set(live.token, work);
    if (kind === null) return;
    const proof = this.#proofOf(work, kind);
    const stream = new StreamReader(kind.events!, {
      onEvent: (event) => {
        if (proof?.isMissing(event)) this.#parts.onDoom(live.token, { kind: 'ungoverned' });
      },
      onRow: (call, times) => {
        // Again and again, because it may not be ours to end yet; but not for each of a million.
        const isTold = live.job.kind === 'attempt' && sameCalls > 0 && times % sameCalls === 0;
        if (isTold) this.#parts.onDoom(live.token, { kind: 'looping', call, times });
      },
    });
    const follow = followOutput(outputFile(this.#logs.folder, live), (text) => stream.feed(text));
    this.#watched.set(live.token, { work, before, kind, stream, proof, follow });
  }

  #proofOf({ live }: Work, kind: AgentKind): HookProof | null {
    if (!isGoverned(kind, this.#parts.site.settings)) return null;
    const folder = marksFolder(this.#logs.folder, live.token);
    return new HookProof(kind.hooks!, () => wasSeen(folder));
  }

  #isCompared({ task, live: { job } }: Work): boolean {
    return job.kind === 'attempt' && isCompared(task, this.#parts.site.settings);
  }

  /** An attempt also starts when nobody can tell later what it changed. Its review then says so. */
  async #keepBeginning(token: number): Promise<void> {
    try {
      await keepBeginning(this.#parts, token);
    } catch (error) {
      this.#unknown.set(token, (error as Error).message);
    }
  }

  /** Null: it is no attempt of an agent, and no review by a coding agent. */
  #readKind({ task, live: { job } }: Work): AgentKind | null {
    const performer = performerOf(job, task, this.#parts.site.settings);
    if (!('kind' in performer) || performer.kind.events === null) return null;
    const isRead = job.kind === 'attempt' || (job.kind === 'review' && performer.kind.known !== null);
    return isRead ? performer.kind : null;
  }

  async #evidence({ work, before, kind, stream, proof, follow }: Watched, end: AttemptEnd): Promise<Evidence> {
    await follow.finish().catch(() => undefined);
    const report = await withReset(stream.end(), this.#parts.asStarted(work));
    const { calls, longest, output } = report;
    if (work.live.job.kind === 'review') {
      const problem = await this.#problem(work, report.writes);
      this.#keepAnswer(work.live.token, problem === null ? reviewAnswer(report.said) : unreadable(problem));
      return { output, ...(hasBegun(end) ? { agent: governed(this.#agentReport(work, report, end), proof) } : {}) };
    }
    // One that said how it ended counts as if it had ended itself.
    const hasExited = end.kind === 'exited' || (end.kind === 'killed' && stream.seen.isOver);
    const { token } = work.live;
    const isIdle = proof?.wasSeen === false && calls === 0 && report.tooLong === 0;
    const isLitter = litterOf(work.live.job, work.task, this.#parts.site.settings);
    const told = { writes: report.writes, isIdle, before, isLitter };
    const isShared = work.isolation === null;
    const { files, change } = hasExited && isShared ? await this.#done.changes(token, told) : unseen;
    const audit = kind.known === null || !isShared ? null : await this.#done.audit(token, report.writes);
    const answer = hasExited && work.task.keys.produces === 'text' ? this.#answer(work, kind, report) : null;
    const finding = hasExited ? this.#finding(work, answer) : null;
    return {
      output,
      ...(calls === null ? {} : { toolCalls: calls }),
      ...(change === 'own' || change === 'none' ? { changed: change === 'own' } : {}),
      ...(change === 'unclear' ? { unclear: true as const } : {}),
      ...(answer === null ? {} : { answered: answer !== '' }),
      ...(files.length === 0 ? {} : { files }),
      ...(audit === null ? {} : { audit }),
      ...(kind.known === null || !hasBegun(end)
        ? {}
        : { agent: governed(this.#agentReport(work, report, end), proof) }),
      ...(longest === null ? {} : { repeated: longest }),
      ...(finding === null ? {} : { finding }),
    };
  }

  async #endPlainReview(work: Work): Promise<undefined> {
    const problem = await this.#problem(work, []);
    if (problem !== null) this.#keepAnswer(work.live.token, unreadable(problem));
  }

  /** Why the answer of a reviewer is no review; null: it only looked. */
  #problem(work: Work, writes: readonly string[]): Promise<string | null> {
    const { trees } = this.#parts;
    return work.isolation === null ? this.#reviews.problem(work, writes) : trees.problem(work);
  }

  /** Until it is recorded. One review goes on at a time, so a few are more than enough. */
  #keepAnswer(token: number, answer: ReviewAnswer): void {
    this.#answers.set(token, answer);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > mostAnswers) this.#answers.delete(oldest!);
  }

  #agentReport(work: Work, report: StreamReport, end: AttemptEnd): AgentReport {
    const { task, live } = work;
    const { job } = live;
    const { settings, template, versions } = this.#parts.site;
    const root = this.#parts.trees.rootOf(work);
    const { agent, name, kind } = performerOf(job, task, settings) as Performer;
    const told = (job.kind === 'review' ? undefined : task.keys.model) ?? agent.model;
    const home = agentHome(this.#logs.folder, { kind: agent.kind, plan: work.plan.path, task: task.id });
    const model = told ?? kind.known?.ownModel?.used(home, report.session) ?? '';
    const errors = report.result === null ? this.#logs.errors(live, mostErrors) : '';
    const code = end.kind === 'exited' ? end.code : null;
    const talk = talkFor(work, settings, root);
    return agentReport(report, {
      ...{ root, by: name, model, prices: settings.prices ?? {}, code, errors },
      version: versions?.get(name) ?? null,
      // The debugging agent was told other words.
      told:
        job.kind === 'attempt' && job.escalated
          ? ''
          : toldAs({ ...work, ...rulesFor(work, this.#parts.site), ...(template === undefined ? {} : { template }) }),
      loads: kind.known?.loads?.(agent, this.#parts.asStarted(work).personal) ?? [],
      resumed: talk?.kind === 'goes-on' ? talk.conversation : null,
      countsFromBeginning: kind.known?.countsFromBeginning === true,
      classOfExit: kind.known?.classOfExit,
    });
  }

  /** The last message of a coding agent; all that any other program prints. */
  #answer({ live }: Work, kind: AgentKind, { said }: StreamReport): string {
    const text = kind.known === null ? this.#logs.tail(live, mostFinding) : said;
    return plainText(text).trim();
  }

  #finding({ live, task, plan }: Work, answer: string | null): string | null {
    const isEscalated = live.job.kind === 'attempt' && live.job.escalated === true;
    if (!isEscalated && !answer) return null;
    const said = answer ?? this.#logs.tail(live, mostFinding);
    const text = `# ${task.id}: ${task.title}\n\nWhat ${live.attempt} found out.\n\n${said}\n`;
    try {
      const { site } = this.#parts;
      const places = placesOf(site, [], plan.path);
      const written = writeFinding({ stateFolder: site.stateFolder, places, task: task.id, text, append: true });
      return written && relative(site.root, written.file).split(sep).join('/');
    } catch {
      return null; // the attempt counts also where nothing can be written
    }
  }

  async #prepareReview(work: Work): Promise<void> {
    const { plan, task, live, about } = work;
    const { keys } = task;
    const tokens = about?.ended.checkTokens ?? [];
    const checks = (keys.check ?? []).slice(0, about?.ended.checks ?? 0).map((command, i) => {
      const token = tokens[i];
      const tail = token === undefined ? '' : this.#logs.tail({ token, attempt: live.attempt }, mostLog);
      return { command, green: true, tail };
    });
    const { text: diff, cut: diffCut, notes } = await this.#diffForReview(work);
    if (work.isolation === null) await this.#reviews.begin(work, this.#readKind(work) !== null);
    if (!this.#preparing.delete(live.token)) return this.#reviews.forget(live.token);
    const material = { diff, diffCut, notes, checks };
    const parts = { plan, task, attempt: live.attempt, ...rulesFor(work, this.#parts.site) };
    this.#texts.set(live.token, reviewPrompt(parts, material));
    this.#watch(work, null);
  }

  /** Nobody reviews what nobody knows: the error is why there is no review. */
  async #diffForReview(work: Work): Promise<AttemptDiff> {
    const { attempt } = work.live;
    const token = work.about?.token ?? 0;
    try {
      return await (work.isolation === null ? this.#diff(token) : this.#parts.trees.diff(work));
    } catch (error) {
      const why = this.#unknown.get(token) ?? (error as Error).message;
      throw new Error(`what ${attempt} changed could not be determined: ${why}`, { cause: error });
    }
  }

  #diff(token: number): Promise<AttemptDiff> {
    const { site, store, environment } = this.#parts;
    return attemptDiff(snapshotPlace(site, environment), beforeName(store, token));
  }

  #savedDiff(id: string): string | null {
    const { site } = this.#parts;
    try {
      const shown = readSaved(site.stateFolder, id)?.files.map((file) => {
        const { path, was } = file;
        const { diff } = savedDiff(site, id, file);
        return `--- ${shownName(path)} as it is now\n+++ ${shownName(path)} as saved\n${diff ?? `(${was})\n`}`;
      });
      return shown?.join('').slice(0, mostSaved) ?? null;
    } catch {
      return null; // somebody removed it
    }
  }

  async #escalationText(work: Work): Promise<string> {
    const { plan, task, live, note } = work;
    const about = { plan: live.plan, task: live.task, before: live.token };
    const earlier = await earlierAttempts(this.#parts.store, this.#logs, about);
    const last = earlier.at(-1);
    // Of one that was stopped half way nothing is left in the workspace.
    const diff = last?.saved
      ? this.#savedDiff(last.saved)
      : await this.#diff(last?.token ?? 0).then(
          ({ text }) => text,
          () => null,
        );
    const rules = rulesFor(work, this.#parts.site);
    const parts = { plan, task, attempt: live.attempt, ...rules, ...(note === null ? {} : { note }) };
    return escalationPrompt(parts, { history: historyInWords(earlier, this.#logs), diff });
  }
}

const unreadable = (problem: string): ReviewAnswer => ({ verdict: 'unreadable', problem });

/** What it says about its work counts for nothing if nobody could hold it to its locks. */
const governed = (report: AgentReport, proof: HookProof | null): AgentReport =>
  proof?.hasFailed(report.class === 'done') ? { ...report, class: 'ungoverned' } : report;

/** No agent has told or cost anything before. */
const hasBegun = ({ kind }: AttemptEnd): boolean => kind !== 'unstartable' && kind !== 'never-started';
