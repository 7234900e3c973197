// What the checker itself knows of plans, tasks and attempts. Kept by the simulation: a fact enters it only after it was compared
// with what really happened on the machine, or with what a person really said.

import type { AttemptEnd, Doom } from '../../../src/core/model/failure.ts';
import type { Plan, Task } from '../../../src/core/model/plan.ts';
import type { DeadlockRules, Limits } from '../../../src/core/model/run-event.ts';
import type { SimProcess } from '../machine/sim-process.ts';
import { type LeafFacts, PlainOracle } from './plain-oracle.ts';

export interface Leaf {
  readonly task: Task;
  status: LeafFacts['status'];
  treatAsDone: boolean;
  attempts: number;
  failures: number;
  lost: number;
  /** Attempts in a row that said nothing for too long. */
  silent: number;
  /** Suspended because of that: a person has to answer. */
  asked: boolean;
  granted: number;
  /** 0: not waiting for a time. */
  notBefore: number;
  live: Attempt | null;
  /** Its attempt has ended and what follows from it was not recorded yet. */
  unjudged: { readonly end: AttemptEnd; readonly attempt: Attempt } | null;
}

interface Verdict {
  readonly outcome: string;
  readonly exitCode: number;
}

export interface Attempt {
  readonly token: number;
  readonly id: string;
  readonly plan: string;
  readonly run: string;
  readonly task: string;
  readonly pools: readonly string[];
  readonly scheduledAt: number;
  doom: Doom | null;
  doomedAt: number;
  /** The plan's runner at that time. */
  doomedBy: SimProcess | null;
  /** The runners that set about ending it. */
  readonly stoppedBy: SimProcess[];
  /** As recorded; 0: not yet. */
  startedAt: number;
  supervisorPid: number | null;
  ended: boolean;
}

export interface RunLedger {
  readonly run: string;
  readonly process: SimProcess;
  readonly limits: Limits;
  readonly deadlock: DeadlockRules;
  attempts: number;
  /** Since when its loop turns; null: not yet. */
  turningSince: number | null;
  stopping: { readonly mode: string; readonly exitCode: number; readonly at: number } | null;
  ended: { readonly outcome: string; readonly exitCode: number } | null;
}

export type ExpectedRun = Pick<RunLedger, 'run' | 'process' | 'limits' | 'deadlock'>;

export class PlanLedger {
  readonly leaves = new Map<string, Leaf>();
  plan: Plan;
  run: RunLedger | null = null;
  paused = false;
  /** The widest limit that any run had: what was admitted under it may still be alive. */
  widest = 0;
  private known: PlainOracle | null = null;

  constructor(plan: Plan) {
    this.plan = plan;
    this.load(plan);
  }

  load(plan: Plan): void {
    this.plan = plan;
    this.known = null;
    for (const task of plan.tasks) {
      if (task.group) continue;
      const leaf = this.leaves.get(task.id);
      if (!leaf) this.leaves.set(task.id, freshLeaf(task));
      else {
        // Only a box ticked since then counts; one that a person let be tried again stays so.
        const isTicked = task.ticked !== leaf.task.ticked && leaf.status === 'pending' && !leaf.live;
        const ticked = isTicked && task.ticked ? { status: task.ticked, notBefore: 0 } : {};
        this.leaves.set(task.id, { ...leaf, task, ...ticked });
      }
    }
  }

  /** Something changed that others may depend on. */
  changed(): void {
    this.known = null;
  }

  get oracle(): PlainOracle {
    this.known ??= new PlainOracle(this.plan, (id) => factsOf(this.leaves.get(id)!));
    return this.known;
  }

  /** What the run amounts to now, by the rules; null: it goes on. */
  verdict(): Verdict | null {
    const { limits, stopping } = this.run!;
    const usedUp = this.isUsedUp();
    return this.unlessAsked(
      this.oracle.outcome({ limits, stopping: stopping?.exitCode ?? null, paused: this.paused, usedUp }),
    );
  }

  /** An open question about a silent agent counts before these. */
  unlessAsked(verdict: Verdict | null): Verdict | null {
    const isAsked = [...this.leaves.values()].some(({ asked }) => asked);
    const isLater = verdict !== null && ['stuck', 'failed', 'complete'].includes(verdict.outcome);
    return isAsked && isLater ? { outcome: 'waiting', exitCode: 4 } : verdict;
  }

  isUsedUp(): boolean {
    const { limits, attempts } = this.run!;
    return limits.maxAttempts !== undefined && attempts >= limits.maxAttempts;
  }
}

export const factsOf = (leaf: Leaf): LeafFacts => ({
  status: leaf.status,
  treatAsDone: leaf.treatAsDone,
  isLive: leaf.live !== null,
  isBackingOff: leaf.notBefore > 0,
});

function freshLeaf(task: Task): Leaf {
  return {
    task,
    status: task.ticked ?? 'pending',
    treatAsDone: false,
    attempts: 0,
    failures: 0,
    lost: 0,
    silent: 0,
    asked: false,
    granted: 0,
    notBefore: 0,
    live: null,
    unjudged: null,
  };
}
