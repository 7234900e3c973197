// A request for locks: granted, queued, or refused. A deadlock that the request would close is found in the transaction that would queue
// it.
//
//   free, or already held strongly enough            granted
//   another owner is in the way, and it may not wait busy; or deadlock, if waiting could never end. The second time within 30 s it
//                                                    waits in truth (polls.ts): a circle is ended as below, and it hears busy
//   another owner is in the way, and it waits        waiting; if that closes a cycle, an attempt in it is stopped first; if none may
//                                                    be stopped, or the request yields, it is refused
//   only tasks that the asker works on by hand are   granted, to the task: it goes with it (people-as-owners.ts)
//   the attempt is over, or being ended              over, or victim
import { cycleWords } from '../../locks/cycle-words.ts';
import type { DeadlockStep, Mode, Obstacle, OwnerId, Want } from '../../locks/lock-table.ts';
import { chooseVictim, type Party } from '../../locks/victim.ts';
import { defaultDeadlock } from '../model/defaults.ts';
import type { Event } from '../model/event.ts';
import type { PlanPath, ProcessIdentity } from '../model/ids.ts';
import type { LockLease } from '../model/lock-event.ts';
import type { DeadlockRules } from '../model/run-event.ts';
import { acquire } from '../rules/locks/lock-rules.ts';
import { People } from '../rules/locks/people-as-owners.ts';
import { lookAtTry, pollsAt } from '../rules/locks/polls.ts';
import { attemptOfJob } from '../state/attempts.ts';
import { type LockOwner, ownerIn, ownerOfToken, partyOf } from '../state/lock-state.ts';
import type { LiveAttempt, State } from '../state/state.ts';

export interface LockRequest {
  readonly owner: LockOwner;
  readonly wants: readonly Want[];
  readonly queue: boolean;
  readonly now: number;
  readonly process: ProcessIdentity;
  /** Of an agent that Signalbox did not start. */
  readonly lease?: LockLease;
  /** Refused rather than that an attempt is stopped for it. */
  readonly yields?: boolean;
}

export type LockAnswer =
  | { readonly kind: 'granted' }
  | { readonly kind: 'waiting'; readonly ticket: number; readonly obstacles: readonly Obstacle[] }
  | { readonly kind: 'busy'; readonly obstacles: readonly Obstacle[] }
  | { readonly kind: 'deadlock'; readonly words: string; readonly cycle: readonly string[] }
  | { readonly kind: 'victim'; readonly words: string }
  /** The attempt has ended, or is being stopped for another reason. */
  | { readonly kind: 'over' };

/** What the rules need beside the state. */
export interface LockWorld {
  readonly record: (event: Event) => void;
  /** Plans whose runner is alive, and would stop their attempts. */
  readonly watched: ReadonlySet<PlanPath>;
}

export function requestLocks(state: State, request: LockRequest, world: LockWorld): LockAnswer {
  const { owner } = request;
  if (owner.token !== 0) {
    const live = state.live.get(owner.token);
    if (live?.doom?.kind === 'deadlock') return { kind: 'victim', words: live.doom.words };
    if (!live || live.doom) return { kind: 'over' };
  }
  const wants = request.wants.filter((want) => !isHeld(state, owner, want));
  if (wants.length === 0) return { kind: 'granted' };
  const asked = { owner: owner.owner, wants };
  const people = new People(state, owner.owner, pollsAt(state, request.now));
  const obstacles = people.obstaclesOf(asked);
  if (obstacles.length === 0) {
    const passes = people.passesOf(asked);
    const hand = handInTheWay(state, owner, wants);
    const events = hand ? acquire(hand, wants, { passes }) : acquire(owner, wants, { passes, lease: request.lease });
    for (const event of events) world.record(event);
    return { kind: 'granted' };
  }
  const detect = rulesOf(state, owner.plan).detect;
  const blockedBy = [...new Set(obstacles.map((obstacle) => nameOf(state, obstacle.owner)))];
  const about = { v: 1, ...partyOf(owner), resource: obstacles[0]!.want, wants, blockedBy } as const;
  if (!request.queue) {
    const { polls, isNews } = lookAtTry(state, asked, request.now);
    const canBeWaitedFor = people.allOf(owner.owner).some((one) => state.locks.table.holdsOf(one).length > 0);
    if (isNews && canBeWaitedFor) world.record({ type: 'lock-tried', ...about });
    if (detect && polls) return breakCycles(state, people, request, wants, world) ?? { kind: 'busy', obstacles };
    const cycle = detect ? people.wouldDeadlock(asked, endingOwners(state)) : null;
    return cycle ? { kind: 'deadlock', ...inWords(state, cycle) } : { kind: 'busy', obstacles };
  }
  const end = detect ? breakCycles(state, people, request, wants, world) : null;
  if (end) return end;
  const { until, process: boundTo } = request.lease ?? {};
  world.record({
    type: 'lock-waiting',
    ...about,
    process: request.process,
    ...(until === undefined ? {} : { until }),
    ...(boundTo === undefined ? {} : { boundTo }),
  });
  return { kind: 'waiting', ticket: state.seq, obstacles };
}

