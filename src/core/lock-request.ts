// A request for locks by somebody who runs: granted, queued, or refused. The deadlock that a request would close is found in the
// transaction that would queue it, whoever makes it.
//
//   free, or already held strongly enough            granted
//   somebody is in the way, and it may not wait      busy, or deadlock when waiting could never end
//   somebody is in the way, and it waits             waiting; when that closes a cycle, one of those in it is stopped first, and when
//                                                    nobody may be stopped, the request is refused
//   the attempt is over, or being ended              over, or victim
import { cycleWords } from '../locks/cycle-words.ts';
import type { DeadlockStep, Mode, Obstacle, OwnerId, Want } from '../locks/lock-table.ts';
import { chooseVictim, type Party } from '../locks/victim.ts';
import { defaultDeadlock } from './defaults.ts';
import type { Event } from './event.ts';
import type { ProcessIdentity, RunId } from './ids.ts';
import { acquire } from './lock-rules.ts';
import { type LockOwner, partyOf } from './lock-state.ts';
import type { LiveAttempt, State } from './state.ts';

export interface LockRequest {
  readonly owner: LockOwner;
  readonly wants: readonly Want[];
  readonly queue: boolean;
  readonly process: ProcessIdentity;
  /** Of somebody whom Signalbox did not start. */
  readonly lease?: { readonly until?: number; readonly process?: ProcessIdentity };
}

export type LockAnswer =
  | { readonly kind: 'granted' }
  | { readonly kind: 'waiting'; readonly ticket: number; readonly obstacles: readonly Obstacle[] }
  | { readonly kind: 'busy'; readonly obstacles: readonly Obstacle[] }
  | { readonly kind: 'deadlock'; readonly words: string; readonly cycle: readonly string[] }
  | { readonly kind: 'victim'; readonly words: string }
  /** The attempt has ended, or is being ended for another reason. */
  | { readonly kind: 'over' };

/** What the rules need of the world beside the state. */
export interface LockWorld {
  readonly record: (event: Event) => void;
  readonly isRunnerAlive: (plan: string, run: RunId) => boolean;
}

export function requestLocks(state: State, request: LockRequest, world: LockWorld): LockAnswer {
  const { owner } = request;
  const { table } = state.locks;
  if (owner.token !== 0) {
    const live = state.live.get(owner.token);
    if (live?.doom?.kind === 'deadlock') return { kind: 'victim', words: live.doom.words };
    if (!live || live.doom) return { kind: 'over' };
  }
  const wants = request.wants.filter((want) => !isHeld(state, owner.owner, want));
  if (wants.length === 0) return { kind: 'granted' };
  const asked = { owner: owner.owner, wants };
  const obstacles = table.obstaclesOf(asked);
  if (obstacles.length === 0) {
    const passes = table.passesOf(asked);
    for (const event of acquire(owner, wants, { passes, lease: request.lease ?? {} })) world.record(event);
    return { kind: 'granted' };
  }
  const cycle = rulesOf(state, owner).detect ? table.wouldDeadlock(asked) : null;
  if (!request.queue) return cycle ? refusal(state, cycle, owner) : { kind: 'busy', obstacles };
  if (cycle && cycleIsNew(state, cycle)) {
    const victim = stopVictim(state, cycle, owner, world);
    if (victim === owner.owner) return { kind: 'victim', words: cycleWords(cycle, namer(state, owner)) };
    if (victim === null) {
      const { words, names } = inWords(state, cycle, owner);
      const { waitsFor } = cycle.find((step) => step.owner === owner.owner)!;
      world.record({ type: 'lock-refused', v: 1, ...partyOf(owner), resource: waitsFor, cycle: names, words });
      return { kind: 'deadlock', words, cycle: names };
    }
  }
  world.record({
    type: 'lock-waiting',
    v: 1,
    ...partyOf(owner),
    resource: obstacles[0]!.want,
    wants,
    blockedBy: [...new Set(obstacles.map((obstacle) => nameOf(state, obstacle.owner)))],
    process: request.process,
  });
  return { kind: 'waiting', ticket: state.seq, obstacles };
}

