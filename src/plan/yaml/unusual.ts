// How the fast readers of YAML give up.
import type { Place } from '../report.ts';

/** Thrown to leave the recursion; never seen outside. */
export const unusual = new Error('unusual');

/** One list or map that goes on for ever. */
export class TooMany extends Error {
  readonly place: Place;
  constructor(place: Place) {
    super('too many');
    this.place = place;
  }
}

export function unlessUnusual<T>(read: () => T): T | 'unusual' {
  try {
    return read();
  } catch (error) {
    if (error === unusual || error instanceof RangeError || error instanceof TooMany) return 'unusual';
    throw error;
  }
}
