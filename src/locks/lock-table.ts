// Who holds what, who waits for what and in which order, and who waits for whom. Facts change the table; questions only read it. Every
// answer depends on the current holds and requests alone, not on how they came about.
//
// Exclusive conflicts with everything that overlaps, shared with exclusive only. A request gets all or none. Which request goes first?
//
//   the later request conflicts with                                    and then
//   a hold of another                                                   waits
//   a hold or an earlier request of its own owner                       goes on: subagents of one attempt share its locks
//   an earlier request for one resource                                 waits: nobody barges
//   an earlier request for many, in a part that others hold             waits: that part is what it queues for
//   an earlier request for many, in parts that are free                 passes, as long as it was passed fewer than eight times:
//                                                                       a large request must not reserve its free parts for ever
//   an earlier request that waits for a hold of the later one's owner,  passes, always: the earlier one cannot go on before that
//   or stands behind a still earlier request of that owner              owner does, and waiting would make a deadlock
//
// So one shared holder may upgrade although another waits for an exclusive lock, and two that both upgrade are a deadlock.
//
// Cycles are searched through one owner. Not only a request can close one. A grant takes a free part, and requests that would have passed
// there now wait behind it. A release, or a withdrawn request, ends a reason to pass.
import { CycleSearch } from './cycle-search.ts';
import type { AskedRequest, DeadlockStep, Grant, Hold, Mode, Obstacle, OwnerId, Request, Want } from './lock.ts';
import {
  type Held,
  insertByTicket,
  isReserved,
  modesConflict,
  type Part,
  type Party,
  type Place,
  PlaceBook,
  takeOut,
  type Waiting,
  waitsForOwner,
} from './place.ts';
import { WaitGraph } from './wait-graph.ts';

export type { AskedRequest, DeadlockStep, Grant, Hold, Mode, Obstacle, OwnerId, Request, Want } from './lock.ts';

/** Behind all others: the ticket of a request that is only a question. */
const last = Number.POSITIVE_INFINITY;

export class LockTable {
  private readonly places = new PlaceBook();
  private readonly graph = new WaitGraph();
  private readonly parties = new Map<OwnerId, Party>();
  private readonly partyAt: (Party | undefined)[] = [];
  private readonly cycles = new CycleSearch(this.graph, this.partyAt);
  /** In the order of tickets. */
  private queued = new Map<number, Waiting>();
  private lastTicket = 0;
  /** Requests without a hold in the way: only these can be granted. */
  private readonly unheld = new Set<Waiting>();
  private walks = 0;

  /** The same owner and key again: the stronger mode stays, with the greater fence. */
  hold(owner: OwnerId, key: string, mode: Mode, fence: number): void {
    const party = this.partyOf(owner);
    const old = party.held.get(key);
    if (old !== undefined) {
      const isUpgrade = mode === 'exclusive' && old.view.mode === 'shared';
      if (isUpgrade) this.changeHold(old, -1);
      old.view = { owner, key, mode: isUpgrade ? mode : old.view.mode, fence: Math.max(fence, old.view.fence) };
      if (isUpgrade) this.changeHold(old, 1);
      return;
    }
    const held: Held = { party, place: this.places.at(key), view: { owner, key, mode, fence } };
    party.held.set(key, held);
    held.place.held.push(held);
    this.changeHold(held, 1);
  }

  drop(owner: OwnerId, key: string): void {
    const party = this.parties.get(owner);
    const held = party?.held.get(key);
    if (party === undefined || held === undefined) return;
    this.changeHold(held, -1);
    takeOut(held.place.held, held);
    party.held.delete(key);
    this.places.leave(held.place);
    this.leave(party);
  }

  /** Tickets grow, and are the order of the queue. */
  queue(request: AskedRequest & { readonly ticket: number; readonly passed?: number }): void {
    const { ticket, owner, wants, passed = 0 } = request;
    if (this.queued.has(ticket)) return;
    this.queued.set(ticket, this.enter({ ticket, owner, wants, passed }));
    if (ticket < this.lastTicket) this.queued = new Map([...this.queued].sort(([a], [b]) => a - b));
    else this.lastTicket = ticket;
  }

