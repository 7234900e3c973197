// Looks at what agents do: whether anything in the workspace is another after an attempt, what became of its locked files, which
// calls it made. And gathers what reviewers and debugging agents have to be told before they start. Plain commands pass by it.
import { relative, sep } from 'node:path';
import type { AgentKind } from '../../agents/kind.ts';
import type { ToolCallReader } from '../../agents/kinds/tool-calls.ts';
import { performerOf } from '../../agents/performer.ts';
import { outputFile } from '../../agents/process/attempt-files.ts';
import { type Follow, followOutput } from '../../agents/process/output-tail.ts';
import { escalationPrompt } from '../../agents/prompt/escalation-prompt.ts';
import { reviewPrompt } from '../../agents/prompt/review-prompt.ts';
import type { AttemptEnd, Evidence } from '../../core/model/failure.ts';
import { readBeforeImage } from '../../files/before-image.ts';
import type { FileState } from '../../files/file-state.ts';
import { findDifferences } from '../../files/find-differences.ts';
import { savedDiff } from '../../files/saved-diff.ts';
import { readSaved } from '../../files/saved-manifest.ts';
import { treeFingerprint } from '../../files/tree-fingerprint.ts';
import { placesOf } from '../../status/output-places.ts';
import { writeFinding } from '../../status/write-finding.ts';
import type { Store } from '../../store/store.ts';
import { attemptDiff } from './attempt-diff.ts';
import { earlierAttempts, historyInWords } from './attempt-history.ts';
import { beforeName } from './files-of-attempts.ts';
import type { Ground } from './ground.ts';
import { TaskLogs } from './task-logs.ts';
import type { Work } from './work.ts';

export interface WitnessParts {
  readonly ground: Ground;
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

export class AgentWitness {
  readonly #parts: WitnessParts;
  readonly #logs: TaskLogs;
  readonly #watched = new Map<number, Watched>();
  /** What those are told who do not get the usual words, by token. */
  readonly #texts = new Map<number, string>();
  /** Those that may be called back before all about them is known. */
  readonly #preparing = new Set<number>();

  constructor(parts: WitnessParts) {
    this.#parts = parts;
    this.#logs = new TaskLogs(parts.ground, parts.store);
  }

  before(work: Work): Promise<void> | null {
    const isReview = work.live.job.kind === 'review';
    if (!isReview && this.#callsOf(work) === null) return null;
    this.#preparing.add(work.live.token);
    return isReview ? this.#prepareReview(work) : this.#prepareAttempt(work);
  }

  adopted(work: Work): void {
    this.#watch(work, null);
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
    const before = await treeFingerprint(this.#parts.ground.root);
    if (!this.#preparing.delete(token)) return;
    if (text !== null) this.#texts.set(token, text);
    this.#watch(work, before);
  }

  #watch(work: Work, before: string | null): void {
    const { live, sameCalls } = work;
    const calls = this.#callsOf(work)?.((call, times) => {
      // Again and again, because it may not be ours to end yet; but not for each of a million.
      if (sameCalls > 0 && times % sameCalls === 0) this.#parts.onLooping(live.token, call, times);
    });
    if (calls === undefined) return;
    const follow = followOutput(outputFile(this.#logs.folder, live), (text) => calls.feed(text));
    this.#watched.set(live.token, { work, before, calls, follow });
  }

  /** Null: it is no attempt of an agent, or of one that makes no calls. */
  #callsOf({ task, live: { job } }: Work): AgentKind['toolCalls'] {
    const performer = performerOf(job, task, this.#parts.ground.settings);
    return job.kind === 'attempt' && 'kind' in performer ? performer.kind.toolCalls : null;
  }

  async #evidence({ work, before, calls, follow }: Watched, end: AttemptEnd): Promise<Evidence> {
    const { root } = this.#parts.ground;
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
    const { ground, store } = this.#parts;
    const image = readBeforeImage(ground.stateFolder, beforeName(store, token));
    if (image === null) return [];
    const { files } = await findDifferences(ground.root, image);
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
      const { ground } = this.#parts;
      const places = placesOf(ground, [], plan.path);
      const written = writeFinding({ root: ground.root, places, task: task.id, text, append: true });
      return written && relative(ground.root, written.file).split(sep).join('/');
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
    const { ground, store, environment } = this.#parts;
    const { root, stateFolder: folder } = ground;
    return attemptDiff({ root, folder, environment, image: beforeName(store, token) });
  }

  #savedDiff(id: string): string | null {
    const { ground } = this.#parts;
    try {
      const shown = readSaved(ground.stateFolder, id)?.files.map((file) => {
        const { path, was } = file;
        const { diff } = savedDiff(ground, id, file);
        return `--- ${path} as it is now\n+++ ${path} as saved\n${diff ?? `(${was})\n`}`;
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
    const diff = last?.saved ? this.#savedDiff(last.saved) : (await this.#diff(last?.token ?? 0)).text;
    const parts = { plan, task, attempt: live.attempt, ...(note === null ? {} : { note }) };
    return escalationPrompt(parts, { history: historyInWords(earlier, this.#logs), diff });
  }
}

function hashOf(state: FileState): string {
  if (state.kind === 'file') return `${state.sha256}:${state.mode.toString(8)}`;
  return state.kind === 'symlink' ? `link:${state.target}` : state.kind;
}