const strength: Record<Mode, number> = { shared: 0, exclusive: 1 };

function isHeld(state: State, owner: OwnerId, { key, mode }: Want): boolean {
  return state.locks.table.holdsOf(owner).some((hold) => hold.key === key && strength[hold.mode] >= strength[mode]);
}

/** Those of the run that the attempt belongs to; for others, what holds by default. */
export function rulesOf(state: State, { plan, run }: Pick<LockOwner, 'plan' | 'run'>) {
  const own = state.plans.get(plan)?.run;
  return own && own.run === run ? own.deadlock : defaultDeadlock;
}

export const nameOf = (state: State, owner: OwnerId): string => state.locks.owners.get(owner)?.name ?? owner;

/** Nobody in it is being stopped already, or has just been. */
export function cycleIsNew(state: State, cycle: readonly DeadlockStep[]): boolean {
  return cycle.every(({ owner }) => {
    const token = state.locks.owners.get(owner)?.token ?? 0;
    return token === 0 || state.live.get(token)?.doom === null;
  });
}

function refusal(state: State, cycle: readonly DeadlockStep[], asking: LockOwner): LockAnswer {
  const { words, names } = inWords(state, cycle, asking);
  return { kind: 'deadlock', words, cycle: names };
}

function inWords(state: State, cycle: readonly DeadlockStep[], asking: LockOwner) {
  const name = namer(state, asking);
  return { words: cycleWords(cycle, name), names: cycle.map(({ owner }) => name(owner)) };
}

/** The one who asks may be new to the table. */
const namer = (state: State, asking: LockOwner) => (owner: OwnerId) =>
  owner === asking.owner ? asking.name : nameOf(state, owner);

/** Stops one of the cycle and tells which; null when nobody may be. */
export function stopVictim(
  state: State,
  cycle: readonly DeadlockStep[],
  asking: LockOwner,
  world: LockWorld,
): OwnerId | null {
  const choice = chooseVictim(
    cycle.map(({ owner }) => partyIn(state, owner, asking, world)),
    rulesOf(state, asking).victim,
  );
  if (choice === null) return null;
  const victim = choice.owner === asking.owner ? asking : state.locks.owners.get(choice.owner)!;
  const live = state.live.get(victim.token)!;
  const step = cycle.find(({ owner }) => owner === choice.owner)!;
  stop(state, { live, step, ...inWords(state, cycle, asking), reason: choice.reason }, namer(state, asking), world);
  return choice.owner;
}

interface Stopped {
  readonly live: LiveAttempt;
  readonly step: DeadlockStep;
  readonly words: string;
  readonly names: readonly string[];
  readonly reason: string;
}

function stop(state: State, found: Stopped, name: (owner: OwnerId) => string, world: LockWorld): void {
  const { live, step, words, names, reason } = found;
  const { plan, run, task, attempt, token } = live;
  const blocker = name(step.heldBy);
  const blockerTask = state.locks.owners.get(step.heldBy)?.task ?? null;
  world.record({
    type: 'deadlock-detected',
    v: 1,
    plan,
    run,
    cycle: names,
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
  world.record({ type: 'attempt-doomed', v: 1, plan, run, task, attempt, token, doom });
}

function partyIn(state: State, owner: OwnerId, asking: LockOwner, world: LockWorld): Party {
  const known = owner === asking.owner ? asking : state.locks.owners.get(owner)!;
  const live = state.live.get(known.token);
  if (!live) return { owner, ours: false, firstStartedAt: 0, startedAt: 0, times: 0, id: known.name };
  const plan = state.plans.get(live.plan)!;
  const { firstStartedAt, deadlocks } = plan.tasks[plan.index.get(live.task)!]!;
  const ours = live.doom === null && plan.run !== null && world.isRunnerAlive(live.plan, plan.run.run);
  return {
    owner,
    ours,
    firstStartedAt,
    startedAt: live.scheduledAt,
    times: deadlocks,
    id: `${live.plan} ${live.attempt}`,
  };
}
