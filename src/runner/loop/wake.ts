// When the loop turns: as soon as something was heard, or when a time has come; never two turns at once.
import type { Clock } from '../clock.ts';

const nothing = (): void => undefined;

export class Wake {
  readonly #clock: Clock;
  readonly #turn: () => Promise<void>;
  #state: 'new' | 'asleep' | 'about to turn' | 'turning' | 'ended' = 'new';
  /** Something came while it turned. */
  #again = false;
  #timer = { at: Number.POSITIVE_INFINITY, cancel: nothing };

  constructor(clock: Clock, turn: () => Promise<void>) {
    this.#clock = clock;
    this.#turn = turn;
  }

  begin(): void {
    this.#state = 'asleep';
    this.now();
  }

  end(): void {
    this.#state = 'ended';
    this.#timer.cancel();
  }

  /** What is already waiting to happen is heard in the same turn. */
  now(): void {
    this.#again = true;
    if (this.#state !== 'asleep') return;
    this.#state = 'about to turn';
    this.#clock.soon(() => {
      if (this.#state === 'about to turn') void this.#take();
    });
  }

  at(time: number): void {
    if (time >= this.#timer.at) return;
    this.#timer.cancel();
    const cancel = this.#clock.at(time, () => {
      this.#timer = { at: Number.POSITIVE_INFINITY, cancel: nothing };
      this.now();
    });
    this.#timer = { at: time, cancel };
  }

  async #take(): Promise<void> {
    this.#state = 'turning';
    this.#again = false;
    await this.#turn();
    if (this.#state !== 'turning') return;
    this.#state = 'asleep';
    if (this.#again) this.now();
  }
}
