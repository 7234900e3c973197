// The lock table again, from the prose of the design alone and as plainly as it can be said: lists, full rescans, a textbook
// search. What the quick one answers is compared with this after every step. They share nothing but `overlaps`.
import { overlaps } from '../../src/locks/overlap.ts';
import { parseResource } from '../../src/locks/resource.ts';

interface Wish {
  readonly key: string;
  readonly mode: 'exclusive' | 'shared';
}

interface Possession extends Wish {
  owner: string;
  fence: number;
}

interface Place {
  readonly ticket: number;
  readonly owner: string;
  readonly wants: readonly Wish[];
  passed: number;
}

export interface PlainObstacle {
  readonly owner: string;
  readonly want: string;
  readonly theirs: string;
  readonly kind: 'holds' | 'waits';
  readonly ticket?: number;
}

interface Asked {
  readonly owner: string;
  readonly wants: readonly Wish[];
  readonly ticket?: number;
}

const answers = new Map<string, boolean>();

/** The product's own word on keys, kept because there are few. */
function areOfOneThing(a: string, b: string): boolean {
  const name = `${a} ${b}`;
  const known = answers.get(name);
  if (known !== undefined) return known;
  const [one, other] = [parseResource(a), parseResource(b)];
  if (!one.ok || !other.ok) throw new Error(`${name}: not keys`);
  const answer = overlaps(one.resource, other.resource);
  answers.set(name, answer);
  return answer;
}

function collide(a: Wish, b: Wish): boolean {
  if (a.mode === 'shared' && b.mode === 'shared') return false;
  return areOfOneThing(a.key, b.key);
}

export class PlainLocks {
  possessions: Possession[] = [];
  places: Place[] = [];

  hold(owner: string, key: string, mode: 'exclusive' | 'shared', fence: number): void {
    for (const [i, old] of this.possessions.entries()) {
      if (old.owner !== owner || old.key !== key) continue;
      const stronger = old.mode === 'exclusive' || mode === 'exclusive' ? 'exclusive' : 'shared';
      this.possessions[i] = { owner, key, mode: stronger, fence: Math.max(old.fence, fence) };
      return;
    }
    this.possessions.push({ owner, key, mode, fence });
  }

  drop(owner: string, key: string): void {
    this.possessions = this.possessions.filter((one) => !(one.owner === owner && one.key === key));
  }

  queue(ticket: number, owner: string, wants: readonly Wish[]): void {
    if (this.places.some((place) => place.ticket === ticket)) return;
    this.places.push({ ticket, owner, wants, passed: 0 });
  }

  unqueue(ticket: number): void {
    this.places = this.places.filter((place) => place.ticket !== ticket);
  }

  pass(ticket: number): void {
    for (const place of this.places) if (place.ticket === ticket) place.passed += 1;
  }

  owners(): string[] {
    return [...new Set([...this.possessions, ...this.places].map(({ owner }) => owner))].sort();
  }

  obstacles(asked: Asked): PlainObstacle[] {
    const all: PlainObstacle[] = [];
    const wants = merged(asked.wants);
    for (const want of wants) {
      const theirs = this.possessions.filter((one) => one.owner !== asked.owner && collide(want, one));
      theirs.sort((a, b) => order(a.owner, b.owner) || order(a.key, b.key));
      for (const one of theirs) all.push({ owner: one.owner, want: want.key, theirs: one.key, kind: 'holds' });
    }
    for (const place of this.earlier(asked)) {
      if (this.mayPassBecauseItWaitsForUs(place, asked.owner)) continue;
      for (const want of wants) {
        for (const theirs of merged(place.wants).sort((a, b) => order(a.key, b.key))) {
          if (!collide(want, theirs) || this.isForTheTaking(place, theirs)) continue;
          all.push({ owner: place.owner, want: want.key, theirs: theirs.key, kind: 'waits', ticket: place.ticket });
        }
      }
    }
    return all.filter((one, i) => all.findIndex((o) => o.owner === one.owner && o.theirs === one.theirs) === i);
  }

