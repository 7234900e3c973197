// The lock table as people see it.

import { nameOf } from '../../core/commands/lock-request.ts';
import { People } from '../../core/rules/locks/people-as-owners.ts';
import { countedMs } from '../../core/state/clock-state.ts';
import { heldSince, type LockOwner } from '../../core/state/lock-state.ts';
import type { State } from '../../core/state/state.ts';
import type { Obstacle, OwnerId, Want } from '../../locks/lock-table.ts';
import type { World } from '../act/act.ts';
import type { LockCheckReport, LockHolder, LockListReport } from '../reports/locks.ts';
import { unattended } from './unattended.ts';
import { deadlocksInWords } from './wait-report.ts';

export function holderOf(state: State, { owner, theirs, kind }: Obstacle, look: World): LockHolder {
  const since = heldSince(state.locks, owner, theirs);
  return {
    ...who(state.locks.owners.get(owner), owner),
    resource: theirs,
    does: kind,
    since: kind === 'holds' && since > 0 ? new Date(since).toISOString() : null,
    ...leftAlone(state, owner, look),
  };
}

function leftAlone(state: State, owner: OwnerId, look: World) {
  const left = unattended(state, state.locks.owners.get(owner), look);
  return left ? { unattended: left } : {};
}

const who = (owner: LockOwner | undefined, id: string) => ({
  owner: owner?.name ?? id,
  task: owner?.task ?? null,
  plan: owner && owner.plan !== '' ? owner.plan : null,
});

export function lockCheck(state: State, { key, mode }: Want, look: World): LockCheckReport {
  const obstacles = state.locks.table.obstaclesOf({ owner: '', wants: [{ key, mode }] });
  return { resource: key, free: obstacles.length === 0, holders: obstacles.map((o) => holderOf(state, o, look)) };
}

export function lockList(state: State, now: number, look: World): LockListReport {
  const { table, owners, waiting } = state.locks;
  const iso = (at: number) => new Date(at).toISOString();
  const holds = [...table.holds()].map(({ owner, key, mode, fence }) => {
    const known = owners.get(owner);
    const until = known && known.until > 0 && !known.process ? iso(known.until) : null;
    const since = heldSince(state.locks, owner, key);
    return {
      ...{ resource: key, mode, ...who(known, owner), since: iso(since), fence, until },
      heldMs: countedMs(state.clock.steps, since, now),
      leftMs: until === null ? null : Math.max(0, known!.until - now),
      ...leftAlone(state, owner, look),
    };
  });
  const people = new People(state);
  const waits = [...table.requests()].map((request) => ({
    resources: request.wants.map(({ key }) => key),
    ...who(owners.get(request.owner), request.owner),
    since: iso(waiting.get(request.ticket)!.since),
    waitedMs: Math.max(0, now - waiting.get(request.ticket)!.since),
    blockedBy: [...new Set(people.obstaclesOf(request).map(({ owner }) => nameOf(state, owner)))],
  }));
  return { holds, waits, deadlocks: deadlocksInWords(state) };
}
