// What the log claims about attempts, compared with the machine: the task was free to start, the attempt ran at most once at a time, it was
// ended for a reason, and it ended as the log says.
import type {
  AttemptDoomed,
  AttemptEnded,
  AttemptScheduled,
  AttemptStarted,
  StoredEvent,
} from '../../../src/core/model/event.ts';
import type { AttemptEnd } from '../../../src/core/model/failure.ts';
import type { Limits } from '../../../src/core/model/run-event.ts';
import type { Machine, Slip } from '../machine/machine.ts';
import type { SimProcess } from '../machine/sim-process.ts';
import type { VirtualClock } from '../machine/virtual-clock.ts';
import type { Attempt, Leaf, PlanLedger } from './ledger.ts';
import { declaredBy, meets } from './lock-book.ts';
import type { LockClaims } from './lock-claims.ts';
import { poolsOf } from './plain-oracle.ts';

type Stored<E> = E & Pick<StoredEvent, 'seq' | 'at'>;
export type Demand = (holds: boolean, invariant: string, text: string) => void;

export interface ClaimParts {
  readonly plans: ReadonlyMap<string, PlanLedger>;
  readonly clock: VirtualClock;
  readonly machine: () => Machine;
  readonly locks: () => LockClaims;
  readonly demand: Demand;
}

export class AttemptClaims {
  readonly byToken = new Map<number, Attempt>();
  /** Scheduled and not ended. */
  readonly open = new Set<Attempt>();
  /** Agents that live at this moment. */
  readonly alive = new Set<Attempt>();
  /** The most that ever lived at once. */
  peak = 0;
  private readonly parts: ClaimParts;
  private readonly ids = new Set<string>();
  /** Of all runs: what was admitted under the widest may still be on its way. */
  private readonly limits: Limits[] = [];
  private lastToken = 0;

  constructor(parts: ClaimParts) {
    this.parts = parts;
  }

  runStarted(limits: Limits): void {
    this.limits.push(limits);
  }

  scheduled(plan: PlanLedger, event: Stored<AttemptScheduled>): void {
    const { demand } = this.parts;
    const leaf = plan.leaves.get(event.task)!;
    const id = `${plan.plan.path} ${event.attempt}`;
    demand(event.token > this.lastToken, 'tokens increase', `${event.token} after ${this.lastToken}`);
    demand(!this.ids.has(id) && event.attempt === `${event.task}#${leaf.attempts + 1}`, 'attempts are new', id);
    demand(plan.run?.run === event.run && !plan.run.ended, 'one run', `${id} was scheduled by a run that is over`);
    demand(plan.run!.process.identity.host === event.host, 'one run', `${id} was scheduled for another host`);
    demand(!plan.paused && !plan.run!.stopping && !plan.isUsedUp(), 'no start when paused', `${id} was scheduled`);
    demand(leaf.status === 'pending' && !leaf.live, 'one at a time', `${id} was scheduled while it is ${leaf.status}`);
    demand(plan.oracle.isReady(leaf.task), 'ready before it starts', `${id} was scheduled, but is not ready`);
    const full = this.fullFor(plan, poolsOf(leaf.task));
    demand(full === null, 'limits hold', `${id} was scheduled though ${full} is full`);
    this.inOrder(plan, leaf);
    const told = (event.warnings ?? []).map(({ task }) => task).join();
    demand(told === plan.oracle.warnings(leaf.task).join(), 'warned', `${id} was warned of [${told}]`);
    this.take(plan, leaf, event);
  }

  started(event: Stored<AttemptStarted>): void {
    const attempt = this.byToken.get(event.token);
    if (!attempt || attempt.ended) return; // fenced: changes nothing
    const { demand, machine } = this.parts;
    const { journal } = machine().slip(event.token);
    const isTrue = journal?.worker.identity.pid === event.supervisor.pid;
    demand(isTrue, 'true start', `${attempt.id} is said to have started under ${event.supervisor.pid}`);
    attempt.startedAt = this.parts.clock.now();
    attempt.supervisorPid = event.supervisor.pid;
  }

  doomed(plan: PlanLedger, event: Stored<AttemptDoomed>): void {
    const attempt = this.byToken.get(event.token);
    if (!attempt || attempt.ended || attempt.doom) return;
    attempt.doom = event.doom;
    attempt.doomedAt = this.parts.clock.now();
    attempt.doomedBy = plan.run?.process ?? null;
    this.parts.demand(this.isReason(plan, attempt, event), 'killed for a reason', `${attempt.id}: ${event.doom.kind}`);
  }

