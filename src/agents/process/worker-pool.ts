// Runs attempts as real processes on a pool of worker shells, one per attempt at once, started when first needed and used again.
// Measured: half the time of a plain Node spawn loop, because a small shell forks and not a big runner, and nothing besides
// the program is started per attempt. An end is observed only when nothing of the attempt is left alive.
import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { AttemptEnd } from '../../core/model/failure.ts';
import type { HostId, RunId } from '../../core/model/ids.ts';
import { Adoption } from './adoption.ts';
import { attemptEnd, callBack, unstartable } from './attempt-end.ts';
import { journalFile } from './attempt-files.ts';
import type { Adoptable, AttemptHost, Observation, StartOrder } from './attempt-host.ts';
import { findProgram } from './find-program.ts';
import { type JournalledAttempt, JournalReader, type WorkerWord } from './journal.ts';
import { TreeKill } from './kill-tree.ts';
import { orderLine } from './order-line.ts';
import { type ProcessSource, thisHost } from './process-identity.ts';
import { markerOf, ProcessTable } from './process-table.ts';
import { type Notice, WorkerShell } from './worker-shell.ts';

export interface WorkerPoolOptions {
  /** Unique in the world; together with the token it marks every process of an attempt. No spaces. */
  readonly workspace: string;
  /** Journals lie here; made if it is not there. */
  readonly folder: string;
  /** What every attempt gets before its own variables: see `baseEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
  /** May be called from the middle of anything but this pool's own methods. */
  readonly onObservation: (observation: Observation) => void;
  /** Processes of an attempt that is being ended, before they get a signal. */
  readonly onFound?: (token: number, pids: readonly number[]) => void;
  readonly host?: HostId;
  /** How long leftovers of an ended attempt may take to end when asked politely. */
  readonly sweepGraceMs?: number;
  readonly processSource?: ProcessSource;
  /** False: workers without a subreaper, as where there is no perl. */
  readonly subreaper?: boolean;
}

export function openWorkerPool(options: WorkerPoolOptions): AttemptHost {
  return new WorkerPool(options);
}

const mostTries = 3;

interface Attempt {
  readonly order: StartOrder;
  readonly line: string;
  /** How many workers it was given to. */
  readonly tries: number;
  readonly orderedAt: number;
  readonly worker: WorkerShell;
  started: boolean;
  /** The worker's last word about it. */
  word: WorkerWord | null;
  workerGone: boolean;
  /** Signals were sent before its end was heard. */
  killed: boolean;
  stopping: boolean;
  kill: TreeKill | null;
}

interface Journal {
  readonly descriptor: number;
  readonly reader: JournalReader;
}

/** How late a start may be noticed. */
const startsEveryMs = 15;

class WorkerPool implements AttemptHost {
  readonly #options: WorkerPoolOptions;
  readonly #table: ProcessTable;
  readonly #adoption: Adoption;
  readonly #perl: string | null;
  readonly #sweepGraceMs: number;
  /** Every token ever seen: what was started or adopted once is never started again. */
  readonly #known = new Set<number>();
  readonly #attempts = new Map<number, Attempt>();
  readonly #busy = new Map<WorkerShell, Attempt>();
  readonly #idle = new Map<RunId, WorkerShell[]>();
  readonly #journals = new Map<RunId, Journal>();
  #startsTimer: NodeJS.Timeout | null = null;
  #onWorkerGone: () => void = () => undefined;
  #deadOnArrival = 0;
  #closed = false;

