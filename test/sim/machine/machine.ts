// One simulated machine: supervisors and agents that outlive the runner which ordered them, the claims and the journal they
// leave behind. It knows the truth about every process; the checker asks it, and never the log. A reboot ends all processes
// and keeps the files, but for the last lines of the journal.
import type { StartOrder } from '../../../src/agents/process/attempt-host.ts';
import type { WorkerWord } from '../../../src/agents/process/journal.ts';
import { hostId, type ProcessIdentity } from '../../../src/core/model/ids.ts';
import type { Behaviour } from '../people/behaviour.ts';
import type { Random } from '../random.ts';
import type { Tally } from '../tally.ts';
import type { SimProcess } from './sim-process.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** A supervisor: takes one order at a time from its runner. */
export interface Worker {
  readonly identity: ProcessIdentity;
  readonly runner: SimProcess;
  alive: boolean;
  busy: boolean;
}

export interface Agent {
  readonly startedAt: number;
  endedAt: number | null;
  /** How it ended; null: not yet, or nobody knows. */
  code: number | null;
  /** When we first sent it a signal. */
  signalledAt: number | null;
  readonly behaviour: Behaviour;
}

/** All that the machine has of one attempt. */
export interface Slip {
  readonly token: number;
  readonly boot: number;
  /** Its order was given to a supervisor. */
  ordered: boolean;
  claim: 'free' | 'taken' | 'called-back';
  claimedBy: Worker | null;
  journal: { readonly worker: Worker; readonly at: number; ended: WorkerWord | null; endedAt: number } | null;
  agent: Agent | null;
  /** Its supervisor died, or the machine: how it ended may be known to nobody. */
  untold: boolean;
  readonly watchers: Set<(what: 'journal' | 'worker-gone') => void>;
}

export interface MachineParts {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly tally: Tally;
  readonly behaviourOf: (order: StartOrder) => Behaviour;
  readonly onAgentStart: (slip: Slip) => void;
  readonly onAgentEnd: (slip: Slip) => void;
}

/** What was written this shortly before a crash of the whole machine may be gone. */
const unflushedMs = 2_000;

export class Machine {
  boot = 1;
  readonly slips = new Map<number, Slip>();
  private readonly parts: MachineParts;
  private workers: Worker[] = [];
  private lastPid = 100;

  constructor(parts: MachineParts) {
    this.parts = parts;
  }

  identify(): ProcessIdentity {
    this.lastPid++;
    return { host: hostId(`boot${this.boot}`), pid: this.lastPid, startTime: `${this.parts.clock.now()}` };
  }

  slip(token: number): Slip {
    let slip = this.slips.get(token);
    if (!slip) {
      slip = {
        token,
        boot: this.boot,
        ordered: false,
        claim: 'free',
        claimedBy: null,
        journal: null,
        agent: null,
        untold: false,
        watchers: new Set(),
      };
      this.slips.set(token, slip);
    }
    return slip;
  }

  isAlive(slip: Slip): boolean {
    return slip.agent !== null && slip.agent.endedAt === null;
  }

  startWorker(runner: SimProcess): Worker {
    const worker: Worker = { identity: this.identify(), runner, alive: true, busy: false };
    this.workers.push(worker);
    // Without its runner an idle supervisor finds its pipe closed; a busy one does so later.
    runner.onDeath(() => this.retire(worker));
    return worker;
  }

  retire(worker: Worker): void {
    if (!worker.busy) worker.alive = false;
  }

  /** The order is in the pipe: from here on nobody can take it back but by the claim. */
  perform(order: StartOrder, worker: Worker, afterMs: number): void {
    const slip = this.slip(order.token);
    worker.busy = true;
    slip.ordered = true;
    this.later(afterMs, () => {
      if (!worker.alive) return;
      if (!worker.runner.alive) this.parts.tally.fired('order-outlived-its-runner');
      if (slip.claim !== 'free') return this.journalClaimLost(slip, worker);
      slip.claim = 'taken';
      slip.claimedBy = worker;
      this.later(this.parts.random.int(0, 3), () => worker.alive && this.startAgent(slip, worker, order));
    });
  }

  /** Takes the claim, as one who gives the attempt up does. */
  callBack(slip: Slip): 'won' | 'taken' | 'called-back' {
    if (slip.claim === 'called-back') return 'called-back';
    if (slip.claim === 'taken') return 'taken';
    slip.claim = 'called-back';
    this.parts.tally.fired('called-back');
    return 'won';
  }

  /** Sends a signal to all of the attempt's processes; says whether there were any. */
  signal(slip: Slip, how: 'polite' | 'kill'): boolean {
    const { agent } = slip;
    if (!agent || agent.endedAt !== null) return false;
    const isFirst = agent.signalledAt === null;
    agent.signalledAt ??= this.parts.clock.now();
    const { politeEnd } = agent.behaviour;
    if (how === 'kill') {
      if (!isFirst && politeEnd === null) this.parts.tally.fired('polite-stop-ignored');
      this.endAgent(slip, 137);
    } else if (isFirst && politeEnd) {
      this.later(politeEnd.afterMs, () => {
        if (agent.endedAt !== null) return;
        if (politeEnd.code === 0) this.parts.tally.fired('exited-0-after-a-kill');
        this.endAgent(slip, politeEnd.code);
      });
    }
    return true;
  }

