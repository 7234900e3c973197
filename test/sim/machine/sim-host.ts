// The door of one runner to the simulated machine. Keeps to the words of `AttemptHost` in the way the worker pool and its
// adoption do: an end is observed only when nothing of the attempt lives any more, and claims decide who may start.

import { attemptEnd } from '../../../src/agents/process/attempt-end.ts';
import type { Adoptable, AttemptHost, Observation, StartOrder } from '../../../src/agents/process/attempt-host.ts';
import type { AttemptEnd } from '../../../src/core/model/failure.ts';
import type { RunId } from '../../../src/core/model/ids.ts';
import type { Random } from '../random.ts';
import type { Tally } from '../tally.ts';
import type { Machine, Slip, Worker } from './machine.ts';
import type { SimProcess } from './sim-process.ts';
import type { VirtualClock } from './virtual-clock.ts';

export interface SimHostParts {
  readonly machine: Machine;
  readonly process: SimProcess;
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly tally: Tally;
  readonly observe: (observation: Observation) => void;
  /** A signal is about to be sent on a runner's word. */
  readonly onStop: (token: number, graceMs: number) => void;
}

interface Hand {
  readonly slip: Slip;
  readonly run: RunId;
  /** Started here; otherwise adopted. */
  readonly worker: Worker | null;
  readonly orderedAt: number;
  toldStarted: boolean;
  stopping: boolean;
  /** Until when it may take its time; null: nobody is after it. */
  killAt: number | null;
  /** Signals were sent before its end was heard of. */
  signalled: boolean;
  workerGone: boolean;
  ended: boolean;
  readonly watcher: (what: 'journal' | 'worker-gone') => void;
}

export class SimHost implements AttemptHost {
  private readonly parts: SimHostParts;
  private readonly known = new Set<number>();
  private readonly hands = new Map<number, Hand>();
  private readonly idle = new Map<RunId, Worker[]>();
  private closed = false;

  constructor(parts: SimHostParts) {
    this.parts = parts;
  }

  start(order: StartOrder): void {
    const { machine, random, process } = this.parts;
    if (this.closed || this.known.has(order.token)) return;
    this.known.add(order.token);
    const free = this.idle.get(order.run)?.pop();
    const worker = free?.alive ? free : machine.startWorker(process);
    this.take(order.token, order.run, worker);
    machine.perform(order, worker, random.chance(0.1) ? random.int(20, 400) : random.int(0, 5));
  }

  adopt(attempts: readonly Adoptable[]): void {
    for (const { token, run } of attempts) {
      if (this.closed || this.known.has(token)) continue;
      this.known.add(token);
      const hand = this.take(token, run, null);
      this.parts.process.after(0, () => this.judge(hand));
    }
  }

  stop(token: number, graceMs: number): void {
    const hand = this.hands.get(token);
    if (!hand || this.closed) return;
    this.parts.onStop(token, graceMs);
    const { machine, clock } = this.parts;
    const killAt = clock.now() + graceMs;
    if (hand.killAt !== null) hand.killAt = Math.min(hand.killAt, killAt);
    // With the claim in our hands, its worker will find it taken and say so.
    else if (hand.worker && !hand.toldStarted && (hand.stopping || machine.callBack(hand.slip) === 'won')) {
      hand.stopping = true;
      return;
    } else hand.killAt = killAt;
    hand.stopping = true;
    this.pursue(hand);
  }

