// Everything that one simulation shares: the clock, the machine, the log, chance, and the checker that watches them.

import type { AttemptHost, Observation } from '../../src/agents/process/attempt-host.ts';
import type { World as ActingWorld } from '../../src/api/act/act.ts';
import { hostId, type PlanPath, type ProcessIdentity } from '../../src/core/model/ids.ts';
import type { Task } from '../../src/core/model/plan.ts';
import type { DeadlockRules } from '../../src/core/model/run-event.ts';
import type { RunState } from '../../src/core/state/state.ts';
import type { Work } from '../../src/runner/attempts/work.ts';
import type { PlanFile } from '../../src/runner/machine.ts';
import { snapshotOf } from '../../src/store/load-state.ts';
import type { Log } from '../../src/store/log.ts';
import { MemoryLog } from '../../src/store/memory/memory-log.ts';
import type { Store, Transaction } from '../../src/store/store.ts';
import { Auditor, type Role, Violation } from './checker/auditor.ts';
import { declaredBy } from './checker/lock-book.ts';
import { type CommitFault, openFaultyStore } from './machine/faulty-store.ts';
import { Machine, type Slip } from './machine/machine.ts';
import { SimDisc } from './machine/sim-disc.ts';
import type { SimPlanFile } from './machine/sim-plan-file.ts';
import { SimProcess } from './machine/sim-process.ts';
import { VirtualClock } from './machine/virtual-clock.ts';
import { behave, type Fate } from './people/behaviour.ts';
import type { Caller } from './people/lock-client.ts';
import { agentLocks, keysOfAgents } from './people/lock-scripts.ts';
import { Random } from './random.ts';
import { Tally } from './tally.ts';

/** Bugs that a test plants to see them caught; each wraps an interface. */
export interface Sabotage {
  /** No bug: those start apart from each other, and may die while they wait for it. */
  readonly isCodingAgent?: (work: Work) => boolean;
  planFile?(file: PlanFile): PlanFile;
  readonly host?: (host: AttemptHost, observe: (observation: Observation) => void) => AttemptHost;
  readonly observation?: (observation: Observation) => Observation;
  readonly log?: (log: Log, rows: MemoryLog) => Log;
  readonly transaction?: (tx: Transaction) => Transaction;
  /** Limits and leases go by the clock that can be set. */
  readonly onlyWallClock?: boolean;
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
  readonly disc: SimDisc;
  readonly sabotage: Sabotage;
  /** What each ordered attempt is for. */
  readonly orders = new Map<number, { readonly plan: PlanPath; readonly task: Task }>();
  readonly fates = new Map<string, Fate>();
  /** By path: what authors have saved. */
  readonly planFiles = new Map<string, SimPlanFile>();
  /** How far the wall clock, which the store uses, is off. */
  wallOffset = 0;
  /** No more trouble. */
  isCalm = false;
  busyUntil = 0;
  readonly armed: CommitFault[] = [];
  /** What lock commands were called for. */
  readonly asked = new Set<string>();
  readonly lockRandom: Random;
  /** Those whom Signalbox did not start, by name. */
  readonly guests = new Map<string, SimProcess>();
  /** How likely an agent is to take locks while it runs. */
  readonly lockiness: number;
  readonly isHot: boolean;
  /** All want the same two in any order, at once, and keep them; whoever started last is stopped: again and again, if nobody minds. */
  readonly isQuarrel: boolean;
  readonly keysOfAgents: readonly string[];
  private readonly latencyRandom: Random;
  private readonly callers = new Map<number, Caller>();
  private readonly processes = new Map<number, SimProcess>();
  /** Those that people wait for. */
  readonly commands = new Set<SimProcess>();
  private names = 0;

