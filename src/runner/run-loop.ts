// The loop: observe → transact(decide) → reconcile, until the run has an outcome. Level-triggered: it compares what the log
// says this host should be doing with what it has asked for, so that a start after a crash is no special case.
//
//        observations, interrupts, hints from the store, timers
//                              │ wake
//                              ▼
//   ┌────────────────────── one turn ──────────────────────┐
//   │ transact: record what was observed, then `decide`    │   nothing async happens while the state changes
//   │ reconcile: start what is scheduled here, adopt what  │
//   │ an earlier runner left, end what is doomed           │
//   └──────────────────────────────────────────────────────┘
import type { Adoptable, AttemptHost, Observation, Order } from '../agents/attempt-host.ts';
import type { Me } from '../core/decide.ts';
import { killGraceMs, victimGraceMs } from '../core/defaults.ts';
import type { Event, StopMode } from '../core/event.ts';
import type { Evidence } from '../core/failure.ts';
import type { LiveAttempt, RunState, State } from '../core/state.ts';
import { stopRun } from '../core/steer.ts';
import { nextTimer } from '../core/timers.ts';
import type { Store, Transaction } from '../store/store.ts';
import { AdoptedAttempts } from './adopted-attempts.ts';
import type { Clock } from './clock.ts';
import { Parting, tookOver } from './hand-over.ts';
import { IdleWatch } from './idle-watch.ts';
import { type IsGone, mayBeReaped, reapEveryMs, reapLocks } from './reap-locks.ts';
import { doom, type EndWorld, record } from './record.ts';
import { settle } from './settle.ts';
import { Unjudged } from './unjudged.ts';
import {
  exclusiveKeys,
  type FilesOfAttempts,
  type Stopped,
  type Witness,
  type Work,
  withLocks,
  workOf,
} from './work.ts';

export interface LoopParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly me: Me;
  /** Its observations must be handed to `RunLoop.observe`. */
  readonly host: AttemptHost;
  /** What to start for an attempt. */
  readonly orderFor: (work: Work) => Order | { readonly unstartable: string };
  readonly adoptable: (live: LiveAttempt) => Adoptable;
  /** Who has reviewed, and what they left. */
  readonly reviewOf?: EndWorld['reviewOf'];
  /** Looks at what agents do; absent: nobody does. */
  readonly witness?: Witness;
  /** The last line that an attempt printed. */
  readonly lastLine?: (live: LiveAttempt) => string | undefined;
  /** What the files of stopped attempts need; absent: attempts take no locks on files here. */
  readonly files?: FilesOfAttempts;
  /** Whether a process that waits for a lock, or holds one, is gone. */
  readonly isGone?: IsGone;
  /** An attempt of another plan whose runner is dead. Asked at the start and now and then, not every turn. */
  readonly isOrphan: (state: State, live: LiveAttempt) => boolean;
}

/** What a turn found to do; done after the commit. */
interface ToDo {
  readonly start: Work[];
  readonly adopt: Adoptable[];
  readonly stop: { readonly token: number; readonly graceMs: number }[];
  readonly salvage: Stopped[];
  /** By the clock of the loop: the store's time may be another. */
  wakeAt: number;
  ended: RunState | null;
  /** Another process goes on with the plan. */
  successor: RunState | null;
}

/** A start alone is not worth a commit of its own: it waits this long for company. */
const startedMayWaitMs = 25;
/** The store's clock can be set back and then stands still for a while: a timer that is due by our clock must not spin. */
const soonestMs = 10;
/** How often to look for attempts whose runner died while this one was running. */
const orphansEveryMs = 5_000;

const nothing = (): void => undefined;