  lastOutputAt(token: number): number | undefined {
    const hand = this.hands.get(token);
    if (!hand) return undefined;
    return this.parts.machine.lastOutputAt(hand.slip) ?? (hand.worker ? hand.orderedAt : undefined);
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const hand of this.hands.values()) hand.slip.watchers.delete(hand.watcher);
    for (const workers of this.idle.values()) for (const worker of workers) this.parts.machine.retire(worker);
  }

  private take(token: number, run: RunId, worker: Worker | null): Hand {
    const { machine, random, process } = this.parts;
    const slip = machine.slip(token);
    const hand: Hand = {
      slip,
      run,
      worker,
      orderedAt: this.parts.clock.now(),
      toldStarted: false,
      stopping: false,
      killAt: null,
      signalled: false,
      workerGone: false,
      ended: false,
      watcher: (what) => {
        // Its own supervisors tell a runner at once, what became of others it finds out by looking now and then.
        const delayMs = what === 'worker-gone' && !worker ? random.int(0, 1_000) : random.int(0, 4);
        process.after(delayMs, () => this.hear(hand));
      },
    };
    slip.watchers.add(hand.watcher);
    process.onDeath(() => slip.watchers.delete(hand.watcher));
    this.hands.set(token, hand);
    return hand;
  }

  private hear(hand: Hand): void {
    if (this.closed || hand.ended) return;
    if (hand.worker) this.hearOwn(hand, hand.worker);
    else if (hand.killAt !== null && hand.toldStarted) this.pursue(hand);
    else this.judge(hand);
  }

  private hearOwn(hand: Hand, worker: Worker): void {
    const { machine } = this.parts;
    const { slip } = hand;
    hand.workerGone = !worker.alive && slip.journal?.ended == null;
    if (slip.journal && slip.journal.ended !== 'claim' && !hand.toldStarted) this.tellStarted(hand, worker);
    if (hand.killAt !== null) return this.pursue(hand);
    if (slip.journal?.ended != null)
      return this.finish(hand, attemptEnd(slip.journal.ended, { killed: hand.signalled }));
    if (!hand.workerGone) return;
    if (slip.journal === null) {
      machine.callBack(slip);
      return this.finish(hand, { kind: 'never-started' });
    }
    this.sweep(hand);
  }

  /** An attempt of an earlier runner. */
  private judge(hand: Hand): void {
    if (this.closed || hand.ended) return;
    const { machine, tally, process } = this.parts;
    const { slip } = hand;
    const { journal } = slip;
    if (journal === null) {
      if (machine.callBack(slip) !== 'taken') return this.finish(hand, { kind: 'never-started' });
      if (slip.boot !== machine.boot) return this.finish(hand, { kind: 'lost' });
      if (slip.claimedBy?.alive) process.after(10, () => this.judge(hand));
      else this.finish(hand, { kind: 'never-started' });
      return;
    }
    if (journal.ended !== null) {
      if (!hand.toldStarted) tally.fired('adopted-after-its-end');
      return this.finish(hand, attemptEnd(journal.ended, { killed: false }));
    }
    if (!journal.worker.alive) return this.sweep(hand);
    if (hand.toldStarted) return;
    tally.fired('adopted-alive');
    this.tellStarted(hand, journal.worker);
    if (hand.killAt !== null) this.pursue(hand);
  }

  /** Its supervisor is dead: what it left behind dies too, and how it ended is not known. */
  private sweep(hand: Hand): void {
    const { machine, process, random } = this.parts;
    process.after(random.int(0, 1_000), () => {
      if (this.closed || hand.ended) return;
      machine.signal(hand.slip, 'kill');
      this.finish(hand, hand.stopping && hand.worker ? { kind: 'killed', code: null } : { kind: 'lost' });
    });
  }

  private pursue(hand: Hand): void {
    if (this.closed || hand.ended || (!hand.worker && !hand.toldStarted)) return;
    const { machine, clock, process } = this.parts;
    const { slip } = hand;
    const isGone = hand.workerGone || slip.journal?.worker.alive === false;
    if (slip.journal?.ended != null || (isGone && !machine.isAlive(slip))) return this.finishKilled(hand);
    const isDue = clock.now() >= hand.killAt!;
    if (machine.signal(slip, isDue ? 'kill' : 'polite')) hand.signalled = true;
    process.after(isDue ? 20 : hand.killAt! - clock.now(), () => this.pursue(hand));
  }

  private finishKilled(hand: Hand): void {
    const ended = hand.slip.journal?.ended ?? null;
    this.finish(hand, ended === null ? { kind: 'killed', code: null } : attemptEnd(ended, { killed: hand.signalled }));
  }

  private tellStarted(hand: Hand, worker: Worker): void {
    hand.toldStarted = true;
    this.parts.observe({ kind: 'started', token: hand.slip.token, supervisor: worker.identity });
  }

  private finish(hand: Hand, end: AttemptEnd): void {
    hand.ended = true;
    hand.slip.watchers.delete(hand.watcher);
    this.hands.delete(hand.slip.token);
    if (hand.worker?.alive) this.release(hand.run, hand.worker);
    this.parts.observe({ kind: 'ended', token: hand.slip.token, end });
  }

  private release(run: RunId, worker: Worker): void {
    const idle = this.idle.get(run);
    if (idle) idle.push(worker);
    else this.idle.set(run, [worker]);
  }
}
