// What the log says this host should be doing, against what is in hand. Level-triggered, so that a start after a crash is no special
// case.
import type { Adoptable } from '../../agents/process/attempt-host.ts';
import { killGraceMs, victimGraceMs } from '../../core/model/defaults.ts';
import { isAtEnd, type Me } from '../../core/rules/decide.ts';
import { nextTimer } from '../../core/rules/timers.ts';
import type { LiveAttempt, PlanState, RunState, State } from '../../core/state/state.ts';
import type { Transaction } from '../../store/store.ts';
import type { InHand } from '../attempts/in-hand.ts';
import { type Stopped, type Work, withLocks, workOf } from '../attempts/work.ts';
import type { Machine } from '../machine.ts';
import { mayBeReaped, reapEveryMs } from '../reap-locks.ts';
import { Parting } from './hand-over.ts';

/** Done after the commit. */
export interface ToDo {
  readonly start: Work[];
  readonly adopt: { readonly work: Work; readonly attempt: Adoptable }[];
  readonly stop: { readonly token: number; readonly graceMs: number }[];
  readonly salvage: Stopped[];
  /** By the clock of the loop: the store's time may be another. */
  wakeAt: number;
  readonly ended: RunState | null;
  /** Nothing is left to do; the run ends when its file has been looked at. */
  readonly isAtEnd: boolean;
  /** Another process goes on with the plan. */
  readonly successor: RunState | null;
}

export interface CompareParts {
  readonly me: Me;
  readonly machine: Machine;
  readonly inHand: InHand;
  /** Its files are being saved or put back. */
  readonly isSalvaging: (token: number) => boolean;
}

/** The time of the log may stand still for a moment: a timer that is due by our clock must not spin. */
const soonestMs = 10;
/** How often to look for attempts whose runner died while this one was running. */
const orphansEveryMs = 5_000;
/** Deadlines of people are by the wall clock, and nobody tells when that is set. */
const deadlineEveryMs = 30_000;
/** How often to look whether the process that takes over has come. */
const successorEveryMs = 200;

export class Comparison {
  readonly #parts: CompareParts;
  readonly #parting = new Parting();
  #nextOrphanLookAt = 0;

  constructor(parts: CompareParts) {
    this.#parts = parts;
  }

  compare({ state, now: storeNow }: Transaction): ToDo {
    const { me, machine, inHand, isSalvaging } = this.#parts;
    // Timers are in the store's time; what this loop watches by itself goes by a monotonic clock.
    const now = machine.clock.now();
    const wakeAt = now + Math.max(nextTimer(state, (token) => inHand.attends(token)) - storeNow, soonestMs);
    const plan = state.plans.get(me.plan)!;
    const own = plan.run!.run === me.run;
    const ended = own && plan.run!.ended ? { ...plan.run! } : null;
    const successor = own || !this.#parting.isOver(plan, now) ? null : { ...plan.run! };
    const todo: ToDo = {
      start: [],
      adopt: [],
      stop: [],
      salvage: [],
      wakeAt,
      ended,
      isAtEnd: own && !ended && isAtEnd(state, plan, storeNow),
      successor,
    };
    // Everything is another's to look after now; what is in hand here lives on.
    if (!own) return { ...todo, wakeAt: Math.min(wakeAt, now + successorEveryMs) };
    for (const stopped of state.salvage.values()) {
      if (stopped.plan === me.plan && !isSalvaging(stopped.token)) todo.salvage.push(withLocks(state, stopped));
    }
    if (plan.book.deadline < Number.POSITIVE_INFINITY) todo.wakeAt = Math.min(todo.wakeAt, now + deadlineEveryMs);
    // Nobody tells when a process that waits has died.
    if (mayBeReaped(state.locks)) todo.wakeAt = Math.min(todo.wakeAt, now + reapEveryMs);
    this.#compareLive(state, now, todo);
    return todo;
  }

  #compareLive(state: State, now: number, todo: ToDo): void {
    const { me, inHand } = this.#parts;
    const lookForOrphans = now >= this.#nextOrphanLookAt;
    if (lookForOrphans) this.#nextOrphanLookAt = now + orphansEveryMs;
    let othersAct = false;
    for (const live of state.live.values()) {
      const mayAdopt = () => lookForOrphans && this.#isOurs(state, live);
      if (!inHand.has(live.token)) {
        if (live.host === me.host && live.run === me.run) this.#start(state, live, todo);
        else if (mayAdopt()) this.#adopt(state, live, todo);
        else continue;
      } else if (inHand.adopted.isTakenOver(live.token)) {
        // Only one runner may send signals, or the other takes their effect for the attempt's own end.
        if (!mayAdopt()) {
          othersAct = true;
          continue;
        }
        inHand.adopted.take(live, state);
      }
      if (live.startedAt > 0) {
        inHand.idle.begin(state, live, now);
        inHand.streams.begin(live, now);
      }
      if (!live.doom) continue;
      const graceMs = graceOf(state, live);
      if (inHand.hasten(live.token, graceMs)) todo.stop.push({ token: live.token, graceMs });
    }
    if (othersAct || state.live.size > inHand.size) todo.wakeAt = Math.min(todo.wakeAt, this.#nextOrphanLookAt);
  }

  #isOurs(state: State, live: LiveAttempt): boolean {
    const { me, machine } = this.#parts;
    return live.plan === me.plan || isOrphan(state, live, machine);
  }

  #start(state: State, live: LiveAttempt, todo: ToDo): void {
    todo.start.push(workOf(state, live));
    this.#parts.inHand.start(live);
  }

  #adopt(state: State, live: LiveAttempt, todo: ToDo): void {
    const { inHand, machine } = this.#parts;
    const { token, run, supervisor } = live;
    const attempt = { token, run, supervisor, outputFile: machine.agents.outputFile(live) };
    todo.adopt.push({ work: workOf(state, live), attempt });
    inHand.adopt(live, state);
  }
}

export const hasRunner = ({ run }: PlanState, machine: Machine): boolean => run !== null && machine.isRunnerAlive(run);

/** Nobody runs its plan any more. Whoever runs it next takes over what earlier runs left. */
const isOrphan = (state: State, live: LiveAttempt, machine: Machine): boolean =>
  !hasRunner(state.plans.get(live.plan)!, machine);

function graceOf(state: State, live: LiveAttempt): number {
  if (state.plans.get(live.plan)!.run?.stopping?.mode === 'kill') return 0;
  return live.doom?.kind === 'deadlock' ? victimGraceMs : killGraceMs;
}