  constructor(options: WorkerPoolOptions) {
    if (!/^[^\s\0]+$/.test(options.workspace))
      throw new Error(`not a workspace id: ${JSON.stringify(options.workspace)}`);
    this.#options = options;
    this.#table = new ProcessTable(options.processSource);
    this.#sweepGraceMs = options.sweepGraceMs ?? 1000;
    this.#perl = options.subreaper === false ? null : findProgram('perl', options.environment.PATH ?? '/usr/bin:/bin');
    this.#adoption = new Adoption({
      folder: options.folder,
      host: options.host ?? thisHost().id,
      table: this.#table,
      markerOf: (token) => this.#markerOf(token),
      sweepGraceMs: this.#sweepGraceMs,
      observe: (observation) => this.#observe(observation),
    });
  }

  start(order: StartOrder): void {
    const { token } = order;
    if (this.#closed || this.#known.has(token)) return;
    this.#known.add(token);
    const line = orderLine(order, this.#markerOf(token));
    if (line.kind === 'refused') return this.#refuse(token, unstartable(line.message, true));
    this.#assign(order, line.text, 1);
  }

  stop(token: number, graceMs: number): void {
    const attempt = this.#attempts.get(token);
    if (attempt === undefined) return this.#adoption.stop(token, graceMs);
    if (attempt.kill) return attempt.kill.hasten(graceMs);
    // With the claim in our hands, its worker will find it taken and say so.
    if (attempt.stopping || (!attempt.started && callBack(attempt.order.outputFile) === 'won')) {
      attempt.stopping = true;
      return;
    }
    attempt.stopping = true;
    this.#kill(attempt, { isQuiet: () => this.#isQuiet(attempt), insist: true, graceMs });
  }

  adopt(attempts: readonly Adoptable[]): void {
    if (this.#closed) return;
    const fresh = attempts.filter(({ token }) => !this.#known.has(token));
    for (const { token } of fresh) this.#known.add(token);
    this.#adoption.take(fresh);
  }

  lastOutputAt(token: number): number | undefined {
    const attempt = this.#attempts.get(token);
    const outputFile = attempt?.order.outputFile ?? this.#adoption.outputFile(token);
    if (outputFile === undefined) return undefined;
    // Both streams are appended to the file, so its time of change is the sign of life; no need to have read it.
    return statSync(outputFile, { throwIfNoEntry: false })?.mtimeMs ?? attempt?.orderedAt;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#startsTimer) clearTimeout(this.#startsTimer);
    const kills = [this.#adoption.close()];
    for (const [worker, { kill }] of this.#busy) {
      if (kill) kills.push(kill.abandon());
      worker.letGo();
    }
    this.#attempts.clear();
    const idle = new Set([...this.#idle.values()].flat());
    for (const worker of idle) worker.retire();
    const allGone = new Promise<void>((resolve) => {
      let left = idle.size;
      this.#onWorkerGone = () => --left === 0 && resolve();
      if (left === 0) resolve();
    });
    await Promise.race([Promise.all([allGone, ...kills]), delay(1000, undefined, { ref: false })]);
    for (const worker of idle) worker.letGo();
    for (const { descriptor } of this.#journals.values()) closeSync(descriptor);
    this.#journals.clear();
  }

  #assign(order: StartOrder, line: string, tries: number): void {
    const { token, run } = order;
    const worker = this.#idle.get(run)?.pop() ?? this.#startWorker(run);
    if (typeof worker === 'string') return this.#refuse(token, unstartable(worker, false));
    const attempt: Attempt = {
      order,
      line,
      tries,
      orderedAt: Date.now(),
      worker,
      started: false,
      word: null,
      workerGone: false,
      killed: false,
      stopping: false,
      kill: null,
    };
    this.#attempts.set(token, attempt);
    this.#busy.set(worker, attempt);
    worker.perform(line);
    this.#lookForStartsSoon();
  }

  #startWorker(run: RunId): WorkerShell | string {
    try {
      const worker = WorkerShell.start({
        journal: this.#journalOf(run),
        environment: this.#options.environment,
        // One that dies before it listens may be perl's fault: the third is a plain one.
        perl: this.#deadOnArrival < 2 ? this.#perl : null,
        onNotice: (notice) => this.#hear(notice),
        onGone: () => typeof worker !== 'string' && this.#lose(worker, run),
      });
      return worker;
    } catch (error) {
      return `the journal of the run cannot be opened: ${(error as Error).message}`;
    }
  }

  #journalOf(run: RunId): number {
    const known = this.#journals.get(run);
    if (known !== undefined) return known.descriptor;
    mkdirSync(this.#options.folder, { recursive: true, mode: 0o700 });
    const file = journalFile(this.#options.folder, run);
    const journal = { descriptor: openSync(file, 'a', 0o600), reader: new JournalReader(file) };
    this.#journals.set(run, journal);
    return journal.descriptor;
  }

  #hear({ token, word }: Notice): void {
    const attempt = this.#attempts.get(token);
    if (attempt === undefined || this.#closed) return;
    if (word !== 'claim' && word !== 'journal') this.#noteStart(attempt);
    attempt.word = word;
    attempt.killed = attempt.kill?.signalled ?? false;
    if (attempt.kill) attempt.kill.nudge();
    else if (typeof word !== 'number' || attempt.worker.leftovers() === false) this.#finish(attempt);
    else this.#sweep(attempt);
  }

  #noteStart(attempt: Attempt): void {
    if (attempt.started) return;
    attempt.started = true;
    this.#observe({ kind: 'started', token: attempt.order.token, supervisor: attempt.worker.identity });
  }

  /** One look in a while for all that were ordered meanwhile: most short attempts have ended before it, and cost none. */
  #lookForStartsSoon(): void {
    this.#startsTimer ??= setTimeout(() => {
      this.#startsTimer = null;
      this.#lookForStarts();
    }, startsEveryMs);
  }

  #lookForStarts(): void {
    const waiting = [...this.#attempts.values()].filter(({ started }) => !started);
    for (const run of new Set(waiting.map(({ order }) => order.run))) this.#journals.get(run)!.reader.advance();
    for (const attempt of waiting) {
      if (this.#journals.get(attempt.order.run)!.reader.attempt(attempt.order.token)) this.#noteStart(attempt);
      else this.#lookForStartsSoon();
    }
  }

  /** Without a subreaper this costs a look at all processes; attempts that end together share one. */
  #sweep(attempt: Attempt): void {
    this.#kill(attempt, { isQuiet: () => true, insist: attempt.word === null, graceMs: this.#sweepGraceMs });
  }

  #kill(attempt: Attempt, how: { isQuiet: () => boolean; insist: boolean; graceMs: number }): void {
    const worker = attempt.workerGone ? null : attempt.worker.identity;
    const { token } = attempt.order;
    const { isQuiet, insist, graceMs } = how;
    const onFound = (pids: readonly number[]) => this.#options.onFound?.(token, pids);
    attempt.kill = new TreeKill(
      this.#table,
      { marker: this.#markerOf(token), worker, isQuiet, insist, onFound },
      graceMs,
    );
    void attempt.kill.done.then(() => this.#closed || this.#finish(attempt));
  }

  #isQuiet(attempt: Attempt): boolean {
    if (attempt.word !== null || attempt.workerGone) return true;
    attempt.worker.wake();
    return false;
  }

  /** A worker has ended. Idle ones may; one with an attempt takes the exit code with it, but nothing else. */
  #lose(worker: WorkerShell, run: RunId): void {
    const idle = this.#idle.get(run);
    const place = idle?.indexOf(worker) ?? -1;
    if (place >= 0) idle!.splice(place, 1);
    this.#onWorkerGone();
    const attempt = this.#busy.get(worker);
    if (attempt === undefined || this.#closed) return;
    attempt.workerGone = true;
    if (!worker.wasReady && !attempt.stopping && attempt.tries < mostTries) return this.#tryAgain(attempt);
    // The notice comes after the journal's entry: what was not heard may still have been written.
    const entry = this.#journalEntry(attempt.order);
    attempt.word ??= entry?.ended ?? null;
    if (attempt.kill) attempt.kill.nudge();
    else if (entry !== undefined) this.#sweep(attempt);
    else {
      callBack(attempt.order.outputFile);
      this.#finish(attempt);
    }
  }

  /** It said nothing, so it has read nothing: the order can go to another worker. */
  #tryAgain({ worker, order, line, tries }: Attempt): void {
    this.#deadOnArrival++;
    this.#attempts.delete(order.token);
    this.#busy.delete(worker);
    this.#assign(order, line, tries + 1);
  }

  #journalEntry({ run, token }: StartOrder): JournalledAttempt | undefined {
    const { reader } = this.#journals.get(run)!;
    reader.advance();
    return reader.attempt(token);
  }

  #finish(attempt: Attempt): void {
    const { order, worker } = attempt;
    this.#attempts.delete(order.token);
    this.#busy.delete(worker);
    // Free before its end is told: whoever hears it may start the next one at once.
    if (!attempt.workerGone) this.#release(attempt);
    this.#observe({ kind: 'ended', token: order.token, end: this.#endOf(attempt) });
  }

  #release({ worker, order, kill }: Attempt): void {
    // What is still there after a sweep does not obey us: it must not be taken for the next attempt's.
    if (kill && worker.leftovers() === true) return worker.retire();
    const idle = this.#idle.get(order.run);
    if (idle) idle.push(worker);
    else this.#idle.set(order.run, [worker]);
  }

  #endOf({ word, killed, stopping, started, kill, worker, order }: Attempt): AttemptEnd {
    if (word === 'claim' && !existsSync(order.outputFile))
      return unstartable('its output file cannot be created', false);
    if (word !== null) return attemptEnd(word, { killed, program: order.argv[0] });
    if (kill !== null) return stopping ? { kind: 'killed', code: null } : { kind: 'lost' };
    // Its worker died before it could start anything. One that never came up would do so again, and for nothing.
    if (!started && !worker.wasReady) return unstartable('the shell to supervise it ended at once', false);
    return { kind: 'never-started' };
  }

  #refuse(token: number, end: AttemptEnd): void {
    queueMicrotask(() => this.#observe({ kind: 'ended', token, end }));
  }

  #observe(observation: Observation): void {
    if (!this.#closed) this.#options.onObservation(observation);
  }

  #markerOf(token: number): string {
    return markerOf(this.#options.workspace, token);
  }
}
