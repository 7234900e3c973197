// Finds coding agents whose process does not fit their stream: one that has said how its work ended and lives on, one that cannot go on
// because its conversation is too long and tries for ever, and one that never began to speak. It counts from the last look that saw something new, as `IdleWatch` does.
import type { StreamSeen } from '../../agents/stream/stream-reader.ts';
import { finishedGraceMs, firstEventMs } from '../../core/model/defaults.ts';
import type { Doom } from '../../core/model/failure.ts';
import type { LiveAttempt } from '../../core/state/state.ts';

interface Watched {
  seen: StreamSeen;
  /** When something new was last seen. */
  changedAt: number;
  nextLookAt: number;
}

const lookEveryMs = finishedGraceMs / 4;

export class StreamWatch {
  /** Null: nobody reads a stream of it. */
  readonly #seenOf: (token: number) => StreamSeen | null;
  readonly #watched = new Map<number, Watched>();

  constructor(seenOf: (token: number) => StreamSeen | null) {
    this.#seenOf = seenOf;
  }

  /** The next time to call `due`; Infinity for never. */
  nextLookAt(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { nextLookAt } of this.#watched.values()) next = Math.min(next, nextLookAt);
    return next;
  }

  begin({ token, parkedSince, doom }: Pick<LiveAttempt, 'token' | 'parkedSince' | 'doom'>, now: number): void {
    const known = this.#watched.get(token);
    // Whoever waits for a lock has a reason to be silent.
    if (known && parkedSince > 0) known.changedAt = now;
    if (known || doom !== null) return;
    const seen = this.#seenOf(token);
    if (seen !== null) this.#watched.set(token, { seen, changedAt: now, nextLookAt: now + lookEveryMs });
  }

  end(token: number): void {
    this.#watched.delete(token);
  }

  /** Tokens of those that are to be ended now, each told once. */
  due(now: number): { readonly token: number; readonly doom: Doom }[] {
    const due: { token: number; doom: Doom }[] = [];
    for (const [token, watched] of this.#watched) {
      if (watched.nextLookAt > now) continue;
      const doom = this.#look(token, watched, now);
      watched.nextLookAt = now + lookEveryMs;
      if (doom === null) continue;
      due.push({ token, doom });
      this.#watched.delete(token);
    }
    return due;
  }

  #look(token: number, watched: Watched, now: number): Doom | null {
    const seen = this.#seenOf(token);
    if (seen === null) return null;
    if (seen.events !== watched.seen.events) Object.assign(watched, { seen, changedAt: now });
    const silentMs = now - watched.changedAt;
    if (seen.events === 0) return silentMs < firstEventMs ? null : { kind: 'mute', limitMs: firstEventMs };
    return seen.isStuck || (seen.isOver && silentMs >= finishedGraceMs) ? { kind: 'finished' } : null;
  }
}
