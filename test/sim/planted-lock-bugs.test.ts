// For each invariant of locks, detection and resolution a bug that breaks it, planted in the rules themselves: the simulator must see
// it, and call it by its name. A claim that nothing ever breaks proves nothing.
import { afterEach, expect, it, vi } from 'vitest';
import type * as lockSteps from '../../src/api/locks/lock-steps.ts';
import type * as lockRequest from '../../src/core/commands/lock-request.ts';
import { lockLeaseMs } from '../../src/core/model/defaults.ts';
import type { Event } from '../../src/core/model/event.ts';
import type * as breakDeadlock from '../../src/core/rules/locks/break-deadlock.ts';
import type * as lockRules from '../../src/core/rules/locks/lock-rules.ts';
import type * as planLocks from '../../src/core/rules/locks/plan-locks.ts';
import type * as polls from '../../src/core/rules/locks/polls.ts';
import { partyOf } from '../../src/core/state/lock-state.ts';
import type { AskedRequest, DeadlockStep, Mode, Obstacle, OwnerId } from '../../src/locks/lock.ts';
import type * as lockTable from '../../src/locks/lock-table.ts';
import type * as victim from '../../src/locks/victim.ts';
import type * as reaping from '../../src/runner/reap-locks.ts';
import type { Transaction } from '../../src/store/store.ts';
import { someOf } from '../how-many.ts';
import { bound, recording } from './sabotage.ts';
import { simulate } from './simulate.ts';
import type { Sabotage } from './world.ts';

/** Which of the bugs in the mocks is active. */
const planted = vi.hoisted(() => ({ bug: '', calls: 0 }));
const has = (bug: string) => planted.bug === bug;

vi.mock('../../src/locks/lock-table.ts', async (original) => {
  const { LockTable: Right } = await original<typeof lockTable>();
  class LockTable extends Right {
    private readonly endings = new WeakMap<readonly OwnerId[], number>();

    override hold(owner: OwnerId, key: string, mode: Mode, fence: number): void {
      super.hold(owner, key, mode, has('fences stand still') ? 1 : fence);
    }

    override obstaclesOf(asked: AskedRequest): Obstacle[] {
      const found = super.obstaclesOf(asked);
      const isNew = asked.ticket === undefined;
      if (isNew && has('a holder is overlooked')) return found.filter(({ kind }) => kind !== 'holds');
      if (isNew && has('the queue is overlooked')) return found.filter(({ kind }) => kind !== 'waits');
      const own = has('its own hold is in its way') && this.holdsOf(asked.owner)[0];
      if (!own) return found;
      return [...found, { owner: asked.owner, want: asked.wants[0]!.key, theirs: own.key, kind: 'holds' }];
    }

    override nextGrant() {
      return has('nobody is handed anything') ? null : super.nextGrant();
    }

    override passesOf(asked: AskedRequest): number[] {
      return has('who is passed is not told') ? [] : super.passesOf(asked);
    }

    override findDeadlock(owner: OwnerId, without: readonly OwnerId[] = []) {
      // Now and then, as a race would have it: always would never come to rest.
      const isStale = has('two resolvers find one cycle') && planted.calls++ % 20 === 0;
      return this.seen(super.findDeadlock(owner, isStale ? [] : without));
    }

    override wouldDeadlock(asked: AskedRequest, without: readonly OwnerId[] = []) {
      if (has('the runner is left to find it')) return null;
      const isEnding = this.endings.get(without) ?? without.length;
      this.endings.set(without, isEnding);
      // Those behind them were chosen by this very request.
      const rest = has('who is being ended is in the graph') ? without.slice(isEnding) : without;
      return this.seen(super.wouldDeadlock(asked, rest));
    }

    override withPolls<T>(polls: readonly AskedRequest[], question: () => T): T {
      return super.withPolls(has('who polls is overlooked') ? [] : polls, question);
    }

    private seen(cycle: DeadlockStep[] | null): DeadlockStep[] | null {
      const isOverlooked = cycle?.some(({ owner, heldBy, theirs, kind, waitsFor }) => {
        const isShared = (who: OwnerId, what: string) =>
          this.holdsOf(who).some(({ key, mode }) => key === what && mode === 'shared');
        return (
          has('no deadlock is found') ||
          (has('the order of the queue makes no edge') && kind === 'waits') ||
          (has('shared holders make no edge') && isShared(heldBy, theirs)) ||
          (has('an upgrade makes no edge') && isShared(owner, waitsFor)) ||
          (has('three are too deep') && cycle.length > 2)
        );
      });
      return isOverlooked ? null : cycle;
    }
  }
  return { LockTable };
});

