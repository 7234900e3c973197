// Finds a cycle through one owner: the shortest, and among those the first by name, so every process finds the same. The graph says
// whether there is one. Queues are scanned once per place and search: requests that one waiter had to leave (its own, or one that it may
// pass) are kept for the next waiter.
import {
  isHeldUpBy,
  isReserved,
  modesConflict,
  type Part,
  type Party,
  type Place,
  standsBefore,
  type Waiting,
  waitsForOwner,
} from './place.ts';
import type { QueueOrder, WaitGraph } from './wait-graph.ts';

export class CycleSearch implements QueueOrder {
  private readonly graph: WaitGraph;
  private readonly partyAt: readonly (Party | undefined)[];
  private first: readonly Waiting[] = [];
  private search = 0;

  constructor(graph: WaitGraph, partyAt: readonly (Party | undefined)[]) {
    this.graph = graph;
    this.partyAt = partyAt;
  }

  /** Each waits for the next, and the last for the first. The first waits by these requests only. @param without no cycle through them. */
  find(start: Party, requests: readonly Waiting[], without: readonly number[]): Party[] | null {
    if (!this.graph.isWaitedFor(start.node)) return null;
    this.first = requests;
    this.search++;
    if (!this.graph.reaches(start.node, this, without)) return null;
    this.search++;
    const cycle: Party[] = [];
    let next = start;
    for (const level of this.graph.levels(start.node, this, without).reverse()) {
      const waiters = level.map((node) => this.partyAt[node]!).filter((party) => waitsFor(party, next));
      next = waiters.reduce((a, b) => (a.id < b.id ? a : b));
      cycle.push(next);
    }
    cycle.push(start);
    return cycle.reverse();
  }

  visitFirst(): void {
    for (const waiting of this.first) {
      for (const { party } of waiting.standing) this.graph.visit(party.node);
      this.visitBeforeRequest(waiting);
    }
  }

  visitBefore(node: number): void {
    for (const waiting of this.partyAt[node]!.waits) this.visitBeforeRequest(waiting);
  }

  private visitBeforeRequest(waiting: Waiting): void {
    if (waiting.ahead === 0) return;
    for (const part of waiting.parts) for (const place of part.place.near) this.scan(place, part);
  }

  private scan(place: Place, by: Part): void {
    if (place.search !== this.search) {
      place.search = this.search;
      place.scanned = 0;
      place.keptShared.length = 0;
      place.keptExclusive.length = 0;
    }
    this.scanKept(place.keptExclusive, by);
    if (by.mode === 'exclusive') this.scanKept(place.keptShared, by);
    const { parts } = place;
    for (; place.scanned < parts.length; place.scanned++) {
      const part = parts[place.scanned]!;
      if (part.waiting.ticket >= by.waiting.ticket) return;
      if (!isReserved(part) || this.isDone(part, by)) continue;
      if (part.mode === 'shared') place.keptShared.push(part);
      else place.keptExclusive.push(part);
    }
  }

  private scanKept(kept: Part[], by: Part): void {
    let left = 0;
    for (const part of kept) if (!this.isDone(part, by)) kept[left++] = part;
    kept.length = left;
  }

  /** Visits its owner if the part is in the way of the other. */
  private isDone({ waiting, mode }: Part, by: Part): boolean {
    const { node } = waiting.party;
    if (this.graph.isVisited(node)) return true;
    const later = by.waiting;
    if (waiting.ticket >= later.ticket || !modesConflict(mode, by.mode)) return false;
    if (waiting.party === later.party || waitsForOwner(waiting, later.party)) return false;
    this.graph.visit(node);
    return true;
  }
}

const waitsFor = (party: Party, other: Party) =>
  party.waits.some(
    (waiting) => isHeldUpBy(waiting, other) || other.waits.some((earlier) => standsBefore(earlier, waiting)),
  );
