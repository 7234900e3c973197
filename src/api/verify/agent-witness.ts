// Looks at what agents do: whether anything in the workspace is another after an attempt, what became of its locked files, which
// calls it made. And gathers what reviewers and debugging agents have to be told before they start. Plain commands pass by it.
import { relative, sep } from 'node:path';
import { outputFile } from '../../agents/attempt-files.ts';
import { escalationPrompt } from '../../agents/escalation-prompt.ts';
import { type Follow, followOutput } from '../../agents/output-tail.ts';
import { reviewPrompt } from '../../agents/review-prompt.ts';
import { ToolCallReader } from '../../agents/tool-calls.ts';
import type { AttemptEnd, Evidence } from '../../core/failure.ts';
import { readBeforeImage } from '../../git/before-image.ts';
import type { FileState } from '../../git/file-state.ts';
import { findDifferences } from '../../git/find-differences.ts';
import { treeFingerprint } from '../../git/tree-fingerprint.ts';
import type { Witness, Work } from '../../runner/work.ts';
import { writeFinding } from '../../status/write-finding.ts';
import type { Store } from '../../store/store.ts';
import { beforeName } from '../locks/files-of-attempts.ts';
import { savedShowReport } from '../saved/saved-work.ts';
import { placesOf } from '../status/places-of.ts';
import type { Workspace } from '../workspace.ts';
import { attemptDiff } from './attempt-diff.ts';
import { earlierAttempts, historyInWords } from './attempt-history.ts';
import { TaskLogs } from './task-logs.ts';

export interface WitnessParts {
  readonly workspace: Workspace;
  readonly store: Store;
  readonly environment: Readonly<Record<string, string>>;
  readonly onLooping: (token: number, call: string, times: number) => void;
}

interface Watched {
  readonly work: Work;
  /** Null: not known, because the tree is too large or an earlier runner started it. */
  readonly before: string | null;
  readonly calls: ToolCallReader;
  readonly follow: Follow;
}

const mostFiles = 50;
const mostLog = 4_000;
const mostFinding = 64_000;
const mostSaved = 100_000;

export class AgentWitness implements Witness {
  readonly #parts: WitnessParts;
  readonly #logs: TaskLogs;
  readonly #watched = new Map<number, Watched>();
  /** What those are told who do not get the usual words, by token. */
  readonly #texts = new Map<number, string>();
  /** Those that may be called back before all about them is known. */
  readonly #preparing = new Set<number>();

  constructor(parts: WitnessParts) {
    this.#parts = parts;
    this.#logs = new TaskLogs(parts.workspace, parts.store);
  }

  before(work: Work): Promise<void> | null {
    const isReview = work.live.job.kind === 'review';
    if (!isReview && !isAgents(work)) return null;
    this.#preparing.add(work.live.token);
    return isReview ? this.#prepareReview(work) : this.#prepareAttempt(work);
  }

  adopted(work: Work): void {
    if (isAgents(work)) this.#watch(work, null);
  }

  textFor(token: number): string | undefined {
    return this.#texts.get(token);
  }

  after(token: number, end: AttemptEnd): Promise<Evidence | undefined> | null {
    this.#texts.delete(token);
    this.#preparing.delete(token);
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
    const before = await treeFingerprint(this.#parts.workspace.root);
    if (!this.#preparing.delete(token)) return;
    if (text !== null) this.#texts.set(token, text);
    this.#watch(work, before);
  }

  #watch(work: Work, before: string | null): void {
    const { live, sameCalls } = work;
    const calls = new ToolCallReader((call, times) => {
      // Again and again, because it may not be ours to end yet; but not for each of a million.
      if (sameCalls > 0 && times % sameCalls === 0) this.#parts.onLooping(live.token, call, times);
    });
    const follow = followOutput(outputFile(this.#logs.folder, live), (text) => calls.feed(text));
    this.#watched.set(live.token, { work, before, calls, follow });
  }

  async #evidence({ work, before, calls, follow }: Watched, end: AttemptEnd): Promise<Evidence> {
    const { root } = this.#parts.workspace;
    await follow.finish().catch(() => undefined);
    const { count, longest, output } = calls.end();
    const hasExited = end.kind === 'exited';
    const after = hasExited && before !== null ? await treeFingerprint(root) : null;
    const files = hasExited ? await this.#files(work.live.token).catch(() => []) : [];
    const finding = hasExited ? this.#finding(work) : null;
    return {
      output,
      ...(count === null ? {} : { toolCalls: count }),
      ...(after === null ? {} : { changed: after !== before || files.length > 0 }),
      ...(files.length === 0 ? {} : { files }),
      ...(longest === null ? {} : { repeated: longest }),
      ...(finding === null ? {} : { finding }),
    };
  }

  async #files(token: number): Promise<NonNullable<Evidence['files']>> {
    const { workspace, store } = this.#parts;
    const image = readBeforeImage(workspace.stateFolder, beforeName(store, token));
    if (image === null) return [];
    const { files } = await findDifferences(workspace.root, image);
    return files
      .slice(0, mostFiles)
      .flatMap(({ path, stateBefore, now }) =>
        stateBefore === null ? [] : { file: path, before: hashOf(stateBefore), after: hashOf(now) },
      );
  }

  #finding({ live, task, plan }: Work): string | null {
    if (live.job.kind !== 'attempt' || !live.job.escalated) return null;
    const said = this.#logs.tail(live, mostFinding);
    const text = `# ${task.id}: ${task.title}\n\nWhat ${live.attempt} found out.\n\n${said}\n`;
    try {
      const { workspace } = this.#parts;
      const places = placesOf(workspace, [], plan.path);
      const written = writeFinding({ root: workspace.root, places, task: task.id, text, append: true });
      return written && relative(workspace.root, written.file).split(sep).join('/');
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
    const { text: diff, cut: diffCut } = await this.#diff(about?.token ?? 0);
    if (!this.#preparing.delete(live.token)) return;
    this.#texts.set(live.token, reviewPrompt({ plan, task, attempt: live.attempt }, { diff, diffCut, checks }));
  }

  #diff(token: number) {
    const { workspace, store, environment } = this.#parts;
    const { root, stateFolder: folder } = workspace;
    return attemptDiff({ root, folder, environment, image: beforeName(store, token) });
  }

  #savedDiff(id: string): string | null {
    try {
      const { files } = savedShowReport(this.#parts.workspace, id);
      const shown = files.map(
        ({ path, diff, was }) => `--- ${path} as it is now\n+++ ${path} as saved\n${diff ?? `(${was})\n`}`,
      );
      return shown.join('').slice(0, mostSaved);
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
    const diff = last?.saved ? this.#savedDiff(last.saved) : (await this.#diff(last?.token ?? 0)).text;
    const parts = { plan, task, attempt: live.attempt, ...(note === null ? {} : { note }) };
    return escalationPrompt(parts, { history: historyInWords(earlier, this.#logs), diff });
  }
}

/** Performed by an agent, not by a command of the plan. */
const isAgents = ({ task, live: { job } }: Work): boolean =>
  job.kind === 'attempt' && (job.agent !== undefined || task.keys.run === undefined);

function hashOf(state: FileState): string {
  if (state.kind === 'file') return `${state.sha256}:${state.mode.toString(8)}`;
  return state.kind === 'symlink' ? `link:${state.target}` : state.kind;
}