vi.mock('../../src/core/rules/locks/break-deadlock.ts', async (original) => {
  const right = await original<typeof breakDeadlock>();
  const breaking: typeof right.breakDeadlock = (state, now, me, watched) =>
    has('the runner is left to find it') && !me ? null : right.breakDeadlock(state, now, me, watched);
  return { ...right, breakDeadlock: breaking };
});

vi.mock('../../src/core/rules/locks/polls.ts', async (original) => {
  const right = await original<typeof polls>();
  const pollsAt: typeof right.pollsAt = (state, now) =>
    has('one refusal is a wait') ? [...state.locks.tried.values()] : right.pollsAt(state, now);
  const lookAtTry: typeof right.lookAtTry = (state, asked, now) => {
    const found = right.lookAtTry(state, asked, now);
    return has('every try is recorded') ? { ...found, isNews: true } : found;
  };
  return { pollsAt, lookAtTry };
});

vi.mock('../../src/core/commands/lock-request.ts', async (original) => {
  const right = await original<typeof lockRequest>();
  const request: typeof right.requestLocks = (state, asked, world) => {
    const answer = right.requestLocks(state, asked, world);
    const { owner, wants } = asked;
    const isOver = answer.kind === 'over' || answer.kind === 'victim';
    if (!isOver || !has('an old token gets a lock')) return answer;
    if (state.locks.table.obstaclesOf({ owner: owner.owner, wants }).length > 0) return answer;
    for (const { key, mode } of wants)
      world.record({ type: 'lock-acquired', v: 1, ...partyOf(owner), resource: key, mode });
    return { kind: 'granted' };
  };
  return { ...right, requestLocks: request };
});

vi.mock('../../src/core/rules/locks/lock-rules.ts', async (original) => {
  const right = await original<typeof lockRules>();
  const moveLocks: typeof right.moveLocks = (state) => {
    const events = right.moveLocks(state);
    const [first] = events ?? [];
    if (has('a grant does not look again') && first?.type === 'lock-wait-ended' && state.live.has(first.token!)) {
      const { owner, wants, ticket } = state.locks.table.request(first.ticket)!;
      return right.acquire(state.locks.owners.get(owner)!, wants, { ticket, passes: [] });
    }
    if (has('a victim keeps one lock') && first?.type === 'lock-released' && first.because === 'deadlock') {
      return events!.length > 1 ? events!.slice(1) : null;
    }
    return events;
  };
  return { ...right, moveLocks };
});

vi.mock('../../src/core/rules/locks/plan-locks.ts', async (original) => {
  const right = await original<typeof planLocks>();
  const admissionOf: typeof right.admissionOf = (state, plan, task, ...rest) => {
    const { after } = plan.tasks[task]!;
    if (after && has('an added need stays')) return { kind: 'after', ...after };
    if (after && has('an added need holds nobody')) return { kind: 'free', passes: [] };
    return right.admissionOf(state, plan, task, ...rest);
  };
  return { ...right, admissionOf };
});

vi.mock('../../src/locks/victim.ts', async (original) => {
  const { chooseVictim: right } = await original<typeof victim>();
  const chooseVictim: typeof right = (parties, policy) => {
    const choice = right(parties, policy);
    if (has('a retry makes it young again'))
      return right(
        parties.map((party) => ({ ...party, firstStartedAt: party.startedAt })),
        policy,
      );
    const others = parties.filter(({ ours, times }) => ours && times < 3);
    if (!has('chance chooses the victim') || others.length === 0) return choice;
    return { owner: others[planted.calls++ % others.length]!.owner, reason: 'it was its turn' };
  };
  return { chooseVictim };
});

vi.mock('../../src/runner/reap-locks.ts', async (original) => {
  const right = await original<typeof reaping>();
  const reapLocks: typeof right.reapLocks = (tx, look) => {
    if (has('the dead stay in line')) return;
    // Another machine's clock, which is ahead.
    const now = tx.now + (has('two clocks are compared') ? lockLeaseMs : 0);
    const early: Transaction = { state: tx.state, now, recorded: tx.recorded, record: (event) => tx.record(event) };
    right.reapLocks(early, has('the living are called dead') ? () => true : look);
  };
  return { ...right, reapLocks };
});

vi.mock('../../src/api/locks/lock-steps.ts', async (original) => {
  const right = await original<typeof lockSteps>();
  const dropLocks: typeof right.dropLocks = (tx, identity, keys, world) => {
    if (!has('anybody gives back for all')) return right.dropLocks(tx, identity, keys, world);
    for (const { owner, key } of [...tx.state.locks.table.holds()]) {
      if (keys !== null && !keys.includes(key)) continue;
      const party = partyOf(tx.state.locks.owners.get(owner)!);
      tx.record({ type: 'lock-released', v: 1, ...party, resource: key, because: 'released' });
    }
    return right.dropLocks(tx, identity, null, world);
  };
  return { ...right, dropLocks };
});

