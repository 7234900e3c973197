// A store as one process has it: the real one on a log in memory, with delays, crashes before and after the commit, outages and
// late hints in between. What was committed stays; the process that dies never hears of it.
import type { StoredEvent } from '../../../src/core/model/event.ts';
import type { State } from '../../../src/core/state/state.ts';
import { CachedStore } from '../../../src/store/cached-store.ts';
import type { Log, LogTransaction, LogView } from '../../../src/store/log.ts';
import { MemoryHandle } from '../../../src/store/memory/memory-handle.ts';
import type { MemoryLog } from '../../../src/store/memory/memory-log.ts';
import { Outage } from '../../../src/store/outage.ts';
import type { EventQuery, Store, StoreClock, Transaction } from '../../../src/store/store.ts';
import type { Random } from '../random.ts';
import type { Tally } from '../tally.ts';
import type { SimProcess } from './sim-process.ts';

export type CommitFault = 'crash-before-commit' | 'crash-after-commit' | 'outage-before-commit' | 'outage-after-commit';

export interface StoreTrouble {
  /** What is to happen to the next commit that writes something; taken by whoever comes first. */
  takeCommitFault(process: SimProcess): CommitFault | null;
  latencyMs(): number;
  calm(): boolean;
}

/** Is told of everything that becomes durable, and of what a process believes afterwards. */
export interface Witness {
  /** `written`: what the process was told is committed; `copy`: its state after it, now and then. */
  committed(written: readonly StoredEvent[], copy: Copy | null): void;
  /** Whether the copy of this transaction is to be compared. */
  wantsCopy(): boolean;
  print(state: State): string;
}

export interface Copy {
  readonly seq: number;
  readonly print: string;
}

export interface FaultyStoreParts {
  readonly log: MemoryLog;
  readonly clock: StoreClock;
  readonly process: SimProcess;
  readonly random: Random;
  readonly tally: Tally;
  readonly trouble: StoreTrouble;
  readonly witness: Witness;
  /** To plant a bug. */
  readonly wrapLog?: ((log: Log) => Log) | undefined;
  readonly wrapTransaction?: ((tx: Transaction) => Transaction) | undefined;
}

export function openFaultyStore(parts: FaultyStoreParts): Store {
  const handle = new MemoryHandle(parts.log, parts.clock);
  const log = new FaultyLog(parts.wrapLog ? parts.wrapLog(handle) : handle, parts);
  return new WitnessedStore(new CachedStore(log, parts.log.rows.length, parts.clock), log, parts);
}

class Crash extends Error {}

class FaultyLog implements Log {
  readonly workspace: string;
  copy: Copy | null = null;
  private readonly inner: Log;
  private readonly parts: FaultyStoreParts;

  constructor(inner: Log, parts: FaultyStoreParts) {
    this.inner = inner;
    this.parts = parts;
    this.workspace = inner.workspace;
  }

  async read<T>(body: (view: LogView) => Promise<T>): Promise<T> {
    await this.parts.process.sleep(this.parts.trouble.latencyMs());
    const result = await this.inner.read(body);
    return this.parts.process.alive ? result : this.parts.process.never();
  }

  async write<T>(body: (tx: LogTransaction) => Promise<T>): Promise<T> {
    const { process, trouble, witness } = this.parts;
    await process.sleep(trouble.latencyMs());
    this.copy = null;
    const written: StoredEvent[] = [];
    const fault: { kind: CommitFault | null } = { kind: null };
    let result: T;
    try {
      result = await this.inner.write(async (tx) => {
        const answer = await body(remember(tx, written));
        if (written.length > 0) fault.kind = trouble.takeCommitFault(process);
        if (fault.kind === 'crash-before-commit') throw new Crash();
        if (fault.kind === 'outage-before-commit') throw new Outage('io', 'simulated: nothing was written');
        return answer;
      });
    } catch (error) {
      if (fault.kind) this.parts.tally.fired(fault.kind);
      if (!(error instanceof Crash)) throw error;
      process.die();
      return process.never();
    }
    witness.committed(written, this.copy);
    if (fault.kind) this.parts.tally.fired(fault.kind);
    if (fault.kind === 'crash-after-commit') process.die();
    if (fault.kind === 'outage-after-commit') throw new Outage('io', 'simulated: it was written, but who knows');
    // A copy in memory is not there at once either: the process may be killed between the commit and its own knowing of it.
    await process.sleep(trouble.latencyMs());
    return result;
  }

  watch(hint: () => void): () => void {
    const { process, random, tally, trouble } = this.parts;
    return this.inner.watch(() => {
      const isLate = !trouble.calm() && random.chance(0.1);
      if (isLate) tally.fired('hint-late');
      process.after(isLate ? random.int(100, 1_000) : random.int(0, 20), hint);
      if (trouble.calm() || !random.chance(0.02)) return;
      tally.fired('hint-for-nothing');
      process.after(random.int(0, 1_000), hint);
    });
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}

function remember(tx: LogTransaction, written: StoredEvent[]): LogTransaction {
  return {
    now: () => tx.now(),
    events: (query) => tx.events(query),
    snapshotMark: () => tx.snapshotMark(),
    snapshot: () => tx.snapshot(),
    keepSnapshot: (snapshot) => tx.keepSnapshot(snapshot),
    append: (events) => {
      written.push(...events);
      return tx.append(events);
    },
  };
}

/** Takes a print of the process's own copy of the state, to be compared with the log folded from nothing. */
class WitnessedStore implements Store {
  private readonly inner: Store;
  private readonly log: FaultyLog;
  private readonly parts: FaultyStoreParts;

  constructor(inner: Store, log: FaultyLog, parts: FaultyStoreParts) {
    this.inner = inner;
    this.log = log;
    this.parts = parts;
  }

  get workspace(): string {
    return this.inner.workspace;
  }

  transact<T>(work: (tx: Transaction) => T): Promise<T> {
    const { witness, wrapTransaction } = this.parts;
    return this.inner.transact((tx) => {
      const result = work(wrapTransaction ? wrapTransaction(tx) : tx);
      if (witness.wantsCopy()) this.log.copy = { seq: tx.state.seq, print: witness.print(tx.state) };
      return result;
    });
  }

  read<T>(look: (state: State, now: number) => T): Promise<T> {
    return this.inner.read(look);
  }

  events(query: EventQuery): Promise<StoredEvent[]> {
    return this.inner.events(query);
  }

  subscribe(listener: (events: readonly StoredEvent[]) => void): () => void {
    return this.inner.subscribe(listener);
  }

  watch(hint: () => void): () => void {
    return this.inner.watch(hint);
  }

  snapshot(): Promise<void> {
    return this.inner.snapshot();
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}
