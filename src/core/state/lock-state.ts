// Who holds which locks and who waits for them, as the log says. The lock table knows only names; this file knows the owners behind them.
import { LockTable, type OwnerId, type Want } from '../../locks/lock-table.ts';
import { pollingMs } from '../model/defaults.ts';
import type { Stored, StoredEvent } from '../model/event.ts';
import type { AttemptId, PlanPath, ProcessIdentity, RunId, TaskId } from '../model/ids.ts';
import type { LockLease, LockParty, LockTried, LockWaiting } from '../model/lock-event.ts';
import type { LiveAttempt, State } from './state.ts';

export interface LockState {
  table: LockTable;
  /** Everybody who holds or waits. */
  readonly owners: Map<OwnerId, LockOwner>;
  /** By ticket. */
  readonly waiting: Map<number, WaitingProcess>;
  /** By owner and key: when it was granted. */
  readonly since: Map<string, number>;
  /** By owner and keys: what was asked for with `try` and refused. */
  readonly tried: Map<string, Tried>;
}

/** A `try` that was refused within the last 30 s, as far as it is recorded. */
export interface Tried {
  readonly owner: OwnerId;
  readonly wants: readonly Want[];
  /** Recorded last. */
  readonly at: number;
  /** It was refused a second time: it counts as waiting. */
  readonly polls: boolean;
}

export interface LockOwner {
  readonly owner: OwnerId;
  /** As people know it: the attempt, or the name that an agent gave itself. */
  readonly name: string;
  readonly plan: PlanPath;
  readonly task: TaskId | null;
  /** Of the attempt; 0 for an agent that Signalbox did not start. */
  readonly token: number;
  readonly run: RunId | null;
  /** The person who works on it by hand, and so shares the task's locks. */
  readonly by?: string;
  /** The locks of a silent owner end at this time; 0: never by time. */
  until: number;
  /** The locks end with this process. */
  process: ProcessIdentity | null;
}

export interface WaitingProcess {
  readonly process: ProcessIdentity;
  readonly since: number;
}

export const createLockState = (): LockState => ({
  table: new LockTable(),
  owners: new Map(),
  waiting: new Map(),
  since: new Map(),
  tried: new Map(),
});

export const ownerOfToken = (token: number): OwnerId => `#${token}`;

/** Also one that neither holds nor waits yet: an attempt by its token, anybody else by name. */
export function ownerIn({ locks, live }: Pick<State, 'locks' | 'live'>, id: OwnerId): LockOwner {
  const known = locks.owners.get(id);
  if (known) return known;
  const attempt = id.startsWith('#') ? live.get(Number(id.slice(1))) : undefined;
  if (attempt) return ownerOf(attempt);
  return { owner: id, name: id, plan: '' as PlanPath, task: null, token: 0, run: null, until: 0, process: null };
}

/** An attempt, as the table knows it. */
export function ownerOf(live: Pick<LiveAttempt, 'plan' | 'task' | 'attempt' | 'token' | 'run'>): LockOwner {
  const { plan, task, attempt, token, run } = live;
  return { owner: ownerOfToken(token), name: attempt, plan, task, token, run, until: 0, process: null };
}

const holdKey = (owner: OwnerId, key: string) => `${owner}\n${key}`;
export const heldSince = (locks: LockState, owner: OwnerId, key: string): number =>
  locks.since.get(holdKey(owner, key)) ?? 0;

/** The fields by which an event names an owner. */
export function partyOf(who: LockOwner): LockParty & { readonly plan: PlanPath } {
  const { owner, name, plan, task, token, run, by } = who;
  if (token === 0) return { plan, owner, agent: name };
  const attempt = { plan, owner, run: run!, task: task!, attempt: name as AttemptId, token };
  return by === undefined ? attempt : { ...attempt, agent: by };
}