  unqueue(ticket: number): void {
    const waiting = this.queued.get(ticket);
    if (waiting === undefined) return;
    this.queued.delete(ticket);
    this.exit(waiting);
  }

  /** Each counts one more. */
  pass(tickets: readonly number[]): void {
    for (const ticket of tickets) {
      const waiting = this.queued.get(ticket);
      if (waiting === undefined) continue;
      waiting.view = { ...waiting.view, passed: waiting.view.passed + 1 };
    }
  }

  /** By key. */
  holdsOf(owner: OwnerId): readonly Hold[] {
    const holds: Hold[] = [];
    for (const { view } of this.parties.get(owner)?.held.values() ?? []) holds.push(view);
    return holds.sort((a, b) => compare(a.key, b.key));
  }

  /** In order. */
  waitsOf(owner: OwnerId): readonly Request[] {
    return this.parties.get(owner)?.waits.map(({ view }) => view) ?? [];
  }

  /** In no particular order. */
  *holds(): Generator<Hold> {
    for (const { held } of this.parties.values()) for (const { view } of held.values()) yield view;
  }

  /** In order. */
  *requests(): Generator<Request> {
    for (const { view } of this.queued.values()) yield view;
  }

  /** Whether any owner holds or waits. */
  has(owner: OwnerId): boolean {
    return this.parties.has(owner);
  }

  /** The owners that hold or wait, in no particular order. */
  owners(): Iterable<OwnerId> {
    return this.parties.keys();
  }

  request(ticket: number): Request | undefined {
    return this.queued.get(ticket)?.view;
  }

  get isEmpty(): boolean {
    return this.parties.size === 0;
  }

  /**
   * The obstacles of this request now: holds of others in the order of the wants, then earlier requests that it may not pass, in the
   * order of their tickets. Each key of an owner is listed once.
   */
  obstaclesOf(asked: AskedRequest): Obstacle[] {
    const party = this.parties.get(asked.owner);
    const obstacles: Obstacle[] = [];
    const told = new Map<Party, Set<Place>>();
    const isNews = (owner: Party, place: Place) => {
      const places = told.get(owner);
      if (places === undefined) told.set(owner, new Set([place]));
      else if (places.has(place)) return false;
      else places.add(place);
      return true;
    };
    const before: { readonly part: Part; readonly want: string }[] = [];
    for (const [want, mode] of byKey(asked.wants)) {
      const places = [...this.places.near(want)].sort((a, b) => compare(a.key, b.key));
      const holds: Held[] = [];
      for (const place of places) {
        for (const held of place.held)
          if (held.party !== party && modesConflict(held.view.mode, mode)) holds.push(held);
        for (const part of this.partsBefore(place, mode, asked))
          if (isInTheWay(part, party)) before.push({ part, want });
      }
      holds.sort((a, b) => compare(a.party.id, b.party.id) || compare(a.place.key, b.place.key));
      for (const { party: owner, place } of holds) {
        if (isNews(owner, place)) obstacles.push({ owner: owner.id, want, theirs: place.key, kind: 'holds' });
      }
    }
    // Stable: one request's by our wants, and then by key.
    before.sort((a, b) => a.part.waiting.ticket - b.part.waiting.ticket);
    for (const { part, want } of before) {
      const { party: owner, ticket } = part.waiting;
      if (!isNews(owner, part.place)) continue;
      obstacles.push({ owner: owner.id, want, theirs: part.place.key, kind: 'waits', ticket });
    }
    return obstacles;
  }

  /** The earlier requests that a grant would pass. Asking again for a held lock passes none. */
  passesOf(asked: AskedRequest): number[] {
    const party = this.parties.get(asked.owner);
    const passed = new Set<number>();
    const inTheWay = new Set<number>();
    for (const [key, mode] of byKey(asked.wants)) {
      const own = party?.held.get(key);
      const isOwn = own !== undefined && (own.view.mode === 'exclusive' || mode === 'shared');
      for (const place of this.places.near(key)) {
        for (const part of this.partsBefore(place, mode, asked)) {
          if (isInTheWay(part, party)) inTheWay.add(part.waiting.ticket);
          else if (!isOwn) passed.add(part.waiting.ticket);
        }
      }
    }
    return [...passed].filter((ticket) => !inTheWay.has(ticket)).sort((a, b) => a - b);
  }

