// Takes over what an earlier runner on this host was doing: learns from its journal how attempts ended, watches those that still
// run, and calls back those that never started. Nothing is guessed: what left no record is lost.
import { type FSWatcher, watch } from 'node:fs';
import type { HostId, ProcessIdentity, RunId } from '../../core/model/ids.ts';
import { attemptEnd, callBack } from './attempt-end.ts';
import { journalFile } from './attempt-files.ts';
import type { Adoptable, Observation } from './attempt-host.ts';
import { JournalReader } from './journal.ts';
import { TreeKill } from './kill-tree.ts';
import { isAlive } from './process-identity.ts';
import type { ProcessTable } from './process-table.ts';

export interface AdoptionOptions {
  readonly folder: string;
  readonly host: HostId;
  readonly table: ProcessTable;
  readonly markerOf: (token: number) => string;
  readonly sweepGraceMs: number;
  readonly observe: (observation: Observation) => void;
}

/** How often the living are looked at. Ends are noticed through a watch on the journal, within 1 ms in 30 of 30 cases. */
const pollMs = 1000;

interface Adopted extends Adoptable {
  /** The worker around it, once it is known that it was alive. */
  worker: ProcessIdentity | null;
  /** Asked for before it was clear whether it runs. */
  stopWithin: number | null;
  kill: TreeKill | null;
}

interface Journal {
  readonly reader: JournalReader;
  readonly adopted: Map<number, Adopted>;
  watcher: FSWatcher | null;
}