/** Something is recorded in addition. */
const adding = (more: (event: Event, tx: Transaction) => readonly Event[]): Sabotage => ({
  transaction: (tx) => ({
    state: tx.state,
    now: tx.now,
    recorded: tx.recorded,
    record: (event) => {
      tx.record(event);
      for (const other of more(event, tx)) tx.record(other);
    },
  }),
});

/** A task that needs the victim is to be waited for. */
const needingBack: Sabotage = {
  transaction: (tx) => ({
    state: tx.state,
    now: tx.now,
    recorded: tx.recorded,
    record: (event) => {
      const tasks = event.type === 'need-added' ? tx.state.plans.get(event.plan)!.plan.tasks : [];
      const later = event.type === 'need-added' && tasks.find(({ needs }) => needs?.includes(event.task));
      tx.record(later ? { ...event, onTask: later.id } : event);
    },
  }),
};

/** Of the blocker too. */
function stopBoth(event: Event, { state }: Transaction): readonly Event[] {
  if (event.type !== 'attempt-doomed' || event.doom.kind !== 'deadlock') return [];
  const other = state.live.get(Number(event.doom.blocker.owner.slice(1)));
  if (!other || other.doom) return [];
  const { plan, run, task, attempt, token } = other;
  const about = { v: 1, plan, run, token } as const;
  const { words } = event.doom;
  const cycle = [event.attempt, attempt];
  const blocked = { blockedOn: event.doom.blocker.resource, blocker: event.attempt };
  const found = { cycle, words, victim: attempt, victimTask: task, ...blocked, reason: 'it is in it too' };
  return [
    { type: 'deadlock-detected', ...about, ...found },
    { type: 'attempt-doomed', ...about, task, attempt, doom: event.doom },
  ];
}

/** The number of the invariant, the bug, how it is planted, and how the violation may be called. */
type Case = readonly [number, string, Sabotage, readonly string[]];
const cases: readonly Case[] = [
  [1, 'a holder is overlooked', {}, ['no two hold what conflicts']],
  [1, 'the queue is overlooked', {}, ['nobody barges']],
  [1, 'who is passed is not told', {}, ['who is passed is told']],
  [2, 'fences stand still', {}, ['the table is what the log says']],
  [3, 'an old token gets a lock', {}, ['nothing for who is being ended']],
  [4, 'a grant does not look again', {}, ['nothing for who is being ended']],
  [5, 'anybody gives back for all', {}, ['a lock moves for a reason', 'declared locks are held to the end']],
  [
    5,
    'a release is recorded twice',
    adding((event) => (event.type === 'lock-released' ? [event] : [])),
    ['one release'],
  ],
  [6, 'two clocks are compared', {}, ['a lock moves for a reason', 'a wait ends for a reason']],
  [
    7,
    'who is told to end is called dead',
    {
      host: (host, observe) => ({
        ...bound(host),
        stop: (token, graceMs) => [host.stop(token, graceMs), observe({ kind: 'ended', token, end: killed })],
      }),
    },
    ['dead before it is called dead'],
  ],
  [
    8,
    'a helper that is gone is taken for the agent',
    {
      host: (host, observe) => ({
        ...bound(host),
        adopt: (attempts) => {
          for (const { token } of attempts) observe({ kind: 'ended', token, end: { kind: 'lost' } });
        },
      }),
    },
    ['dead before it is called dead', 'true end'],
  ],
  [9, 'the living are called dead', {}, ['a wait ends for a reason']],
  [9, 'the dead stay in line', {}, ['never idle', 'nothing for the dead']],
  [
    10,
    'what never showed a sign of life is waited for',
    {
      host: (host) => ({
        ...bound(host),
        start: (order) => {
          if (order.token % 5 !== 0) host.start(order);
        },
      }),
    },
    ['progress', 'never idle'],
  ],
  [
    11,
    'the end of an older attempt ends a newer one',
    {
      host: (host, observe) => ({
        ...bound(host),
        start: (order) => {
          host.start(order);
          if (!order.attempt.endsWith('#1')) observe({ kind: 'ended', token: order.token, end: { kind: 'lost' } });
        },
      }),
    },
    ['dead before it is called dead', 'true end'],
  ],
  [12, 'no deadlock is found', {}, ['a deadlock is found when it closes']],
  [13, 'the order of the queue makes no edge', {}, ['a deadlock is found when it closes']],
  [13, 'shared holders make no edge', {}, ['a deadlock is found when it closes']],
  [14, 'its own hold is in its way', {}, ['what is free is granted']],
  [15, 'an upgrade makes no edge', {}, ['a deadlock is found when it closes']],
  [16, 'who is being ended is in the graph', {}, ['one victim of its cycle', 'a true deadlock']],
  [17, 'the runner is left to find it', {}, ['a deadlock is found when it closes']],
  [18, 'three are too deep', {}, ['a deadlock is found when it closes']],
  [19, 'two are stopped for one deadlock', adding(stopBoth), ['one victim of its cycle']],
  [
    19,
    'a victim has all the time in the world',
    { host: (host) => ({ ...bound(host), stop: (token) => host.stop(token, 60_000) }) },
    ['survivors go on soon'],
  ],
  [20, 'nobody is handed anything', {}, ['what is free is granted']],
  [20, 'a victim keeps one lock', {}, ['a victim keeps nothing', 'nobody who has ended holds']],
  [21, 'a victim keeps one lock', {}, ['a victim keeps nothing', 'nobody who has ended holds']],
  [22, 'an added need closes a cycle', needingBack, ['needs and waits stay without a cycle']],
  [23, 'two resolvers find one cycle', {}, ['one victim of its cycle', 'a true deadlock']],
  [24, 'a retry makes it young again', {}, ['the right one is stopped']],
  [26, 'an added need stays', {}, ['never idle', 'progress']],
  [26, 'an added need holds nobody', {}, ['not before its blocker lets go']],
  [
    27,
    'a victim never starts again',
    recording((event) =>
      event.type === 'retry-scheduled' && event.because === 'deadlock'
        ? { ...event, notBefore: event.notBefore + 1e9 }
        : event,
    ),
    ['never idle', 'progress', 'backoff'],
  ],
  [28, 'chance chooses the victim', {}, ['the right one is stopped']],
  [
    28,
    'nobody knows why it was stopped',
    recording((event) => (event.type === 'deadlock-detected' ? { ...event, reason: '' } : event)),
    ['the reason is told'],
  ],
  [
    29,
    'a step is recorded and not taken',
    adding((event) => {
      if (event.type !== 'work-saved') return [];
      const { v, plan, run, task, attempt, token } = event;
      return [{ type: 'files-put-back', v, plan, run, task, attempt, token }];
    }),
    ['files are put back', 'step by step'],
  ],
  [
    30,
    'a deadlock is a failure',
    recording((event) =>
      event.type === 'retry-scheduled' && event.because === 'deadlock'
        ? { ...event, because: 'failed', failure: { kind: 'said', message: 'deadlock' } }
        : event,
    ),
    ['a deadlock costs nothing', 'step by step'],
  ],
  [31, 'who polls is overlooked', {}, ['a deadlock is found when it closes']],
  [32, 'one refusal is a wait', {}, ['a true deadlock', 'one victim of its cycle']],
  [33, 'every try is recorded', {}, ['a try is recorded where it matters']],
];