export function evolveLocks(locks: LockState, event: StoredEvent): void {
  switch (event.type) {
    case 'lock-acquired':
      know(locks, event, event);
      locks.table.hold(event.owner, event.resource, event.mode, event.seq);
      locks.since.set(holdKey(event.owner, event.resource), event.at);
      if (event.passes) locks.table.pass(event.passes);
      if (event.ticket !== undefined) endWait(locks, event.owner, event.ticket);
      for (const [name, { owner, wants }] of locks.tried) {
        if (owner === event.owner && wants.some(({ key }) => key === event.resource)) locks.tried.delete(name);
      }
      return;
    case 'lock-waiting':
      know(locks, event, leaseOf(event));
      locks.table.queue({ ticket: event.seq, owner: event.owner, wants: event.wants });
      locks.waiting.set(event.seq, { process: event.process, since: event.at });
      return;
    case 'lock-wait-ended':
      endWait(locks, event.owner, event.ticket);
      forget(locks, event.owner);
      return;
    case 'lock-released':
      locks.table.drop(event.owner, event.resource);
      locks.since.delete(holdKey(event.owner, event.resource));
      forget(locks, event.owner);
      return;
    case 'lock-tried':
      return noteTry(locks, event);
    case 'lock-renewed': {
      const owner = locks.owners.get(event.owner);
      if (owner) owner.until = event.until;
      return;
    }
    default: // the others change tasks, or change nothing
      return;
  }
}

/** A lock granted after a wait has the same lease as one granted at once. */
const leaseOf = ({ until, boundTo }: LockWaiting): LockLease => ({
  ...(until === undefined ? {} : { until }),
  ...(boundTo === undefined ? {} : { process: boundTo }),
});

function know(locks: LockState, event: LockParty & Pick<LockWaiting, 'plan'>, lease: LockLease): void {
  const { owner, plan, task, token, run, attempt, agent } = event;
  const known = locks.owners.get(owner);
  if (known) {
    known.until = lease.until ?? known.until;
    known.process = lease.process ?? known.process;
    return;
  }
  locks.owners.set(owner, {
    owner,
    name: attempt ?? agent ?? owner,
    plan,
    task: task ?? null,
    token: token ?? 0,
    run: run ?? null,
    ...(attempt !== undefined && agent !== undefined ? { by: agent } : {}),
    until: lease.until ?? 0,
    process: lease.process ?? null,
  });
}

function endWait(locks: LockState, owner: OwnerId, ticket: number): void {
  if (locks.table.request(ticket)?.owner !== owner) return;
  locks.table.unqueue(ticket);
  locks.waiting.delete(ticket);
}

/** What the owner asks for, in any order. */
export const triedAs = (owner: OwnerId, wants: readonly Want[]): string =>
  [owner, ...wants.map(({ key }) => key).sort()].join('\n');

function noteTry(locks: LockState, { owner, wants, at }: Stored<LockTried>): void {
  for (const [name, before] of locks.tried) if (before.at + pollingMs <= at) locks.tried.delete(name);
  const name = triedAs(owner, wants);
  locks.tried.set(name, { owner, wants, at, polls: locks.tried.has(name) });
}

/** An owner that neither holds nor waits is forgotten. */
function forget(locks: LockState, owner: OwnerId): void {
  if (!locks.table.has(owner)) locks.owners.delete(owner);
}

export interface LockSnapshot {
  readonly owners: readonly LockOwner[];
  readonly holds: readonly (readonly [OwnerId, string, 'exclusive' | 'shared', number, number])[];
  readonly requests: readonly {
    readonly ticket: number;
    readonly owner: OwnerId;
    readonly wants: LockWaiting['wants'];
    readonly passed: number;
    readonly waiting: WaitingProcess;
  }[];
  readonly tried: readonly Tried[];
}

export function snapshotLocks(locks: LockState): LockSnapshot {
  return {
    owners: [...locks.owners.values()].map((owner) => ({ ...owner })),
    // Sorted, so two copies of one state are equal to the byte.
    holds: [...locks.table.holds()]
      .sort((a, b) => a.fence - b.fence)
      .map(({ owner, key, mode, fence }) => [owner, key, mode, fence, heldSince(locks, owner, key)]),
    requests: [...locks.table.requests()].map(({ ticket, owner, wants, passed }) => {
      return { ticket, owner, wants, passed, waiting: locks.waiting.get(ticket)! };
    }),
    tried: [...locks.tried.values()],
  };
}

export function restoreLocks(snapshot: LockSnapshot): LockState {
  const locks = createLockState();
  for (const owner of snapshot.owners) locks.owners.set(owner.owner, { ...owner });
  for (const [owner, key, mode, fence, since] of snapshot.holds) {
    locks.table.hold(owner, key, mode, fence);
    locks.since.set(holdKey(owner, key), since);
  }
  for (const { waiting, ...request } of snapshot.requests) {
    locks.table.queue(request);
    locks.waiting.set(request.ticket, waiting);
  }
  for (const tried of snapshot.tried) locks.tried.set(triedAs(tried.owner, tried.wants), tried);
  return locks;
}
