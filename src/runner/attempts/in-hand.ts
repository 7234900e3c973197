// What this loop has started or adopted, until its end is recorded.
import type { AttemptHost } from '../../agents/process/attempt-host.ts';
import type { StreamSeen } from '../../agents/stream/stream-reader.ts';
import type { LiveAttempt, State } from '../../core/state/state.ts';
import { AdoptedAttempts } from './adopted-attempts.ts';
import { IdleWatch } from './idle-watch.ts';
import { StreamWatch } from './stream-watch.ts';

export class InHand {
  /** Those that another runner started. */
  readonly adopted = new AdoptedAttempts();
  readonly idle: IdleWatch;
  readonly streams: StreamWatch;
  /** By token, the grace that it was told to end with; Infinity: it was not. */
  readonly #graces = new Map<number, number>();

  constructor(host: Pick<AttemptHost, 'lastOutputAt'>, seenOf: (token: number) => StreamSeen | null) {
    this.idle = new IdleWatch(host);
    this.streams = new StreamWatch(seenOf);
  }

  get size(): number {
    return this.#graces.size;
  }

  has(token: number): boolean {
    return this.#graces.has(token);
  }

  /** Whether it is looked after here, and known to live. */
  attends(token: number): boolean {
    return this.has(token) && this.adopted.attends(token);
  }

  start({ token }: LiveAttempt): void {
    this.#graces.set(token, Number.POSITIVE_INFINITY);
  }

  adopt(live: LiveAttempt, state: State): void {
    this.start(live);
    this.adopted.take(live, state);
  }

  /** True when it is told to end for the first time, or sooner than before. */
  hasten(token: number, graceMs: number): boolean {
    if (graceMs >= this.#graces.get(token)!) return false;
    this.#graces.set(token, graceMs);
    return true;
  }

  ended(token: number): void {
    this.#graces.delete(token);
    this.adopted.ended(token);
    this.idle.end(token);
    this.streams.end(token);
  }
}