export class RunLoop {
  private readonly parts: LoopParts;
  private readonly idle: IdleWatch;
  private observed: Observation[] = [];
  /** Steps that are done and not recorded yet. */
  private salvaged: SalvageEvent[] = [];
  private readonly salvaging = new Set<number>();
  /** Attempts that start as soon as their files are kept. */
  private readonly preparing = new Set<number>();
  /** Attempts that have ended and whose files are kept until they are judged. */
  private readonly unjudged = new Unjudged();
  /** Attempts that make the same call again and again. */
  private looping: { readonly token: number; readonly call: string; readonly times: number }[] = [];
  private stops: { mode: StopMode; exitCode: 130 | 143; by: string }[] = [];
  /** What this loop has started or adopted, until its end is recorded; with the grace it was told to end with. */
  private readonly inHand = new Map<number, number>();
  /** Those in hand that another runner started. */
  private readonly adopted = new AdoptedAttempts();
  private readonly me: Me;
  private readonly parting = new Parting();
  private readonly endWorld: EndWorld;
  /** Of attempts that have ended, until that is recorded. */
  private readonly evidence = new Map<number, Evidence>();
  private state: 'new' | 'asleep' | 'about to turn' | 'turning' | 'ended' = 'new';
  private again = false;
  private isFirst = true;
  private timer = { at: Number.POSITIVE_INFINITY, cancel: nothing };
  private nextOrphanLookAt = 0;
  private finish: (run: RunState) => void = nothing;
  private fail: (error: unknown) => void = nothing;

  constructor(parts: LoopParts) {
    this.parts = parts;
    this.idle = new IdleWatch(parts.host);
    this.me = { ...parts.me, attends: (token) => this.attends(token) };
    this.endWorld = {
      isSuspect: (token) => this.adopted.isSuspect(token),
      evidenceOf: (token) => this.evidence.get(token),
      reviewOf: (live) => parts.reviewOf?.(live) ?? { by: 'nobody', answer: null },
    };
  }

  /** Resolves with the ended run, or with that of the process that has taken the plan over. Rejects on an outage: attempts then live on, and the next run takes them over. */
  async run(): Promise<RunState> {
    const ended = new Promise<RunState>((resolve, reject) => {
      this.finish = resolve;
      this.fail = reject;
    });
    this.state = 'asleep';
    const unwatch = this.parts.store.watch(() => this.wake());
    this.wake();
    try {
      return await ended;
    } finally {
      this.state = 'ended';
      unwatch();
      this.timer.cancel();
    }
  }

  observe(observation: Observation): void {
    if (observation.kind === 'ended') {
      const { token, end } = observation;
      const evidence = this.parts.witness?.after(token, end) ?? null;
      if (evidence !== null) return void this.observeWith(observation, evidence);
    }
    this.observed.push(observation);
    if (observation.kind === 'started') this.adopted.seen(observation.token);
    if (observation.kind === 'ended') this.wake();
    else this.wakeAt(this.parts.clock.now() + startedMayWaitMs);
  }

  /** An agent's end counts when it is known what came of it. Nothing known is no reason to forget the end. */
  private async observeWith(observation: Observation, evidence: Promise<Evidence | undefined>): Promise<void> {
    const found = await evidence.catch(() => undefined);
    if (found !== undefined) this.evidence.set(observation.token, found);
    this.observed.push(observation);
    this.wake();
  }

  /** An attempt makes the same call again and again. */
  loops(token: number, call: string, times: number): void {
    this.looping.push({ token, call, times });
    this.wake();
  }

  stop(mode: StopMode, exitCode: 130 | 143, by: string): void {
    this.stops.push({ mode, exitCode, by });
    this.wake();
  }

  private wake(): void {
    this.again = true;
    if (this.state !== 'asleep') return;
    this.state = 'about to turn';
    this.parts.clock.soon(() => {
      if (this.state === 'about to turn') void this.turn();
    });
  }

  private wakeAt(time: number): void {
    if (time >= this.timer.at) return;
    this.timer.cancel();
    const cancel = this.parts.clock.at(time, () => {
      this.timer = { at: Number.POSITIVE_INFINITY, cancel: nothing };
      this.wake();
    });
    this.timer = { at: time, cancel };
  }

  private async turn(): Promise<void> {
    this.state = 'turning';
    this.again = false;
    try {
      const todo = await this.transact();
      if (todo.successor) return this.finish(todo.successor);
      this.reconcile(todo);
      if (todo.ended) return this.finish(todo.ended);
      await this.parts.store.snapshot();
    } catch (error) {
      return this.fail(error);
    }
    if (this.state !== 'turning') return;
    this.state = 'asleep';
    if (this.again) this.wake();
  }