  passes(asked: Asked): number[] {
    const passed: number[] = [];
    for (const place of this.earlier(asked)) {
      const clashes: { readonly ours: Wish; readonly theirs: Wish }[] = [];
      for (const ours of merged(asked.wants)) {
        for (const theirs of merged(place.wants)) if (collide(ours, theirs)) clashes.push({ ours, theirs });
      }
      const mayPass =
        this.mayPassBecauseItWaitsForUs(place, asked.owner) ||
        clashes.every(({ theirs }) => this.isForTheTaking(place, theirs));
      if (mayPass && clashes.some(({ ours }) => !this.hasAlready(asked.owner, ours))) passed.push(place.ticket);
    }
    return passed;
  }

  nextGrant(): { readonly ticket: number; readonly passes: number[] } | null {
    for (const place of this.places) {
      if (this.obstacles(place).length === 0) return { ticket: place.ticket, passes: this.passes(place) };
    }
    return null;
  }

  /** For each owner, whom it waits for. @param polls of those who wait without a place: behind all, and in nobody's way. */
  waitsFor(polls: readonly Asked[] = []): Map<string, Set<string>> {
    const edges = new Map<string, Set<string>>();
    for (const owner of new Set([...this.owners(), ...polls.map((poll) => poll.owner)])) {
      const mine: Asked[] = [...this.places, ...polls].filter((place) => place.owner === owner);
      edges.set(owner, new Set(mine.flatMap((place) => this.obstacles(place).map((obstacle) => obstacle.owner))));
    }
    return edges;
  }

  private earlier({ owner, ticket = Number.POSITIVE_INFINITY }: Asked): Place[] {
    return this.places.filter((place) => place.owner !== owner && place.ticket < ticket);
  }

  /** For what we hold; or in the queue, behind a request of ours. */
  private mayPassBecauseItWaitsForUs(place: Place, us: string): boolean {
    if (this.isKeptOutBy(place, us)) return true;
    const ours = this.places.filter((one) => one.owner === us && one.ticket < place.ticket);
    return ours.some(
      (one) =>
        !this.isKeptOutBy(one, place.owner) &&
        merged(one.wants).some(
          (part) => merged(place.wants).some((w) => collide(w, part)) && !this.isForTheTaking(one, part),
        ),
    );
  }

  private isKeptOutBy(place: Place, owner: string): boolean {
    return this.possessions.some((one) => one.owner === owner && place.wants.some((want) => collide(want, one)));
  }

  /** A free part of a request for many, which was passed fewer than eight times. */
  private isForTheTaking(place: Place, part: Wish): boolean {
    if (new Set(place.wants.map(({ key }) => key)).size === 1) return false;
    if (place.passed >= 8) return false;
    return !this.possessions.some((one) => one.owner !== place.owner && collide(part, one));
  }

  private hasAlready(owner: string, want: Wish): boolean {
    return this.possessions.some(
      (one) => one.owner === owner && one.key === want.key && (one.mode === 'exclusive' || want.mode === 'shared'),
    );
  }
}

/** How many parties the shortest cycle through this owner has, when it first waits for these; 0: none. */
export function shortestCycle(edges: Map<string, Set<string>>, owner: string, first: Iterable<string>): number {
  let level = new Set(first);
  const reached = new Set<string>();
  for (let length = 1; level.size > 0; length++) {
    if (level.has(owner)) return length;
    const next = new Set<string>();
    for (const one of level) {
      reached.add(one);
      for (const other of edges.get(one) ?? []) if (!reached.has(other)) next.add(other);
    }
    level = next;
  }
  return 0;
}

function merged(wants: readonly Wish[]): Wish[] {
  const keys = [...new Set(wants.map(({ key }) => key))];
  return keys.map((key) => ({
    key,
    mode: wants.some((want) => want.key === key && want.mode === 'exclusive') ? 'exclusive' : 'shared',
  }));
}

const order = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);