  constructor(seed: number, sabotage: Sabotage) {
    this.random = new Random(seed);
    this.faultRandom = this.random.fork('faults');
    this.latencyRandom = this.random.fork('latency');
    this.lockRandom = this.random.fork('locks');
    this.isQuarrel = this.random.fork('quarrel').chance(0.15);
    this.isHot = this.lockRandom.chance(0.25) || this.isQuarrel;
    this.lockiness = this.isHot ? 1 : this.lockRandom.pick([0, 0.2, 0.5, 0.8]);
    this.keysOfAgents = keysOfAgents[this.isQuarrel ? 2 : this.isHot ? 1 : 0];
    this.sabotage = sabotage;
    const machine = () => this.machine;
    this.auditor = new Auditor({
      log: this.log,
      clock: this.clock,
      machine,
      disc: () => this.disc,
      busyUntil: () => this.busyUntil,
      wallNow: () => this.clock.now() + this.wallOffset,
      isAsked: (owner, what) => this.asked.has(`${owner} ${what}`),
      processes: {
        isAlive: ({ pid }) => this.processes.get(pid)!.alive,
        isSeenDead: (process) => this.isGone(process) === true,
        diedAt: ({ pid }) => this.processes.get(pid)!.diedAt,
      },
    });
    this.disc = new SimDisc({
      random: this.random.fork('disc'),
      tally: this.tally,
      calm: () => this.isCalm,
      onPutBack: (token, keys) => this.auditor.puttingBack(token, keys),
    });
    const agents = this.random.fork('agents');
    this.machine = new Machine({
      clock: this.clock,
      random: this.random.fork('machine'),
      tally: this.tally,
      behaviourOf: ({ token }) => {
        const { plan, task } = this.orders.get(token)!;
        return behave(agents, task, this.fates.get(`${plan} ${task.id}`)!, this.isCalm);
      },
      onAgentStart: (slip) => {
        this.auditor.agentStarted(slip);
        this.callers.set(slip.token, agentLocks(this, slip, this.declaredFor(slip)));
      },
      onAgentEnd: (slip) => {
        this.auditor.agentEnded(slip);
        // What it has called ends with it.
        for (const process of [...(this.callers.get(slip.token)?.processes ?? [])]) process.die();
      },
    });
  }

  /** Some run without looking for deadlocks, and some stop who has done least. */
  deadlockRules(run: string): DeadlockRules {
    if (this.isQuarrel) return { detect: true, victim: 'least-progress' };
    const random = this.random.fork(`rules ${run}`);
    const detect = !random.chance(0.15);
    const victim = random.chance(0.3) ? 'least-progress' : 'youngest';
    if (!detect) this.tally.fired('detection-off');
    else if (victim === 'least-progress') this.tally.fired('least-progress');
    return { detect, victim };
  }

  /** What cannot be seen from here, such as a process from before a reboot, is not called gone; supervisors are not looked at. */
  readonly isGone = ({ host, pid }: ProcessIdentity): boolean | 'unknown' => {
    const process = this.processes.get(pid);
    return process && host === hostId(`boot${this.machine.boot}`) ? !process.alive : 'unknown';
  };

  /** What commands need to know of it. */
  readonly acting: ActingWorld = {
    isRunning: ({ run }) => run !== null && this.isRunnerAlive(run),
    isGone: this.isGone,
  };

  promise(promise: Promise<unknown>): void {
    promise.catch((error) => {
      this.auditor.violation ??= new Violation('no error', String((error as Error).stack));
    });
  }

  /** Of somebody who has the right to change them. */
  changeFiles(token: number, keys: readonly string[]): void {
    const held = this.auditor.locks.book.holdsOf(`#${token}`).filter(({ mode }) => mode === 'exclusive');
    this.disc.change(
      token,
      keys.filter((key) => held.some((hold) => hold.key === key)),
    );
  }

  private declaredFor({ token }: Slip): string[] {
    const wants = declaredBy(this.orders.get(token)!.task.keys);
    return wants.filter(({ mode }) => mode === 'exclusive').map(({ key }) => key);
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
      clock: {
        now: () => this.clock.now() + this.wallOffset,
        ...(this.sabotage.onlyWallClock
          ? {}
          : { steady: () => ({ boot: `boot${this.machine.boot}`, ms: this.clock.now() }) }),
      },
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
    this.log.snapshot = snapshotOf(this.auditor.folded);
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