  /** The first waiting request, in order, without an obstacle. */
  nextGrant(): Grant | null {
    let first: Waiting | null = null;
    for (const waiting of this.unheld) {
      if ((first === null || waiting.ticket < first.ticket) && !this.isBehind(waiting)) first = waiting;
    }
    return first === null ? null : { request: first.view, passes: this.passesOf(first.view) };
  }

  /** A cycle through this owner, by holds and queue order; null if there is none. */
  findDeadlock(owner: OwnerId, without: readonly OwnerId[] = []): DeadlockStep[] | null {
    const party = this.parties.get(owner);
    return party === undefined ? null : this.deadlockOf(party, party.waits, without);
  }

  /** As if the request were queued last: for `try`, which never queues. Existing cycles are not reported. */
  wouldDeadlock({ owner, wants }: AskedRequest, without: readonly OwnerId[] = []): DeadlockStep[] | null {
    const waiting = this.enter({ ticket: last, owner, wants, passed: 0 });
    const steps = this.deadlockOf(waiting.party, [waiting], without);
    this.exit(waiting);
    return steps;
  }

  /** The answer about cycles as if these waited too, without a place in the queue: behind all others, and in nobody's way. */
  withPolls<T>(polls: readonly AskedRequest[], question: () => T): T {
    const entered = polls.map(({ owner, wants }) => this.enter({ ticket: last, owner, wants, passed: 0 }));
    const answer = question();
    for (const waiting of entered) this.exit(waiting);
    return answer;
  }

  /**
   * Every cycle goes through one of these owners: they wait while others wait for their holds, or they have several requests. In order of
   * their first tickets. A cycle of other owners would be queues alone, each behind an earlier ticket, and that never leads back.
   */
  knots(): OwnerId[] {
    const knots = new Set<OwnerId>();
    for (const { party } of this.queued.values()) {
      if (party.waits.length > 1 || this.graph.isHeldFrom(party.node)) knots.add(party.id);
    }
    return [...knots];
  }

  /** @param without owners that will soon release everything: no cycle through them lasts. */
  private deadlockOf(start: Party, requests: readonly Waiting[], without: readonly OwnerId[]): DeadlockStep[] | null {
    const out = without.flatMap((owner) => this.parties.get(owner)?.node ?? []);
    const cycle = this.cycles.find(start, requests, out);
    if (cycle === null) return null;
    return cycle.map((party, i) => this.stepTo(cycle[(i + 1) % cycle.length]!, i === 0 ? requests : party.waits));
  }

  /** By the first of the requests that waits for it. */
  private stepTo(next: Party, requests: readonly Waiting[]): DeadlockStep {
    for (const { view } of requests) {
      const obstacle = this.obstaclesOf(view).find(({ owner }) => owner === next.id);
      if (obstacle === undefined) continue;
      const { want, theirs, kind } = obstacle;
      const ticket = view.ticket === last ? 0 : view.ticket;
      return { owner: view.owner, ticket, waitsFor: want, heldBy: next.id, theirs, kind };
    }
    throw new Error(`nobody waits for ${next.id}`);
  }

  private *partsBefore({ parts }: Place, mode: Mode, { owner, ticket = last }: AskedRequest): Generator<Part> {
    for (const part of parts) {
      if (part.waiting.ticket >= ticket) return;
      if (part.waiting.party.id !== owner && modesConflict(part.mode, mode)) yield part;
    }
  }

  private isBehind(waiting: Waiting): boolean {
    const { party, parts, ahead, seenBefore, view } = waiting;
    if (ahead === 0) return false;
    if (seenBefore?.waiting.isQueued && isInTheWay(seenBefore, party)) return true;
    for (const { place: own, mode } of parts) {
      for (const place of own.near) {
        for (const part of this.partsBefore(place, mode, view)) {
          if (!isInTheWay(part, party)) continue;
          waiting.seenBefore = part;
          return true;
        }
      }
    }
    return false;
  }

