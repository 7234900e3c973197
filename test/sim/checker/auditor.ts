// The checker: reads every committed event as a claim and compares it with the truth of the machine, with what people said and
// with the plain rules; watches every agent that starts; compares every process's copy of the state with the log folded from
// nothing. The first claim that does not hold is the violation.

import { blockedTasks } from '../../../src/core/explain/stuck.ts';
import type { ClockStepped, Stored, StoredEvent } from '../../../src/core/model/event.ts';
import { isHandEvent } from '../../../src/core/model/hand-event.ts';
import { isLockEvent } from '../../../src/core/model/lock-event.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import { isVerifyEvent } from '../../../src/core/model/verify-event.ts';
import { createState, evolve } from '../../../src/core/state/evolve.ts';
import type { State } from '../../../src/core/state/state.ts';
import { decodeEvent } from '../../../src/store/event-row.ts';
import type { MemoryLog } from '../../../src/store/memory/memory-log.ts';
import { restored } from '../../restored.ts';
import type { Copy, Witness } from '../machine/faulty-store.ts';
import type { Machine, Slip } from '../machine/machine.ts';
import type { SimDisc } from '../machine/sim-disc.ts';
import type { SimProcess } from '../machine/sim-process.ts';
import type { VirtualClock } from '../machine/virtual-clock.ts';
import { handPlan, isByHand } from '../people/hand-workers.ts';
import { printState } from '../print-state.ts';
import { AttemptClaims } from './attempt-claims.ts';
import { EditClaims } from './edit-claims.ts';
import { type ExpectedRun, PlanLedger } from './ledger.ts';
import { LockClaims, type ProcessTruth } from './lock-claims.ts';
import { isShutOut } from './plain-oracle.ts';
import { Promptness } from './promptness.ts';
import { taskClaim } from './task-claims.ts';

export class Violation extends Error {
  readonly invariant: string;
  constructor(invariant: string, text: string) {
    super(`${invariant}: ${text}`);
    this.invariant = invariant;
  }
}

/** Who a transaction is made by: a runner's turn must leave nothing undone that could be done. */
export interface Role {
  plan: string;
  isTurn: boolean;
}

export interface AuditorParts {
  readonly log: MemoryLog;
  readonly clock: VirtualClock;
  readonly machine: () => Machine;
  readonly busyUntil: () => number;
  readonly wallNow: () => number;
  readonly disc: () => SimDisc;
  readonly processes: ProcessTruth;
  readonly isAsked: (owner: string, what: string) => boolean;
}

const copyEvery = 29;
const lookEveryMs = 200;
const mostEmptyTurnsPerSecond = 300;

export class Auditor {
  violation: Violation | null = null;
  readonly plans = new Map<string, PlanLedger>();
  /** What the plan's author wrote, by revision. */
  readonly definitions = new Map<string, Plan>();
  /** What people asked for, by the name they gave. */
  readonly issued = new Map<string, string>();
  /** What each has gone against. */
  private readonly decided = new Map<string, string>();
  readonly attempts: AttemptClaims;
  readonly locks: LockClaims;
  readonly edits: EditClaims;
  readonly events: StoredEvent[] = [];
  private readonly parts: AuditorParts;
  private readonly expectedRuns = new Map<string, ExpectedRun>();
  private readonly state: State = createState();
  private transactions = 0;
  private readonly promptness: Promptness;
  private lookedAt = 0;
  private emptyTurns = { second: 0, count: 0 };

  constructor(parts: AuditorParts) {
    this.parts = parts;
    this.attempts = new AttemptClaims({
      plans: this.plans,
      clock: parts.clock,
      machine: parts.machine,
      locks: () => this.locks,
      demand: (holds, invariant, text) => this.demand(holds, invariant, text),
    });
    const { plans, attempts } = this;
    this.edits = new EditClaims({
      plans,
      attempts,
      demand: (holds, invariant, text) => this.demand(holds, invariant, text),
      guard: (check) => this.guard(check),
    });
    this.locks = new LockClaims({
      ...parts,
      plans,
      attempts,
      demand: (holds, invariant, text) => this.demand(holds, invariant, text),
    });
    this.promptness = new Promptness({
      plans,
      attempts,
      locks: this.locks,
      machine: parts.machine,
      busyUntil: parts.busyUntil,
    });
  }