  ended(plan: PlanLedger, event: Stored<AttemptEnded>): void {
    const attempt = this.byToken.get(event.token)!;
    const { demand, machine } = this.parts;
    demand(!attempt.ended, 'one end', `${attempt.id} ended twice`);
    const slip = machine().slip(event.token);
    demand(!machine().isAlive(slip), 'dead before it is called dead', `${attempt.id} still lives`);
    const why = this.doubt(slip, attempt, event.end);
    demand(why === null, 'true end', `${attempt.id} ${JSON.stringify(event.end)}: ${why}`);
    attempt.ended = true;
    this.open.delete(attempt);
    const leaf = plan.leaves.get(attempt.task)!;
    leaf.live = null;
    if (leaf.status === 'in_progress') leaf.unjudged = { end: event.end, attempt };
    plan.changed();
  }

  agentStarted(slip: Slip): void {
    const { demand, plans } = this.parts;
    const attempt = this.byToken.get(slip.token);
    demand(attempt !== undefined, 'recorded before it starts', `an agent runs with token ${slip.token}`);
    const { id, plan: path, task, ended } = attempt!;
    demand(!ended, 'fenced', `${id} starts after its end was recorded`);
    const plan = plans.get(path)!;
    demand(plan.leaves.get(task)!.status !== 'completed', 'a completed task never runs again', `${id} starts`);
    for (const other of this.alive) {
      demand(other.plan !== path || other.task !== task, 'one at a time', `${id} starts beside ${other.id}`);
    }
    this.alive.add(attempt!);
    this.peak = Math.max(this.peak, this.alive.size);
    this.withinWidestLimits(plan, attempt!);
  }

  agentEnded(slip: Slip): void {
    this.alive.delete(this.byToken.get(slip.token)!);
  }

  stopping(token: number, by: SimProcess, graceMs: number): void {
    const { demand } = this.parts;
    const attempt = this.byToken.get(token)!;
    attempt.stoppedBy.push(by);
    demand(attempt.doom !== null, 'killed for a reason', `${attempt.id} is being ended, nobody knows why`);
    // Of the five seconds in which those go on who waited for it, the rest is for saving its work and putting it back.
    const isSoon = attempt.doom?.kind !== 'deadlock' || graceMs <= 3_000;
    demand(isSoon, 'survivors go on soon', `${attempt.id} has ${graceMs} ms to end`);
  }

  /** The limit that has no room for one more, or null. */
  fullFor(plan: PlanLedger, pools: readonly string[]): string | null {
    const { limits } = plan.run!;
    if (limits.workspace !== undefined && this.open.size >= limits.workspace) return 'the workspace';
    if (this.count((attempt) => attempt.plan === plan.plan.path) >= limits.plan) return 'the plan';
    for (const pool of pools) {
      const used = this.count((attempt) => attempt.pools.includes(pool));
      if (used >= (limits.pools[pool] ?? Number.POSITIVE_INFINITY)) return pool;
    }
    return null;
  }

  /** Its locks are not free, or somebody is before it in line for them, as far as can be told plainly. */
  waitsForLocks(plan: PlanLedger, leaf: Leaf['task']): boolean {
    const { path } = plan.plan;
    const { resolutions } = this.parts.locks();
    if (resolutions.isHeldBack(path, leaf.id)) return true;
    // What its last attempt left half done is still being put back.
    if (resolutions.salvagesOf(path).some(({ attempt }) => attempt.task === leaf.id)) return true;
    const wants = declaredBy(leaf.keys);
    if (wants.length === 0) return false;
    if (this.parts.locks().isContended(wants)) return true;
    return plan.oracle.leaves.some(
      (other) => other !== leaf && plan.oracle.isReady(other) && meets(wants, declaredBy(other.keys)),
    );
  }

  private count(counts: (attempt: Attempt) => boolean): number {
    let count = 0;
    for (const attempt of this.open) if (counts(attempt)) count++;
    return count;
  }

  /** Higher priorities go first, as far as there is room for them. */
  private inOrder(plan: PlanLedger, leaf: Leaf): void {
    const priority = leaf.task.keys.priority ?? 0;
    for (const other of plan.oracle.leaves) {
      if ((other.keys.priority ?? 0) <= priority || !plan.oracle.isReady(other)) continue;
      if (this.waitsForLocks(plan, other)) continue;
      const full = this.fullFor(plan, poolsOf(other));
      this.parts.demand(full !== null, 'priority', `${leaf.task.id} was preferred to ${other.id}`);
    }
  }

