// Who holds and who waits, as the events say it: a plain list of each, and the rules of the queue as the design words them. Shares
// with the product only what decides whether two resources are about the same thing.
import type { StoredEvent } from '../../../src/core/model/event.ts';
import type { ProcessIdentity } from '../../../src/core/model/ids.ts';
import { overlaps } from '../../../src/locks/overlap.ts';
import { parseResource, type Resource } from '../../../src/locks/resource.ts';

export type Mode = 'exclusive' | 'shared';

export interface Wanted {
  readonly key: string;
  readonly mode: Mode;
}

export interface Held {
  readonly owner: string;
  readonly key: string;
  mode: Mode;
  fence: number;
  /** By the plan: until the end of the attempt. */
  readonly declared: boolean;
}

export interface Waiting {
  readonly ticket: number;
  readonly owner: string;
  readonly wants: readonly Wanted[];
  readonly process: ProcessIdentity;
  passed: number;
}

/** Asked for with `try`, and refused. */
export interface Try {
  readonly owner: string;
  readonly wants: readonly Wanted[];
  readonly at: number;
  /** The second one within the time: it waits, but is in nobody's way. */
  readonly waits: boolean;
}

/** So long after the last one it still counts. */
export const triesCountFor = 30_000;

export type Asked = Pick<Waiting, 'owner' | 'wants' | 'ticket'>;

/** Then nobody goes ahead any more. */
export const mostPasses = 8;

export class LockBook {
  holds: Held[] = [];
  queue: Waiting[] = [];
  tries: Try[] = [];
  /** The log's time without its steps, in which polling is counted. */
  now = 0;
  private steppedMs = 0;
  readonly personOf: (owner: string) => string;

  /** @param personOf whoever works on a task by hand is one party with it. */
  constructor(personOf: (owner: string) => string) {
    this.personOf = personOf;
  }

  timed(event: StoredEvent): void {
    if (event.type === 'clock-stepped') this.steppedMs += event.byMs;
    this.now = event.at - this.steppedMs;
  }

  holdsOf(owner: string): Held[] {
    return this.holds.filter((hold) => hold.owner === owner);
  }

  /** What the party has that this is one of. */
  holdsOfPerson(owner: string): Held[] {
    return this.holds.filter((hold) => this.isOne(hold.owner, owner));
  }

  /** Parties with holds that conflict. */
  holdersInTheWay(owner: string, wants: readonly Wanted[]): string[] {
    const inTheWay = this.holds.filter((hold) => !this.isOne(hold.owner, owner) && meets(wants, [hold]));
    return inTheWay.map((hold) => this.personOf(hold.owner));
  }

  private isOne(a: string, b: string): boolean {
    return this.personOf(a) === this.personOf(b);
  }

  /** Whom a request waits for: conflicting holders, and earlier conflicting requests that it may not pass. */
  inTheWay({ owner, wants, ticket }: Asked): string[] {
    const found = this.holdersInTheWay(owner, wants);
    for (const earlier of this.queue) {
      if (earlier.ticket >= ticket || this.isOne(earlier.owner, owner)) continue;
      if (!this.mayPass(earlier, owner, wants)) found.push(this.personOf(earlier.owner));
    }
    return [...new Set(found)];
  }

  /** The earlier requests that lose something by a grant of these: what another task of the same person has ends with that task. */
  passedBy(owner: string, wants: readonly Wanted[], ticket: number): number[] {
    const isByHand = owner.startsWith('#') && this.personOf(owner) !== owner;
    const kept = isByHand ? this.holdsOf(this.personOf(owner)) : this.holdsOfPerson(owner);
    const taken = wants.filter(
      ({ key, mode }) => !kept.some((hold) => hold.key === key && (hold.mode === 'exclusive' || mode === 'shared')),
    );
    return this.queue
      .filter((earlier) => earlier.ticket < ticket && !this.isOne(earlier.owner, owner) && meets(taken, earlier.wants))
      .map((earlier) => earlier.ticket);
  }

  /** The same again makes it a wait. */
  note(owner: string, wants: readonly Wanted[]): void {
    const at = this.now;
    const before = this.lastTry(owner, wants);
    const waits = before !== undefined && at - before.at < triesCountFor;
    this.tries = [...this.tries.filter((one) => one !== before), { owner, wants, at, waits }];
  }