  private async transact(): Promise<ToDo> {
    const { store } = this.parts;
    let observed = 0;
    let stops = 0;
    let salvaged = 0;
    let looping = 0;
    let judged: readonly number[] = [];
    const todo = await store.transact((tx) => {
      observed = this.observed.length;
      stops = this.stops.length;
      salvaged = this.salvaged.length;
      looping = this.looping.length;
      this.adopted.begin(tx.state);
      if (this.isFirst) this.unjudged.begin(tx.state.plans.get(this.parts.me.plan)!);
      this.isFirst = false;
      for (const observation of this.observed) {
        if (this.parts.files && observation.kind === 'ended') this.unjudged.add(tx.state, observation.token);
        record(tx, observation, this.endWorld);
      }
      for (const { token, limitMs } of this.idle.silent(this.parts.clock.now()))
        doom(tx, token, { kind: 'idle', limitMs, ...this.lastWords(tx, token) });
      for (const { token, call, times } of this.looping)
        if (this.attends(token)) doom(tx, token, { kind: 'looping', call, times });
      for (const stop of this.stops) this.steer(tx, stop);
      for (const event of this.salvaged) if (tx.state.salvage.has(event.token)) tx.record(event);
      if (this.parts.isGone) reapLocks(tx, this.parts.isGone);
      settle(tx, this.me, (live) => !this.parts.isOrphan(tx.state, live));
      this.adopted.settle(tx.state);
      for (const event of tookOver(tx.state, this.me, (token) => this.attends(token))) tx.record(event);
      judged = this.unjudged.judged(tx.state);
      return this.compare(tx);
    });
    // Only now are they durable; what came meanwhile stays for the next turn.
    for (const event of this.salvaged.splice(0, salvaged)) {
      this.salvaging.delete(event.token);
      if (event.type === 'files-put-back') this.parts.files?.forget(event.token);
      // This turn took it for still under way.
      else this.wake();
    }
    for (const observation of this.observed.splice(0, observed)) {
      if (observation.kind !== 'ended') continue;
      this.inHand.delete(observation.token);
      this.adopted.ended(observation.token);
      this.idle.end(observation.token);
      this.evidence.delete(observation.token);
    }
    for (const token of judged) {
      this.unjudged.delete(token);
      this.parts.files?.forget(token);
    }
    this.looping.splice(0, looping);
    this.stops.splice(0, stops);
    return todo;
  }

  private lastWords(tx: Transaction, token: number): { readonly last?: string } {
    const live = tx.state.live.get(token);
    const last = live && this.parts.lastLine?.(live);
    return last === undefined ? {} : { last };
  }

  private attends(token: number): boolean {
    return this.inHand.has(token) && this.adopted.attends(token);
  }

  private steer(tx: Transaction, stop: { mode: StopMode; exitCode: 130 | 143; by: string }): void {
    const answer = stopRun(tx.state.plans.get(this.parts.me.plan)!, stop);
    if (answer.ok) for (const event of answer.events) tx.record(event);
  }

  /** What the log says this host should be doing, against what is in hand. */
  private compare(tx: Transaction): ToDo {
    const { state } = tx;
    const { me, adoptable, isOrphan, clock } = this.parts;
    // Timers are in the store's time; what this loop watches by itself goes by a clock that nobody can set.
    const now = clock.now();
    const wakeAt = now + Math.max(nextTimer(state, (token) => this.attends(token)) - tx.now, soonestMs);
    const plan = state.plans.get(me.plan)!;
    const own = plan.run!.run === me.run;
    const ended = own && plan.run!.ended ? { ...plan.run! } : null;
    const successor = own || !this.parting.isOver(plan, now) ? null : { ...plan.run! };
    const todo: ToDo = { start: [], adopt: [], stop: [], salvage: [], wakeAt, ended, successor };
    // Everything is another's to look after now; what is in hand here lives on.
    if (!own) return { ...todo, wakeAt: Math.min(wakeAt, now + 200) };
    for (const stopped of state.salvage.values()) {
      if (stopped.plan === me.plan && !this.salvaging.has(stopped.token)) todo.salvage.push(withLocks(state, stopped));
    }
    // Nobody tells when a process that waits has died.
    if (this.parts.isGone && mayBeReaped(state.locks)) todo.wakeAt = Math.min(todo.wakeAt, now + reapEveryMs);
    const lookForOrphans = now >= this.nextOrphanLookAt;
    if (lookForOrphans) this.nextOrphanLookAt = now + orphansEveryMs;
    let othersAct = false;
    for (const live of state.live.values()) {
      const isMine = live.host === me.host && live.run === me.run;
      const isOurs = () => live.plan === me.plan || isOrphan(state, live);
      if (!this.inHand.has(live.token)) {
        if (isMine) todo.start.push(workOf(state, live));
        else if (lookForOrphans && isOurs()) {
          todo.adopt.push(adoptable(live));
          this.parts.witness?.adopted(workOf(state, live));
          this.adopted.take(live, state);
        } else continue;
        this.inHand.set(live.token, Number.POSITIVE_INFINITY);
      } else if (this.adopted.isTakenOver(live.token)) {
        // Only one runner may send signals, or the other takes their effect for the attempt's own end.
        if (!lookForOrphans || !isOurs()) {
          othersAct = true;
          continue;
        }
        this.adopted.take(live, state);
      }
      if (live.startedAt > 0) this.idle.begin(state, live, now);
      const graceMs = live.doom ? graceOf(state, live) : Number.POSITIVE_INFINITY;
      if (graceMs < this.inHand.get(live.token)!) {
        this.inHand.set(live.token, graceMs);
        todo.stop.push({ token: live.token, graceMs });
      }
    }
    if (othersAct || state.live.size > this.inHand.size) todo.wakeAt = Math.min(todo.wakeAt, this.nextOrphanLookAt);
    return todo;
  }