const killed = { kind: 'killed' } as never;

/** Where it shows first; everything else in the first one. */
const seeds: Readonly<Record<string, number>> = {
  'the queue is overlooked': 2,
  'who is passed is not told': 2,
  'an old token gets a lock': 5,
  'a grant does not look again': 149,
  'two clocks are compared': 8,
  'who is told to end is called dead': 2,
  'a helper that is gone is taken for the agent': 2,
  'the living are called dead': 3,
  'the dead stay in line': 3,
  'no deadlock is found': 5,
  'the order of the queue makes no edge': 5,
  'shared holders make no edge': 5,
  'an upgrade makes no edge': 15,
  'who is being ended is in the graph': 65,
  'the runner is left to find it': 4,
  'three are too deep': 5,
  'two are stopped for one deadlock': 5,
  'a victim has all the time in the world': 5,
  'a victim keeps one lock': 5,
  'an added need closes a cycle': 5,
  'two resolvers find one cycle': 14,
  'a retry makes it young again': 164,
  'an added need stays': 11,
  'an added need holds nobody': 5,
  'a victim never starts again': 5,
  'chance chooses the victim': 5,
  'nobody knows why it was stopped': 5,
  'a deadlock is a failure': 5,
  'who polls is overlooked': 10,
  'one refusal is a wait': 2,
  'every try is recorded': 4,
};

afterEach(() => {
  planted.bug = '';
});

it.each(someOf(cases))('invariant %i: %s', async (_, bug, sabotage, expected) => {
  planted.bug = bug;
  planted.calls = 0;
  const caught: string[] = [];
  const first = seeds[bug] ?? 1;
  for (let seed = first; seed < first + 40 && caught.length === 0; seed++) {
    const { violation } = await simulate(seed, { sabotage });
    if (violation) caught.push(violation.invariant);
  }
  expect(expected).toEqual(expect.arrayContaining(caught));
  expect(caught.length).toBeGreaterThan(0);
});

it('every invariant has one: the three-times rule has its own file', () => {
  const numbers = new Set(cases.map(([number]) => number));
  const missing = Array.from({ length: 33 }, (_, i) => i + 1).filter((number) => !numbers.has(number));
  expect(missing).toEqual([25]);
});