export class Adoption {
  readonly #options: AdoptionOptions;
  readonly #journals = new Map<RunId, Journal>();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: AdoptionOptions) {
    this.#options = options;
  }

  take(attempts: readonly Adoptable[]): void {
    if (attempts.length === 0) return;
    for (const attempt of attempts) {
      const journal = this.#journalOf(attempt.run);
      journal.adopted.set(attempt.token, { ...attempt, worker: null, stopWithin: null, kill: null });
    }
    // Nothing is observed before the caller has returned.
    queueMicrotask(() => this.#lookAtAll());
    this.#timer ??= setInterval(() => this.#lookAtAll(), pollMs);
  }

  outputFile(token: number): string | undefined {
    return this.#find(token)?.adopted.outputFile;
  }

  stop(token: number, graceMs: number): void {
    const found = this.#find(token);
    if (found === null) return;
    const { journal, adopted } = found;
    if (adopted.kill) adopted.kill.hasten(graceMs);
    else if (adopted.worker) this.#kill(journal, adopted, graceMs);
    else adopted.stopWithin = Math.min(adopted.stopWithin ?? graceMs, graceMs);
  }

  async close(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    const kills: Promise<void>[] = [];
    for (const { watcher, adopted } of this.#journals.values()) {
      watcher?.close();
      for (const { kill } of adopted.values()) if (kill) kills.push(kill.abandon());
    }
    this.#journals.clear();
    await Promise.all(kills);
  }

  #find(token: number): { journal: Journal; adopted: Adopted } | null {
    for (const journal of this.#journals.values()) {
      const adopted = journal.adopted.get(token);
      if (adopted) return { journal, adopted };
    }
    return null;
  }

  #journalOf(run: RunId): Journal {
    const known = this.#journals.get(run);
    if (known) return known;
    const file = journalFile(this.#options.folder, run);
    const journal: Journal = { reader: new JournalReader(file), adopted: new Map(), watcher: null };
    try {
      journal.watcher = watch(file, () => this.#look(run, journal));
      journal.watcher.on('error', () => journal.watcher?.close()); // the poll goes on
    } catch {
      journal.watcher = null; // no journal, or no watches left: the poll does it
    }
    this.#journals.set(run, journal);
    return journal;
  }

  #lookAtAll(): void {
    for (const [run, journal] of this.#journals) this.#look(run, journal);
  }

  #look(run: RunId, journal: Journal): void {
    if (this.#journals.get(run) !== journal) return; // closed, or done with
    journal.reader.advance();
    for (const adopted of journal.adopted.values()) {
      if (adopted.kill) adopted.kill.nudge();
      else this.#judge(journal, adopted);
    }
    if (journal.adopted.size > 0) return;
    journal.watcher?.close();
    this.#journals.delete(run);
    if (this.#journals.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #judge(journal: Journal, adopted: Adopted): void {
    const entry = journal.reader.attempt(adopted.token);
    if (entry === undefined) return this.#judgeUnstarted(journal, adopted);
    if (entry.ended !== null) return this.#sweep(journal, adopted);
    const worker = adopted.supervisor ?? entry.worker;
    if (worker === null || isAlive(worker, this.#options.host) !== true) {
      journal.reader.advance(); // its last word may have come between the two looks
      return this.#sweep(journal, adopted);
    }
    if (adopted.worker) return;
    adopted.worker = worker;
    this.#options.observe({ kind: 'started', token: adopted.token, supervisor: worker });
    if (adopted.stopWithin !== null && adopted.kill === null) this.#kill(journal, adopted, adopted.stopWithin);
  }

  /** The journal says nothing about it: its order lies in a pipe, or its worker is between the claim and the journal. */
  #judgeUnstarted(journal: Journal, adopted: Adopted): void {
    const claim = callBack(adopted.outputFile);
    if (claim === 'unknown') return; // asked again with the next poll
    if (claim !== 'taken') return this.#done(journal, adopted, { kind: 'never-started' });
    const { host } = this.#options;
    const hosts = journal.reader.hosts();
    // After a crash of the whole machine the journal's last lines may be missing: then nobody knows.
    const isFromElsewhere = adopted.supervisor ? adopted.supervisor.host !== host : !hosts.has(host);
    if (isFromElsewhere) return this.#done(journal, adopted, { kind: 'lost' });
    // A worker that is in the middle of another attempt is not about to start this one; the others, without a runner, go.
    if (journal.reader.unoccupiedWorkers().some((worker) => isAlive(worker, host) === true)) {
      setTimeout(() => this.#look(adopted.run, journal), 10);
      return;
    }
    journal.reader.advance();
    if (journal.reader.attempt(adopted.token)) this.#judge(journal, adopted);
    else this.#done(journal, adopted, { kind: 'never-started' });
  }

  /** It has ended by itself, or its worker is dead: what it left behind dies, then its end is observed. */
  #sweep(journal: Journal, adopted: Adopted): void {
    const { table, markerOf, sweepGraceMs } = this.#options;
    const entry = journal.reader.attempt(adopted.token);
    const ended = entry?.ended ?? null;
    const marker = markerOf(adopted.token);
    const target = { marker, worker: null, isQuiet: () => true, insist: ended === null };
    adopted.kill = new TreeKill(table, target, Math.min(sweepGraceMs, adopted.stopWithin ?? sweepGraceMs));
    void adopted.kill.done.then(() => {
      const end = ended === null ? ({ kind: 'lost' } as const) : attemptEnd(ended, { killed: false });
      this.#done(journal, adopted, end);
    });
  }

  #kill(journal: Journal, adopted: Adopted, graceMs: number): void {
    const { table, markerOf, host } = this.#options;
    const worker = adopted.worker!;
    const { reader } = journal;
    const isQuiet = (): boolean => {
      const isGone = isAlive(worker, host) !== true;
      reader.advance();
      return isGone || reader.attempt(adopted.token)?.ended != null;
    };
    const kill = new TreeKill(table, { marker: markerOf(adopted.token), worker, isQuiet, insist: true }, graceMs);
    adopted.kill = kill;
    void kill.done.then(() => {
      reader.advance();
      const ended = reader.attempt(adopted.token)?.ended ?? null;
      const end =
        ended === null ? ({ kind: 'killed', code: null } as const) : attemptEnd(ended, { killed: kill.signalled });
      this.#done(journal, adopted, end);
    });
  }

  #done(journal: Journal, adopted: Adopted, end: (Observation & { kind: 'ended' })['end']): void {
    // Let go of meanwhile: nothing is observed, and whoever adopts next finds out again.
    if (this.#journals.get(adopted.run) !== journal || !journal.adopted.delete(adopted.token)) return;
    this.#options.observe({ kind: 'ended', token: adopted.token, end });
  }
}