  lastTry(owner: string, wants: readonly Wanted[]): Try | undefined {
    const keysOf = (some: readonly Wanted[]) => JSON.stringify(some.map(({ key }) => key).sort());
    return this.tries.find((one) => one.owner === owner && keysOf(one.wants) === keysOf(wants));
  }

  /** Whom each owner waits for; owners that are being ended let go soon, and count neither way. */
  edges(isEnding: (owner: string) => boolean, now = this.now): Map<string, Set<string>> {
    const edges = new Map<string, Set<string>>();
    const polls = this.tries.filter(({ waits, at }) => waits && now - at < triesCountFor);
    const behindAll = polls.map((poll) => ({ ...poll, ticket: Number.POSITIVE_INFINITY }));
    for (const request of [...this.queue, ...behindAll]) {
      if (isEnding(request.owner)) continue;
      const own = edges.get(this.personOf(request.owner)) ?? new Set();
      for (const owner of this.inTheWay(request)) if (!isEnding(owner)) own.add(owner);
      edges.set(this.personOf(request.owner), own);
    }
    return edges;
  }

  private mayPass(earlier: Waiting, owner: string, wants: readonly Wanted[]): boolean {
    if (this.cannotGoOnBefore(earlier, owner)) return true;
    return earlier.wants.every((theirs) => !meets(wants, [theirs]) || this.isForTheTaking(earlier, theirs));
  }

  /** One of the owner's holds is in its way, or a still earlier request of the owner that it stands behind. */
  private cannotGoOnBefore(request: Waiting, owner: string): boolean {
    if (meets(request.wants, this.holdsOfPerson(owner))) return true;
    const before = this.queue.filter((one) => this.isOne(one.owner, owner) && one.ticket < request.ticket);
    return before.some(
      (one) =>
        !meets(one.wants, this.holdsOf(request.owner)) &&
        one.wants.some((part) => meets(request.wants, [part]) && !this.isForTheTaking(one, part)),
    );
  }

  /** A part of a request for many that nobody else holds may be taken from it, but only so often. */
  private isForTheTaking(request: Waiting, part: Wanted): boolean {
    const wantsMany = new Set(request.wants.map(({ key }) => key)).size > 1;
    const isFree = !this.holds.some((hold) => hold.owner !== request.owner && meets([part], [hold]));
    return wantsMany && request.passed < mostPasses && isFree;
  }
}

/** Everybody on a cycle through this owner; null if there is none. */
export function cycleThrough(owner: string, edges: ReadonlyMap<string, ReadonlySet<string>>): string[] | null {
  const seen = new Set<string>();
  const walk = (at: string): string[] | null => {
    for (const next of edges.get(at) ?? []) {
      if (next === owner) return [at];
      if (seen.has(next)) continue;
      seen.add(next);
      const rest = walk(next);
      if (rest) return [at, ...rest];
    }
    return null;
  };
  return walk(owner);
}

export function meets(some: readonly Wanted[], others: readonly Wanted[]): boolean {
  return some.some((a) =>
    others.some(
      (b) => (a.mode === 'exclusive' || b.mode === 'exclusive') && overlaps(resourceOf(a.key), resourceOf(b.key)),
    ),
  );
}

const read = new Map<string, Resource>();

function resourceOf(key: string): Resource {
  const known = read.get(key);
  if (known) return known;
  const reading = parseResource(key);
  if (!reading.ok) throw new Error(`${key} ${reading.problem}`);
  read.set(key, reading.resource);
  return reading.resource;
}

/** What a task declares, each key once with its stronger mode. */
export function declaredBy(keys: {
  readonly files?: readonly string[];
  readonly reads?: readonly string[];
  readonly locks?: readonly string[];
}): Wanted[] {
  const wants = new Map<string, Mode>();
  for (const text of keys.reads ?? []) wants.set(resourceOf(text).key, 'shared');
  for (const text of [...(keys.files ?? []), ...(keys.locks ?? [])]) wants.set(resourceOf(text).key, 'exclusive');
  return [...wants].map(([key, mode]) => ({ key, mode }));
}