/**
 * One request may close several cycles, and each needs a victim. All victims are chosen before the first is stopped, because no attempt
 * is stopped for a request that is refused. Null: the request can wait now.
 */
function breakCycles(
  state: State,
  people: People,
  { owner, queue, yields }: LockRequest,
  wants: readonly Want[],
  world: LockWorld,
): LockAnswer | null {
  const found: { readonly cycle: readonly DeadlockStep[]; readonly choice: ChosenVictim }[] = [];
  const without = endingOwners(state);
  for (;;) {
    const cycle = people.wouldDeadlock({ owner: owner.owner, wants }, without);
    if (!cycle) break;
    const choice = yields ? null : chooseIn(state, cycle, owner, ({ plan }) => world.watched.has(plan));
    if (choice === null) {
      const { words, cycle: names } = inWords(state, cycle);
      const { waitsFor } = cycle.find((step) => step.owner === owner.owner)!;
      // Who polls is told each time, which is not worth a record.
      if (queue)
        world.record({ type: 'lock-refused', v: 1, ...partyOf(owner), resource: waitsFor, cycle: names, words });
      return { kind: 'deadlock', words, cycle: names };
    }
    if (choice.owner === owner.owner) {
      stopVictim(state, cycle, choice, world.record);
      return { kind: 'victim', words: inWords(state, cycle).words };
    }
    found.push({ cycle, choice });
    without.push(choice.owner);
  }
  for (const { cycle, choice } of found) stopVictim(state, cycle, choice, world.record);
  return null;
}

const strength: Record<Mode, number> = { shared: 0, exclusive: 1 };

/** Strongly enough, by the owner, by a task that it works on by hand, or by the attempt that it checks or reviews. */
export function isHeld(state: State, owner: LockOwner, { key, mode }: Want): boolean {
  const attempt = state.jobs.has(owner.token) ? attemptOfJob(state, owner.token) : null;
  const checked = attempt === null ? [] : [{ owner: ownerOfToken(attempt) }];
  return [owner, ...handsOf(state, owner), ...checked].some((who) =>
    state.locks.table.holdsOf(who.owner).some((hold) => hold.key === key && strength[hold.mode] >= strength[mode]),
  );
}

/** The tasks with locks that this person works on by hand. */
export function handsOf(state: State, { token, name }: Pick<LockOwner, 'token' | 'name'>): LockOwner[] {
  if (token !== 0 || state.hands.size === 0) return [];
  return [...state.locks.owners.values()].filter((owner) => owner.by === name && state.hands.has(owner.token));
}

/** A lock that overlaps a task's own is taken for the task, and ends with it. */
function handInTheWay(state: State, owner: LockOwner, wants: readonly Want[]): LockOwner | undefined {
  const hands = handsOf(state, owner);
  if (hands.length === 0) return undefined;
  const inTheWay = new Set(state.locks.table.obstaclesOf({ owner: owner.owner, wants }).map((one) => one.owner));
  return hands.find((hand) => inTheWay.has(hand.owner));
}

/** The rules of the run that watches the plan's attempts, also those left by an earlier run. Other owners get the default. */
export const rulesOf = (state: State, plan: PlanPath): DeadlockRules =>
  state.plans.get(plan)?.run?.deadlock ?? defaultDeadlock;

/**
 * The name of an owner. A person who only asks is not in the table yet, and goes by name. If two plans have the same task, the plan is
 * added.
 */