  private partyOf(id: OwnerId): Party {
    const known = this.parties.get(id);
    if (known !== undefined) return known;
    const party: Party = { id, node: this.graph.addNode(), held: new Map(), waits: [] };
    this.parties.set(id, party);
    this.partyAt[party.node] = party;
    return party;
  }

  private leave(party: Party): void {
    if (party.held.size + party.waits.length > 0) return;
    this.parties.delete(party.id);
    this.partyAt[party.node] = undefined;
    this.graph.removeNode(party.node);
  }

  private enter(view: Request): Waiting {
    const party = this.partyOf(view.owner);
    const { ticket } = view;
    const scratch = { ahead: 0, seenBefore: null, isQueued: true, mark: 0 };
    const waiting: Waiting = { party, ticket, parts: [], view, standing: [], ...scratch };
    this.unheld.add(waiting);
    waiting.parts = Array.from(byKey(view.wants), ([key, mode]) => ({
      waiting,
      place: this.places.at(key),
      mode,
      heldUp: 0,
    }));
    this.countPairs(waiting, 1);
    insertByTicket(party.waits, waiting, (one) => one.ticket);
    for (const part of waiting.parts) {
      insertByTicket(part.place.parts, part, (one) => one.waiting.ticket);
      for (const place of part.place.near) for (const held of place.held) this.changeHoldFor(part, held, 1);
    }
    return waiting;
  }

  private exit(waiting: Waiting): void {
    const { party, parts } = waiting;
    for (const { edge } of waiting.standing) this.graph.disconnect(edge);
    for (const part of parts) part.place.parts.splice(part.place.parts.indexOf(part), 1);
    this.countPairs(waiting, -1);
    for (const { place } of parts) this.places.leave(place);
    waiting.isQueued = false;
    this.unheld.delete(waiting);
    party.waits.splice(party.waits.indexOf(waiting), 1);
    this.leave(party);
  }

  private changeHold(held: Held, change: 1 | -1): void {
    for (const place of held.place.near) {
      for (const part of place.parts) {
        this.changeHoldFor(part, held, change);
      }
    }
  }

  private changeHoldFor(part: Part, { party, view }: Held, change: 1 | -1): void {
    const { waiting } = part;
    if (waiting.party === party || !modesConflict(part.mode, view.mode)) return;
    part.heldUp += change;
    const { standing } = waiting;
    const one = standing.find((other) => other.party === party);
    if (one === undefined) {
      if (standing.length === 0) this.unheld.delete(waiting);
      standing.push({ party, edge: this.graph.connect(waiting.party.node, party.node), pairs: 1 });
      return;
    }
    one.pairs += change;
    if (one.pairs > 0) return;
    this.graph.disconnect(one.edge);
    takeOut(standing, one);
    if (standing.length === 0) this.unheld.add(waiting);
  }

  /** With each request that it conflicts with, once. */
  private countPairs(waiting: Waiting, change: 1 | -1): void {
    this.walks++;
    for (const { place: own, mode } of waiting.parts) {
      for (const place of own.near) {
        for (const part of place.parts) {
          const other = part.waiting;
          if (other.party === waiting.party || other.mark === this.walks || !modesConflict(part.mode, mode)) continue;
          other.mark = this.walks;
          if (other.ticket === waiting.ticket) continue;
          const [earlier, later] = other.ticket < waiting.ticket ? [other, waiting] : [waiting, other];
          later.ahead += change;
          this.graph.countPair(later.party.node, earlier.party.node, change);
        }
      }
    }
  }
}

/** Whether a request of this party, that conflicts with the part, may not pass it. */
const isInTheWay = (part: Part, party: Party | undefined) =>
  isReserved(part) && (party === undefined || !waitsForOwner(part.waiting, party));

/** A key that is named twice is wanted once, in the stronger mode. */
function byKey(wants: readonly Want[]): Map<string, Mode> {
  const modes = new Map<string, Mode>();
  for (const { key, mode } of wants) if (modes.get(key) !== 'exclusive') modes.set(key, mode);
  return modes;
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