  get folded(): State {
    return this.state;
  }

  expectRun(run: ExpectedRun): void {
    this.expectedRuns.set(run.run, run);
  }

  witness(role: Role): Witness {
    return {
      wantsCopy: () => ++this.transactions % copyEvery === 0,
      print: printState,
      committed: (written, copy) => this.guard(() => this.committed(role, written, copy)),
    };
  }

  agentStarted(slip: Slip): void {
    this.guard(() => this.attempts.agentStarted(slip));
  }

  agentEnded(slip: Slip): void {
    this.attempts.agentEnded(slip);
  }

  stopping(token: number, by: SimProcess, graceMs: number): void {
    this.guard(() => this.attempts.stopping(token, by, graceMs));
  }

  /** Nobody but this attempt may have made something of these files. */
  puttingBack(token: number, keys: readonly string[]): void {
    this.guard(() => {
      for (const key of keys) {
        const others = this.locks.book.holdersInTheWay(`#${token}`, [{ key, mode: 'exclusive' }]);
        this.demand(others.length === 0, 'files are put back under their lock', `${key}, which ${others} has`);
      }
    });
  }

  /** Time is about to pass: nobody may have been waiting for nothing for long. */
  beforeWaiting(): void {
    const now = this.parts.clock.now();
    if (now - this.lookedAt < lookEveryMs) return;
    this.lookedAt = now;
    this.guard(() => {
      const late = this.promptness.late(now);
      this.demand(late === null, 'never idle', String(late));
    });
  }

  /** At the end, or at any moment at which nothing is under way. */
  compareFolds(): void {
    this.guard(() => {
      const whole = createState();
      for (const row of this.parts.log.rows) evolve(whole, decodeEvent(row));
      this.demand(printState(whole) === printState(this.state), 'same fold', 'the log does not fold to the same twice');
    });
  }

  private guard(check: () => void): void {
    if (this.violation) return;
    try {
      check();
    } catch (error) {
      this.violation = error instanceof Violation ? error : new Violation('no error', String((error as Error).stack));
    }
  }

  private demand(holds: boolean, invariant: string, text: string): asserts holds {
    if (!holds) throw new Violation(invariant, text);
  }

  private committed(role: Role, written: readonly StoredEvent[], copy: Copy | null): void {
    const { rows } = this.parts.log;
    const before = this.events.length;
    const fresh = rows.slice(before).map(decodeEvent);
    for (const [i, event] of fresh.entries()) this.audit(event, fresh.slice(i));
    for (const event of written) {
      const kept = this.events[event.seq - 1];
      const isKept = kept?.type === event.type && kept.at === event.at && kept.plan === event.plan;
      this.demand(isKept, 'nothing committed is lost', `event ${event.seq} (${event.type}) is not in the log`);
    }
    this.demand(rows.length === this.events.length, 'nothing committed is lost', 'the log got shorter');
    this.nothingUnjudged(before);
    this.locks.settled(role, this.state.locks.table);
    if (copy && copy.seq === this.state.seq) this.compareCopy(copy);
    // What a runner takes from the file is begun in its next turn.
    const isEdit = written.some(({ type }) => type === 'plan-edited' || type === 'plan-loaded');
    if (role.isTurn && !isEdit) this.nothingUndone(role, written.length);
  }

  private audit(event: StoredEvent, ahead: readonly StoredEvent[]): void {
    const last = this.events.at(-1);
    this.demand(event.seq === (last?.seq ?? 0) + 1, 'gapless', `event ${event.seq} follows ${last?.seq}`);
    this.demand(event.at >= (last?.at ?? 0), 'time goes on', `event ${event.seq} lies before the one ahead of it`);
    this.events.push(event);
    this.locks.claim(event, ahead);
    this.claim(event);
    evolve(this.state, event);
    if (event.type === 'plan-stuck') this.stuckExplained(event.plan);
  }