  /** One step, then its record; the next turn finds the next one. Trouble with the disk ends the run, and the next goes on from here. */
  private async salvage(stopped: Stopped): Promise<void> {
    const { files } = this.parts;
    const { plan, run, task, attempt, token } = stopped;
    const about = { v: 1, plan, run, task, attempt, token } as const;
    this.salvaging.add(token);
    try {
      if (!stopped.saved) {
        const kept = files ? await files.save(stopped) : { saved: null, files: 0 };
        this.salvaged.push({ type: 'work-saved', ...about, ...kept });
      } else {
        const left = files ? (await files.putBack(stopped)).left : [];
        this.salvaged.push({ type: 'files-put-back', ...about, ...(left.length > 0 ? { left } : {}) });
      }
      this.wake();
    } catch (error) {
      this.fail(error);
    }
  }

  private start(work: Work): void {
    const order = this.parts.orderFor(work);
    if ('unstartable' in order) this.cannotStart(work, order.unstartable, true);
    else this.parts.host.start(order);
  }

  private cannotStart({ live: { token } }: Work, message: string, permanent: boolean): void {
    this.observe({ kind: 'ended', token, end: { kind: 'unstartable', message, permanent } });
  }

  /** What the files are now is kept before anybody can change them. */
  private async startPrepared(work: Work, keys: readonly string[], ready: Promise<void> | null): Promise<void> {
    const { token } = work.live;
    this.preparing.add(token);
    try {
      await ready;
      if (keys.length > 0) await this.parts.files!.take(token, keys);
      if (this.preparing.delete(token)) this.start(work);
    } catch (error) {
      if (this.preparing.delete(token)) this.cannotStart(work, (error as Error).message, false);
    }
  }

  private reconcile(todo: ToDo): void {
    const { host } = this.parts;
    if (todo.adopt.length > 0) host.adopt(todo.adopt);
    for (const work of todo.start) {
      const keys = this.parts.files && work.live.job.kind === 'attempt' ? exclusiveKeys(work.task) : [];
      const ready = this.parts.witness?.before(work) ?? null;
      if (keys.length === 0 && ready === null) this.start(work);
      else void this.startPrepared(work, keys, ready);
    }
    for (const { token, graceMs } of todo.stop) {
      if (!this.preparing.delete(token)) host.stop(token, graceMs);
      else this.observe({ kind: 'ended', token, end: { kind: 'never-started' } });
    }
    for (const stopped of todo.salvage) void this.salvage(stopped);
    this.wakeAt(Math.min(todo.wakeAt, this.idle.nextLookAt()));
  }
}

type SalvageEvent = Extract<Event, { readonly type: 'work-saved' | 'files-put-back' }>;

function graceOf(state: State, live: LiveAttempt): number {
  if (state.plans.get(live.plan)!.run?.stopping?.mode === 'kill') return 0;
  return live.doom?.kind === 'deadlock' ? victimGraceMs : killGraceMs;
}
