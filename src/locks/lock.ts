// The types of locks that every other file uses.

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
  /** How often others have passed it. */
  readonly passed: number;
}

export interface Obstacle {
  readonly owner: OwnerId;
  /** The key that the request wants. */
  readonly want: string;
  /** The key that the other owner holds or wants. */
  readonly theirs: string;
  readonly kind: 'holds' | 'waits';
  readonly ticket?: number;
}

export interface Grant {
  readonly request: Request;
  /** Tickets of earlier requests that it passes. */
  readonly passes: readonly number[];
}

/** One party of a cycle, and the lock of the next one that it waits for. */
export interface DeadlockStep {
  readonly owner: OwnerId;
  /** 0 for a request that is only a question. */
  readonly ticket: number;
  readonly waitsFor: string;
  readonly heldBy: OwnerId;
  readonly theirs: string;
  readonly kind: 'holds' | 'waits';
}

/** A request that waits, or might: without a ticket it is behind all others. */
export interface AskedRequest {
  readonly owner: OwnerId;
  readonly wants: readonly Want[];
  readonly ticket?: number;
}