  /** The log follows the wall clock when that was set, and only then; what is backed off waits no longer and no shorter for it. */
  private stepped({ at, byMs }: Stored<ClockStepped>): void {
    this.demand(at === this.parts.wallNow() && byMs !== 0, 'time is told right', `a step by ${byMs} to ${at}`);
    for (const { leaves } of this.plans.values())
      for (const leaf of leaves.values()) if (leaf.notBefore > 0) leaf.notBefore += byMs;
  }

  private claim(event: StoredEvent): void {
    if (event.plan === handPlan) return this.demand(isByHand(event), 'nothing unasked', `${event.type} by hand`);
    if (event.type === 'plan-loaded') return this.loaded(event);
    const plan = this.plans.get(event.plan)!; // none for the locks of guests
    switch (event.type) {
      case 'plan-paused':
        this.askedFor(event.by, 'pause');
        plan.paused = true;
        return;
      case 'plan-resumed':
        this.askedFor(event.by, 'resume-plan');
        plan.paused = false;
        return;
      case 'plan-edited':
        return this.edits.told(event, (by) => this.askedFor(by, 'reload'));
      case 'clock-stepped':
        return this.stepped(event);
      case 'plan-stuck':
        this.demand(plan.verdict()?.outcome === 'stuck', 'true outcome', 'plan-stuck, but the plan is not stuck');
        return;
      case 'run-started':
        return this.runStarted(plan, event.run);
      case 'run-handed-over':
      case 'run-took-over':
        return;
      case 'plan-reset':
        return this.demand(false, 'one run', 'nobody here starts a plan over');
      case 'run-stopping':
        this.askedFor(event.by, `stop-${event.mode}`);
        this.demand(plan.run?.run === event.run && !plan.run.ended, 'one run', 'a run that is over is being stopped');
        plan.run.stopping = { mode: event.mode, exitCode: event.exitCode, at: this.parts.clock.now() };
        return;
      case 'run-ended':
        return this.runEnded(plan, event);
      case 'attempt-scheduled':
        return this.attempts.scheduled(plan, event);
      case 'attempt-started':
        return this.attempts.started(event);
      case 'attempt-doomed':
        return this.attempts.doomed(plan, event);
      case 'attempt-ended':
        return this.attempts.ended(plan, event);
      case 'quota-paused':
      case 'quota-resumed':
        return; // no agent here has an account
      default:
        if (event.type === 'decision-answered') this.decided.set(event.by, event.task ?? '');
        if (isLockEvent(event) || isVerifyEvent(event) || isHandEvent(event)) return; // audited by themselves
        return taskClaim(plan, event, {
          askedFor: (by, what) => this.askedFor(by, what),
          decided: (by) => this.decided.get(by),
          isIssued: (kind) => [...this.issued.values()].includes(kind),
          demand: (holds, invariant, text) => this.demand(holds, invariant, text),
        });
    }
  }

  private askedFor(by: string, what: string): void {
    this.demand(
      this.issued.get(by) === what,
      'nothing unasked',
      `${what} by ${by}, who asked for ${this.issued.get(by)}`,
    );
  }

  private loaded(event: StoredEvent & { type: 'plan-loaded' }): void {
    const { plan: path, revision } = event;
    const written = this.definitions.get(revision);
    this.demand(written !== undefined, 'only what was saved is loaded', revision);
    const known = this.plans.get(path);
    const definition = known ? this.edits.loaded(known, written!, event.definition) : written!;
    if (known) known.load(definition);
    else this.plans.set(path, new PlanLedger(definition));
  }

  private runStarted(plan: PlanLedger, run: string): void {
    this.demand(
      plan.run === null || plan.run.ended !== null,
      'one run',
      `${run} started while ${plan.run?.run} goes on`,
    );
    plan.run = { ...this.expectedRuns.get(run)!, attempts: 0, turningSince: null, stopping: null, ended: null };
    this.attempts.runStarted(plan.run.limits);
    plan.widest = Math.max(plan.widest, plan.run.limits.plan);
  }

