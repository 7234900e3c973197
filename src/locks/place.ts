// A place is one key that is held or waited for, with its holders and waiters and the places that overlap it. The overlaps are found
// once, when the place is made, so a fact about a key touches nothing else.
import type { Hold, Mode, OwnerId, Request } from './lock.ts';
import { overlaps } from './overlap.ts';
import { parseResource, type Resource } from './resource.ts';
import { ResourceIndex } from './resource-index.ts';

/** An owner that holds or waits. */
export interface Party {
  readonly id: OwnerId;
  readonly node: number;
  readonly held: Map<string, Held>;
  /** In the order of their tickets. */
  readonly waits: Waiting[];
}

export interface Held {
  readonly party: Party;
  readonly place: Place;
  view: Hold;
}

/** A request that waits. */
export interface Waiting {
  readonly party: Party;
  readonly ticket: number;
  /** One for each key. */
  parts: readonly Part[];
  view: Request;
  /** The holders in its way: nearly always one or two, so a list is faster than a table. */
  readonly standing: Standing[];
  /** How many earlier requests of others it conflicts with, whether it may pass them or not. */
  ahead: number;
  /** The last part seen in its way; probably it still is. */
  seenBefore: Part | null;
  isQueued: boolean;
  /** The number of the last walk that came here. */
  mark: number;
}

export interface Standing {
  readonly party: Party;
  readonly edge: number;
  /** Of their holds and our wants. */
  pairs: number;
}

/** The part of a request that wants one place. */
export interface Part {
  readonly waiting: Waiting;
  readonly place: Place;
  readonly mode: Mode;
  /** How many holds of others conflict with it. */
  heldUp: number;
}

export interface Place {
  readonly key: string;
  readonly resource: Resource;
  readonly held: Held[];
  /** In the order of their tickets. */
  readonly parts: Part[];
  /** The places that overlap, itself included. */
  near: Place[];
  // Of the search for a cycle; see cycle-search.ts.
  search: number;
  scanned: number;
  readonly keptShared: Part[];
  readonly keptExclusive: Part[];
}

/** Of a request for several locks, and of a task that wants several: after this, nothing passes it any more. */
export const mostPasses = 8;

export const modesConflict = (a: Mode, b: Mode): boolean => a === 'exclusive' || b === 'exclusive';

/** Whether later requests may not pass this part: they may pass only free parts of a large request, and only a few times. */
export const isReserved = ({ heldUp, waiting: { parts, view } }: Part): boolean =>
  heldUp > 0 || parts.length < 2 || view.passed >= mostPasses;

export const isHeldUpBy = ({ standing }: Waiting, party: Party): boolean => {
  for (const one of standing) if (one.party === party) return true;
  return false;
};

/**
 * Whether a request cannot go on before this owner does, because a hold or an earlier request of the owner is in its way. The owner may
 * then pass it. Whether that earlier request could itself be passed is not asked, so this ends.
 */
export function waitsForOwner(waiting: Waiting, owner: Party): boolean {
  if (isHeldUpBy(waiting, owner)) return true;
  for (const own of owner.waits) {
    if (own.ticket >= waiting.ticket) return false;
    if (!isHeldUpBy(own, waiting.party) && isReservedFrom(own, waiting)) return true;
  }
  return false;
}

/** Whether the later request may not pass the earlier one. */
export const standsBefore = (earlier: Waiting, later: Waiting): boolean =>
  earlier.ticket < later.ticket && !waitsForOwner(earlier, later.party) && isReservedFrom(earlier, later);

const isReservedFrom = (earlier: Waiting, later: Waiting) =>
  earlier.parts.some((part) => isReserved(part) && later.parts.some((other) => partsConflict(part, other)));

const partsConflict = (a: Part, b: Part) =>
  modesConflict(a.mode, b.mode) && overlaps(a.place.resource, b.place.resource);

export class PlaceBook {
  private readonly places = new Map<string, Place>();
  private readonly index = new ResourceIndex<Place>();
  /** The last key: a request asks about a key several times before it gets it. */
  private lastRead: { readonly key: string; readonly resource: Resource } | null = null;

  /** Made if the key is neither held nor wanted yet. */
  at(key: string): Place {
    const known = this.places.get(key);
    if (known !== undefined) return known;
    const resource = this.read(key);
    const scratch = { search: 0, scanned: 0, keptShared: [], keptExclusive: [] };
    const place: Place = { key, resource, held: [], parts: [], near: [], ...scratch };
    this.places.set(key, place);
    this.index.add(resource, place);
    for (const other of this.index.overlapping(resource)) {
      place.near.push(other);
      if (other !== place) other.near.push(place);
    }
    return place;
  }

  /** The held or wanted places that overlap the key. */
  near(key: string): Iterable<Place> {
    return this.places.get(key)?.near ?? this.index.overlapping(this.read(key));
  }

  private read(key: string): Resource {
    if (this.lastRead?.key !== key) this.lastRead = { key, resource: resourceOf(key) };
    return this.lastRead.resource;
  }

  /** Forgets the place if it is no longer held or wanted. */
  leave(place: Place): void {
    if (place.held.length + place.parts.length > 0) return;
    this.places.delete(place.key);
    this.index.remove(place.resource, place);
    for (const other of place.near) if (other !== place) takeOut(other.near, place);
  }
}

/** Removes without order: the last one takes its place. */
export function takeOut<T>(list: T[], one: T): void {
  list[list.indexOf(one)] = list.at(-1)!;
  list.pop();
}

/** Nearly always behind all others. */
export function insertByTicket<T>(list: T[], one: T, ticketOf: (one: T) => number): void {
  let at = list.length;
  while (at > 0 && ticketOf(list[at - 1]!) > ticketOf(one)) at--;
  list.splice(at, 0, one);
}

/** A key that this version cannot parse counts as a name: a recorded fact is never refused. */
export function resourceOf(key: string): Resource {
  const read = parseResource(key);
  return read.ok ? read.resource : { kind: 'named', key };
}