  lastOutputAt(slip: Slip): number | undefined {
    const { agent } = slip;
    if (!agent) return undefined;
    const { printEveryMs, silentAfterMs } = agent.behaviour;
    const until = Math.min(this.parts.clock.now(), agent.endedAt ?? Number.POSITIVE_INFINITY);
    const lived = Math.min(until - agent.startedAt, silentAfterMs);
    return agent.startedAt + Math.floor(lived / printEveryMs) * printEveryMs;
  }

  /** A supervisor dies in the middle of an attempt; its agent lives on and nobody will note its end. */
  loseWorker(): boolean {
    const busy = this.workers.filter((worker) => worker.alive && worker.busy);
    if (busy.length === 0) return false;
    this.killWorker(this.parts.random.pick(busy));
    return true;
  }

  reboot(): void {
    const { clock, random, tally } = this.parts;
    this.boot++;
    for (const worker of this.workers) worker.alive = false;
    this.workers = [];
    for (const slip of this.slips.values()) {
      if (this.isAlive(slip)) {
        slip.untold = true;
        slip.agent!.endedAt = clock.now();
        this.parts.onAgentEnd(slip);
      }
      const { journal } = slip;
      if (slip.claim === 'taken' && journal?.ended == null) slip.untold = true;
      if (!journal || !random.chance(0.5)) continue;
      if (journal.ended !== null && journal.endedAt > clock.now() - unflushedMs) {
        journal.ended = null;
        slip.untold = true;
        tally.fired('journal-tail-lost');
      }
      if (journal.at > clock.now() - unflushedMs) {
        slip.journal = null;
        slip.untold = true;
        tally.fired('journal-tail-lost');
      }
    }
  }

  private startAgent(slip: Slip, worker: Worker, order: StartOrder): void {
    const { clock, tally } = this.parts;
    const behaviour = this.parts.behaviourOf(order);
    slip.journal = { worker, at: clock.now(), ended: null, endedAt: 0 };
    if (behaviour.kind === 'unstartable' || behaviour.kind === 'unstartable-once') {
      tally.fired('agent-unstartable');
      return this.journalEnd(slip, worker, behaviour.kind === 'unstartable' ? 'u127' : 'cd');
    }
    if (behaviour.kind === 'bad') tally.fired('agent-failed');
    if (behaviour.kind === 'hanging') tally.fired('agent-hung');
    if (behaviour.kind === 'silent') tally.fired('agent-silent');
    slip.agent = { startedAt: clock.now(), endedAt: null, code: null, signalledAt: null, behaviour };
    this.parts.onAgentStart(slip);
    this.tell(slip, 'journal');
    const { durationMs, exitCode, cursedAfterMs } = behaviour;
    if (cursedAfterMs < durationMs) this.later(cursedAfterMs, () => worker.alive && this.killWorker(worker));
    if (durationMs < Number.POSITIVE_INFINITY) this.later(durationMs, () => this.endAgent(slip, exitCode));
  }

  private endAgent(slip: Slip, code: number): void {
    const agent = slip.agent!;
    if (agent.endedAt !== null) return;
    agent.endedAt = this.parts.clock.now();
    agent.code = code;
    this.parts.onAgentEnd(slip);
    const { worker } = slip.journal!;
    this.later(this.parts.random.int(0, 3), () => worker.alive && this.journalEnd(slip, worker, code));
  }

  private journalEnd(slip: Slip, worker: Worker, word: WorkerWord): void {
    Object.assign(slip.journal!, { ended: word, endedAt: this.parts.clock.now() });
    this.release(worker);
    this.tell(slip, 'journal');
  }

  private journalClaimLost(slip: Slip, worker: Worker): void {
    slip.journal ??= { worker, at: this.parts.clock.now(), ended: 'claim', endedAt: this.parts.clock.now() };
    this.release(worker);
    this.tell(slip, 'journal');
  }

  private release(worker: Worker): void {
    worker.busy = false;
    if (!worker.runner.alive) worker.alive = false;
  }

  private killWorker(worker: Worker): void {
    this.parts.tally.fired('supervisor-lost');
    worker.alive = false;
    for (const slip of this.slips.values()) {
      if (slip.journal?.worker !== worker && slip.claimedBy !== worker) continue;
      if (slip.journal?.ended != null) continue;
      slip.untold = true;
    }
    for (const slip of this.slips.values()) this.tell(slip, 'worker-gone');
  }

  private tell(slip: Slip, what: 'journal' | 'worker-gone'): void {
    for (const watcher of [...slip.watchers]) watcher(what);
  }

  /** Nothing of this happens once the machine has gone down. */
  private later(ms: number, callback: () => void): void {
    const { boot } = this;
    this.parts.clock.after(ms, () => this.boot === boot && callback());
  }
}