  private runEnded(plan: PlanLedger, event: StoredEvent & { type: 'run-ended' }): void {
    const { run } = plan;
    this.demand(run?.run === event.run && !run.ended, 'one run', `${event.run} ended twice or never began`);
    const { outcome, exitCode } = event;
    const verdict = exitCode === 137 ? this.buried(run.process) : plan.verdict();
    const open = this.locks.resolutions.salvagesOf(plan.plan.path);
    this.demand(exitCode === 137 || open.length === 0, 'put back before the run ends', `${open[0]?.attempt.id}`);
    const isTrue = verdict?.outcome === outcome && verdict.exitCode === exitCode;
    this.demand(isTrue, 'true outcome', `${outcome} (${exitCode}), but it is ${JSON.stringify(verdict)}`);
    const counts = plan.oracle.counts();
    const told = event.summary as unknown as Record<string, number>;
    const wrong = Object.keys(counts).filter((status) => counts[status] !== told[status]);
    this.demand(wrong.length === 0, 'true summary', `${wrong}: ${JSON.stringify(told)} for ${JSON.stringify(counts)}`);
    run.ended = { outcome, exitCode };
  }

  private buried(process: SimProcess): { outcome: string; exitCode: number } | null {
    return process.alive ? null : { outcome: 'aborted', exitCode: 137 };
  }

  /** "Each such task is listed with its root causes." */
  private stuckExplained(path: string): void {
    const plan = this.plans.get(path)!;
    for (const { task, causes } of blockedTasks(this.state.plans.get(plan.plan.path)!)) {
      this.demand(causes.length > 0, 'stuck is explained', `${task} is listed without a cause`);
      for (const cause of causes) {
        const leaf = plan.leaves.get(cause.task)!;
        const shutOut = leaf.status === 'pending' && isShutOut(leaf.task, plan.run!.limits);
        const isCause = ['failed', 'suspended', 'skipped'].includes(leaf.status) || shutOut;
        this.demand(isCause && !leaf.treatAsDone, 'stuck is explained', `${cause.task} is no cause: ${leaf.status}`);
      }
    }
  }

  private nothingUnjudged(from: number): void {
    for (let i = from; i < this.events.length; i++) {
      const event = this.events[i]!;
      if (event.type !== 'attempt-ended') continue;
      if (this.locks.resolutions.isBeingSalvaged(event.token)) continue;
      const { unjudged } = this.plans.get(event.plan)!.leaves.get(event.task)!;
      this.demand(unjudged === null, 'every end is judged', `${event.attempt} was left unjudged by a commit`);
    }
  }

  private compareCopy(copy: Copy): void {
    const own = printState(this.state);
    this.demand(copy.print === own, 'same fold', `a process has another state than the log at ${copy.seq}`);
    const isSame = printState(restored(this.state, this.events)) === own;
    this.demand(isSame, 'same fold', `a snapshot does not restore the state at ${copy.seq}`);
  }

  /** After a runner's own turn nothing may be left that it could have done. */
  private nothingUndone(role: Role, written: number): void {
    const plan = this.plans.get(role.plan)!;
    const second = Math.floor(this.parts.clock.now() / 1_000);
    if (this.emptyTurns.second !== second) this.emptyTurns = { second, count: 0 };
    if (written === 0) this.emptyTurns.count++;
    const isCalm = this.emptyTurns.count < mostEmptyTurnsPerSecond;
    this.demand(isCalm, 'no busy waiting', `${this.emptyTurns.count} turns for nothing within a second`);
    if (!plan.run || plan.run.ended) return;
    plan.run.turningSince ??= this.parts.clock.now();
    if (written === 0) return;
    const what = this.promptness.undoneIn(plan);
    this.demand(what === null, 'never idle', `after a turn: ${what}`);
  }
}
