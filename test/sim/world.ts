// Everything that one simulation shares: the clock, the machine, the log, chance, and the checker that watches them.
import type { AttemptHost, Observation } from '../../src/agents/attempt-host.ts';
import type { PlanPath } from '../../src/core/ids.ts';
import type { Task } from '../../src/core/plan.ts';
import type { RunState } from '../../src/core/state.ts';
import { keepable } from '../../src/store/load-state.ts';
import type { Log } from '../../src/store/log.ts';
import { MemoryLog } from '../../src/store/memory/memory-log.ts';
import type { Store, Transaction } from '../../src/store/store.ts';
import { Auditor, type Role } from './auditor.ts';
import { behave, type Fate } from './behaviour.ts';
import { type CommitFault, openFaultyStore } from './faulty-store.ts';
import { Machine } from './machine.ts';
import { Random } from './random.ts';
import { SimProcess } from './sim-process.ts';
import { Tally } from './tally.ts';
import { VirtualClock } from './virtual-clock.ts';

/** Bugs that a test plants to see them caught; each wraps an interface. */
export interface Sabotage {
  readonly host?: (host: AttemptHost, observe: (observation: Observation) => void) => AttemptHost;
  readonly observation?: (observation: Observation) => Observation;
  readonly log?: (log: Log, rows: MemoryLog) => Log;
  readonly transaction?: (tx: Transaction) => Transaction;
}

const dawn = Date.UTC(2026, 0, 1);

export class World {
  readonly random: Random;
  readonly faultRandom: Random;
  readonly clock = new VirtualClock(dawn);
  readonly tally = new Tally();
  readonly log = new MemoryLog('sim');
  readonly auditor: Auditor;
  readonly machine: Machine;
  readonly sabotage: Sabotage;
  /** What each ordered attempt is for. */
  readonly orders = new Map<number, { readonly plan: PlanPath; readonly task: Task }>();
  readonly fates = new Map<string, Fate>();
  /** How far the wall clock, which the store uses, is off. */
  wallOffset = 0;
  /** No more trouble. */
  isCalm = false;
  busyUntil = 0;
  readonly armed: CommitFault[] = [];
  private readonly latencyRandom: Random;
  private readonly processes = new Map<number, SimProcess>();
  /** Those that people wait for. */
  readonly commands = new Set<SimProcess>();
  private names = 0;

  constructor(seed: number, sabotage: Sabotage) {
    this.random = new Random(seed);
    this.faultRandom = this.random.fork('faults');
    this.latencyRandom = this.random.fork('latency');
    this.sabotage = sabotage;
    const machine = () => this.machine;
    this.auditor = new Auditor({ log: this.log, clock: this.clock, machine, busyUntil: () => this.busyUntil });
    const agents = this.random.fork('agents');
    this.machine = new Machine({
      clock: this.clock,
      random: this.random.fork('machine'),
      tally: this.tally,
      behaviourOf: ({ token }) => {
        const { plan, task } = this.orders.get(token)!;
        return behave(agents, task, this.fates.get(`${plan} ${task.id}`)!, this.isCalm);
      },
      onAgentStart: (slip) => this.auditor.agentStarted(slip),
      onAgentEnd: (slip) => this.auditor.agentEnded(slip),
    });
  }

  nextName(prefix: string): string {
    return `${prefix}${++this.names}`;
  }

  newProcess(): SimProcess {
    const process = new SimProcess(this.clock, this.machine.identify());
    this.processes.set(process.identity.pid, process);
    return process;
  }

  newCommand(): SimProcess {
    const process = this.newProcess();
    this.commands.add(process);
    process.onDeath(() => this.commands.delete(process));
    return process;
  }

  isRunnerAlive({ ended, runner }: RunState): boolean {
    return ended === null && this.processes.get(runner.pid)!.alive;
  }

  killAll(): void {
    for (const process of this.processes.values()) process.die();
  }

  openStore(process: SimProcess, role: Role): Store {
    const { log, transaction } = this.sabotage;
    return openFaultyStore({
      log: this.log,
      clock: { now: () => this.clock.now() + this.wallOffset },
      process,
      random: this.random.fork(`store ${process.identity.pid}`),
      tally: this.tally,
      trouble: {
        takeCommitFault: () => (this.isCalm ? null : (this.armed.pop() ?? null)),
        latencyMs: () => this.latencyMs(),
        calm: () => this.isCalm,
      },
      witness: this.auditor.witness(role),
      ...(log ? { wrapLog: (inner: Log) => log(inner, this.log) } : {}),
      wrapTransaction: transaction,
    });
  }

  /** As a process does that finds enough events since the last one; here it comes sooner. */
  keepSnapshot(): void {
    this.log.snapshot = keepable(this.auditor.folded);
    this.tally.fired('snapshot-kept');
  }

  damageSnapshot(): void {
    if (!this.log.snapshot) return;
    const { workspace } = this.log.snapshot;
    this.log.snapshot = { ...this.log.snapshot, workspace: workspace.slice(0, workspace.length / 2) };
    this.tally.fired('snapshot-damaged');
  }

  private latencyMs(): number {
    const random = this.latencyRandom;
    if (this.isCalm) return random.chance(0.95) ? random.int(0, 1) : random.spread(10, 400);
    const waitMs = Math.max(0, this.busyUntil - this.clock.now());
    return waitMs + (random.chance(0.9) ? random.int(0, 2) : random.spread(3, 300));
  }
}
