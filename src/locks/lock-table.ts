// Who holds what, who waits for what, in which order, and who waits for whom. Facts change the table, questions tell what should
// become a fact; events are recorded elsewhere. Every answer is a function of the holds and requests alone, not of the way there.
//
// Exclusive conflicts with everything that overlaps, shared with exclusive only. A request gets all or none. What may go first?
//
//   the later request conflicts with                                    and then
//   a hold of another                                                   waits
//   a hold or an earlier request of its own owner                       goes on: subagents of one attempt share its locks
//   an earlier request for one resource                                 waits: nobody barges
//   an earlier request for many, in a part that others hold             waits: that part is what it queues for
//   an earlier request for many, in parts that are free                 passes, as long as it was passed fewer than eight times:
//                                                                       what waits for much must not reserve the rest for ever
//   an earlier request that waits for a hold of the later one's owner   passes, always: the earlier one cannot go on before that
//                                                                       owner does, and the queue would be a deadlock of our making
//
// Hence one shared holder may upgrade although another waits for its exclusive turn, and two who both upgrade are a deadlock.
//
// Cycles are looked for through one owner. Waits can begin for: the owner of a request that was queued; the owner of a hold that was
// granted, and the owners that were passed; the owner of a hold that was dropped, if it waits (it may stand behind others now).
import { overlaps } from './overlap.ts';
import { parseResource, type Resource } from './resource.ts';

export type Mode = 'exclusive' | 'shared';

/** `#12`: the attempt with token 12; anything else: an agent by name. Opaque here. */
export type OwnerId = string;

export interface Want {
  /** Canonical, as `parseResource` gives it. */
  readonly key: string;
  readonly mode: Mode;
}

export interface Hold {
  readonly owner: OwnerId;
  readonly key: string;
  readonly mode: Mode;
  readonly fence: number;
}

export interface Request {
  readonly ticket: number;
  readonly owner: OwnerId;
  readonly wants: readonly Want[];
  /** How often others went before it. */
  readonly passed: number;
}

export interface Obstacle {
  readonly owner: OwnerId;
  /** What we want. */
  readonly want: string;
  /** What they hold or want. */
  readonly theirs: string;
  readonly kind: 'holds' | 'waits';
  readonly ticket?: number;
}

export interface Grant {
  readonly request: Request;
  /** Tickets of earlier requests that it passes. */
  readonly passes: readonly number[];
}

/** One party of a cycle and what it waits for of the next. */
export interface DeadlockStep {
  readonly owner: OwnerId;
  /** 0 for a request that was only asked about. */
  readonly ticket: number;
  readonly waitsFor: string;
  readonly heldBy: OwnerId;
  readonly theirs: string;
  readonly kind: 'holds' | 'waits';
}

/** A request that is waiting, or as if it were: without a ticket it is behind all. */
export interface AskedRequest {
  readonly owner: OwnerId;
  readonly wants: readonly Want[];
  readonly ticket?: number;
}

const mostPasses = 8;

export class LockTable {
  private held: Hold[] = [];
  private waiting: Request[] = [];

  hold(owner: OwnerId, key: string, mode: Mode, fence: number): void {
    const old = this.held.find((hold) => hold.owner === owner && hold.key === key);
    if (old === undefined) this.held.push({ owner, key, mode, fence });
    else
      this.held[this.held.indexOf(old)] = {
        owner,
        key,
        mode: old.mode === 'exclusive' ? old.mode : mode,
        fence: Math.max(old.fence, fence),
      };
  }

  drop(owner: OwnerId, key: string): void {
    this.held = this.held.filter((hold) => hold.owner !== owner || hold.key !== key);
  }

  queue({
    ticket,
    owner,
    wants,
    passed = 0,
  }: AskedRequest & { readonly ticket: number; readonly passed?: number }): void {
    if (this.request(ticket) !== undefined) return;
    this.waiting.push({ ticket, owner, wants, passed });
    this.waiting.sort((a, b) => a.ticket - b.ticket);
  }

  unqueue(ticket: number): void {
    this.waiting = this.waiting.filter((request) => request.ticket !== ticket);
  }

  pass(tickets: readonly number[]): void {
    this.waiting = this.waiting.map((request) =>
      tickets.includes(request.ticket) ? { ...request, passed: request.passed + 1 } : request,
    );
  }

  holdsOf(owner: OwnerId): readonly Hold[] {
    return this.held.filter((hold) => hold.owner === owner);
  }

  waitsOf(owner: OwnerId): readonly Request[] {
    return this.waiting.filter((request) => request.owner === owner);
  }

  holds(): Iterable<Hold> {
    return this.held;
  }

  /** In order. */
  requests(): Iterable<Request> {
    return this.waiting;
  }

  /** That hold or wait. */
  owners(): Iterable<OwnerId> {
    return new Set([...this.held, ...this.waiting].map(({ owner }) => owner));
  }