export function nameOf(state: State, owner: OwnerId): string {
  const { name, plan, token } = ownerIn(state, owner);
  if (token === 0 || state.plans.size < 2) return name;
  for (const other of state.locks.owners.values()) {
    if (other.name === name && other.plan !== plan) return `${plan} ${name}`;
  }
  return name;
}

/**
 * Attempts that have ended or are being stopped: they soon release everything, so no cycle through them lasts. One that is being checked
 * or reviewed keeps everything as long as that takes.
 */
export function endingOwners(state: State): OwnerId[] {
  const checked = new Set<number | null>();
  for (const job of state.jobs) if (state.live.get(job)!.doom === null) checked.add(attemptOfJob(state, job));
  const ending: OwnerId[] = [];
  for (const { owner, token } of state.locks.owners.values()) {
    if (token === 0 || state.hands.has(token) || checked.has(token)) continue;
    if (state.live.get(token)?.doom !== null) ending.push(owner);
  }
  return ending;
}

export function inWords(state: State, cycle: readonly DeadlockStep[]) {
  // The task holds the lock, but the person who works on it by hand is the one who waits.
  const name = (owner: OwnerId) => {
    const by = state.locks.owners.get(owner)?.by;
    return by === undefined ? nameOf(state, owner) : `${by} (${nameOf(state, owner)})`;
  };
  return { words: cycleWords(cycle, name), cycle: cycle.map(({ owner }) => name(owner)) };
}

export type ChosenVictim = NonNullable<ReturnType<typeof chooseVictim>>;

type CanStop = (live: LiveAttempt) => boolean;

/** Null: no party of the cycle may be stopped. @param asking the rules of its run apply. */
export function chooseIn(
  state: State,
  cycle: readonly DeadlockStep[],
  asking: LockOwner,
  canStop: CanStop,
): ChosenVictim | null {
  const parties = cycle.map(({ owner }) => partyIn(state, owner, canStop));
  return chooseVictim(parties, rulesOf(state, asking.plan).victim);
}

export function stopVictim(
  state: State,
  cycle: readonly DeadlockStep[],
  choice: ChosenVictim,
  record: LockWorld['record'],
): void {
  const { token } = state.locks.owners.get(choice.owner)!;
  const step = cycle.find(({ owner }) => owner === choice.owner)!;
  stop(state, { live: state.live.get(token)!, step, ...inWords(state, cycle), reason: choice.reason }, record);
}

interface Stopped {
  readonly live: LiveAttempt;
  readonly step: DeadlockStep;
  readonly words: string;
  readonly cycle: readonly string[];
  readonly reason: string;
}

function stop(state: State, { live, step, words, cycle, reason }: Stopped, record: LockWorld['record']): void {
  const { plan, run, task, attempt, token } = live;
  const { task: blockerTask } = ownerIn(state, step.heldBy);
  const blocker = nameOf(state, step.heldBy);
  record({
    type: 'deadlock-detected',
    v: 1,
    plan,
    run,
    cycle,
    words,
    victim: attempt,
    victimTask: task,
    token,
    blockedOn: step.waitsFor,
    blocker,
    ...(blockerTask === null ? {} : { blockerTask }),
    reason,
  });
  const doom = {
    kind: 'deadlock',
    words,
    blocker: { owner: step.heldBy, name: blocker, resource: step.theirs },
  } as const;
  record({ type: 'attempt-doomed', v: 1, plan, run, task, attempt, token, doom });
}

function partyIn(state: State, owner: OwnerId, canStop: CanStop): Party {
  const { token } = ownerIn(state, owner);
  const live = state.live.get(token);
  // Nothing of a check or a review can be put back, and its attempt would keep its locks: another one of the circle gives way.
  if (live?.job.kind !== 'attempt') return { owner, ours: false, firstStartedAt: 0, startedAt: 0, times: 0, id: owner };
  const plan = state.plans.get(live.plan)!;
  const { firstStartedAt, deadlocks } = plan.tasks[plan.index.get(live.task)!]!;
  return {
    owner,
    ours: canStop(live),
    firstStartedAt,
    startedAt: live.scheduledAt,
    times: deadlocks,
    id: `${live.plan} ${live.attempt}`,
  };
}
