// Which process prints an event when a run goes from one to the next and both write to the same place: the old one up to the hand-over,
// the new one from its own start on, whatever each of them hears of the other.
import type { StoredEvent } from '../../core/model/event.ts';
import type { RunId } from '../../core/model/ids.ts';

export class EventsToldHere {
  readonly #run: RunId;
  #isTelling: boolean;

  /** @param succeeds it was started by the process whose run it takes over. */
  constructor(run: RunId, succeeds: boolean) {
    this.#run = run;
    this.#isTelling = !succeeds;
  }

  /**
   * Those of them that are to be told here; each is asked about once, in order.
   * @param hasSuccessor this process has started the one that is to take over; who is taken over by a stranger tells on until it ends.
   */
  of(events: readonly StoredEvent[], hasSuccessor: boolean): StoredEvent[] {
    return events.filter((event) => {
      if (event.type === 'run-started' && event.run === this.#run) this.#isTelling = true;
      const isTold = this.#isTelling;
      if (event.type === 'run-handed-over' && event.run === this.#run && hasSuccessor) this.#isTelling = false;
      return isTold;
    });
  }
}