  request(ticket: number): Request | undefined {
    return this.waiting.find((request) => request.ticket === ticket);
  }

  get isEmpty(): boolean {
    return this.held.length + this.waiting.length === 0;
  }

  /**
   * What stands in the way of this request now: holds of others in the order of the wants, then earlier requests that it may not
   * pass in the order of their tickets. What an owner has or wants stands there once.
   */
  obstaclesOf(asked: AskedRequest): Obstacle[] {
    const found = new Map<string, Obstacle>();
    const add = (obstacle: Obstacle) => {
      const name = JSON.stringify([obstacle.owner, obstacle.theirs]);
      if (!found.has(name)) found.set(name, obstacle);
    };
    for (const want of asked.wants) {
      const holds = this.held.filter((hold) => hold.owner !== asked.owner && conflict(want, hold));
      holds.sort((a, b) => compare(a.owner, b.owner) || compare(a.key, b.key));
      for (const { owner, key } of holds) add({ owner, want: want.key, theirs: key, kind: 'holds' });
    }
    for (const earlier of this.before(asked)) {
      if (this.waitsForHoldOf(earlier, asked.owner)) continue;
      for (const want of asked.wants) {
        for (const theirs of earlier.wants) {
          if (!conflict(want, theirs) || !this.isReserved(earlier, theirs)) continue;
          add({ owner: earlier.owner, want: want.key, theirs: theirs.key, kind: 'waits', ticket: earlier.ticket });
        }
      }
    }
    return [...found.values()];
  }

  /** Which earlier requests a grant would pass. Who asks again for what it has takes nothing from anybody. */
  passesOf(asked: AskedRequest): number[] {
    const taken = asked.wants.filter(({ key, mode }) => {
      const own = this.held.find((hold) => hold.owner === asked.owner && hold.key === key);
      return own === undefined || (own.mode === 'shared' && mode === 'exclusive');
    });
    const inTheWay = this.obstaclesOf(asked).map(({ ticket }) => ticket);
    return this.before(asked)
      .filter((earlier) => taken.some((want) => earlier.wants.some((theirs) => conflict(want, theirs))))
      .map(({ ticket }) => ticket)
      .filter((ticket) => !inTheWay.includes(ticket));
  }

  /** The first waiting request, in order, that nothing stands in the way of. */
  nextGrant(): Grant | null {
    const request = this.waiting.find((one) => this.obstaclesOf(one).length === 0);
    return request === undefined ? null : { request, passes: this.passesOf(request) };
  }

  /** A cycle through this owner, by holds and queue order; null if there is none. */
  findDeadlock(owner: OwnerId): DeadlockStep[] | null {
    return this.search(owner, this.waitsOf(owner));
  }

  /** As if the request were queued last: for `try`, which never queues. */
  wouldDeadlock({ owner, wants }: AskedRequest): DeadlockStep[] | null {
    return this.search(owner, [{ owner, wants, ticket: Number.POSITIVE_INFINITY, passed: 0 }]);
  }

  private before({ owner, ticket = Number.POSITIVE_INFINITY }: AskedRequest): Request[] {
    return this.waiting.filter((earlier) => earlier.ticket < ticket && earlier.owner !== owner);
  }

  private waitsForHoldOf(request: Request, owner: OwnerId): boolean {
    if (request.owner === owner) return false;
    return this.held.some((hold) => hold.owner === owner && request.wants.some((want) => conflict(want, hold)));
  }

  private isReserved(request: Request, want: Want): boolean {
    if (new Set(request.wants.map(({ key }) => key)).size < 2 || request.passed >= mostPasses) return true;
    return this.held.some((hold) => hold.owner !== request.owner && conflict(want, hold));
  }

  private search(start: OwnerId, requests: readonly Request[]): DeadlockStep[] | null {
    const cameBy = new Map<OwnerId, DeadlockStep>();
    const left: (readonly Request[])[] = [requests];
    for (const next of left) {
      for (const request of next) {
        for (const { owner, want, theirs, kind } of this.obstaclesOf(request)) {
          if (cameBy.has(owner)) continue;
          const ticket = request.ticket === Number.POSITIVE_INFINITY ? 0 : request.ticket;
          cameBy.set(owner, { owner: request.owner, ticket, waitsFor: want, heldBy: owner, theirs, kind });
          left.push(this.waitsOf(owner));
        }
      }
    }
    const steps: DeadlockStep[] = [];
    for (let step = cameBy.get(start); step !== undefined; ) {
      steps.unshift(step);
      step = step.owner === start ? undefined : cameBy.get(step.owner);
    }
    return steps.length > 0 ? steps : null;
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

const conflict = (a: Want, b: Want) =>
  (a.mode === 'exclusive' || b.mode === 'exclusive') && overlaps(resourceOf(a.key), resourceOf(b.key));

/** A key that nobody can read any more is the name of something. */
function resourceOf(key: string): Resource {
  const read = parseResource(key);
  return read.ok ? read.resource : { kind: 'named', key };
}