  private take(plan: PlanLedger, leaf: Leaf, event: Stored<AttemptScheduled>): void {
    const attempt: Attempt = {
      token: event.token,
      id: event.attempt,
      plan: plan.plan.path,
      run: event.run,
      task: event.task,
      pools: poolsOf(leaf.task),
      scheduledAt: event.at,
      doom: null,
      doomedAt: 0,
      doomedBy: null,
      stoppedBy: [],
      startedAt: 0,
      supervisorPid: null,
      ended: false,
    };
    this.lastToken = event.token;
    this.ids.add(`${plan.plan.path} ${event.attempt}`);
    this.byToken.set(event.token, attempt);
    this.open.add(attempt);
    plan.run!.attempts++;
    Object.assign(leaf, { status: 'in_progress', attempts: leaf.attempts + 1, live: attempt, notBefore: 0 });
  }

  private isReason(plan: PlanLedger, attempt: Attempt, { doom }: Stored<AttemptDoomed>): boolean {
    const leaf = plan.leaves.get(attempt.task)!;
    switch (doom.kind) {
      case 'timeout':
        return doom.limitMs > 0 && attempt.startedAt > 0 && this.parts.clock.now() - attempt.startedAt >= doom.limitMs;
      case 'idle': {
        const slip = this.parts.machine().slip(attempt.token);
        const printedAt = this.parts.machine().lastOutputAt(slip) ?? 0;
        return doom.limitMs > 0 && this.parts.clock.now() - printedAt >= doom.limitMs;
      }
      case 'stop':
        return plan.run?.stopping?.mode === 'stop' || plan.run?.stopping?.mode === 'kill';
      case 'deadlock':
        return this.parts.locks().resolutions.victims.has(attempt.token);
      case 'withdrawn':
        return leaf.status === 'skipped' || leaf.status === 'suspended';
      default:
        return false;
    }
  }

  /** Why the end cannot have been so, or null. */
  private doubt({ agent, journal, claim, untold, ordered }: Slip, attempt: Attempt, end: AttemptEnd): string | null {
    switch (end.kind) {
      case 'exited':
        if (!agent || agent.code !== end.code) return `it exited with ${agent?.code}`;
        return agent.signalledAt === null ? null : 'we killed it, so its exit proves nothing';
      case 'killed':
        if (attempt.doom === null) return 'nobody wanted it dead';
        if (agent === null) return untold ? null : 'it never ran';
        // A person who withdraws a task does not ask whether it has just ended.
        if (attempt.doom.kind === 'withdrawn' || untold || agent.endedAt! >= attempt.doomedAt) return null;
        // A runner that died can tell nobody whether it has killed.
        if (attempt.doomedBy?.alive === false) return null;
        return 'it had ended before anybody wanted it dead';
      case 'lost':
        return untold ? null : 'its end was on record';
      case 'never-started':
        if (agent && !untold) return 'it ran';
        return claim === 'free' && ordered ? 'it may still start' : null;
      case 'unstartable':
        // Its files could not be kept, so it was never ordered.
        if (!ordered && !end.permanent) return null;
        return journal?.ended === 'u127' || journal?.ended === 'cd' ? null : 'it was not unstartable';
      default:
        return 'no such end';
    }
  }

  private withinWidestLimits(plan: PlanLedger, attempt: Attempt): void {
    const { demand } = this.parts;
    const own = [...this.alive].filter((other) => other.plan === attempt.plan).length;
    demand(own <= plan.widest, 'limits hold', `${own} agents of ${attempt.plan} live at once`);
    const runs = this.limits;
    const workspace = Math.max(...runs.map((limits) => limits.workspace ?? Number.POSITIVE_INFINITY));
    demand(this.alive.size <= workspace, 'limits hold', `${this.alive.size} agents live at once`);
    for (const pool of attempt.pools) {
      const used = [...this.alive].filter((other) => other.pools.includes(pool)).length;
      const limit = Math.max(...runs.map((limits) => limits.pools[pool] ?? Number.POSITIVE_INFINITY));
      demand(used <= limit, 'limits hold', `${used} agents use ${pool} at once`);
    }
  }
}
