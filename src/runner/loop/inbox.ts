// What the loop has heard and not recorded yet. A turn takes all that is there when it has the write lock; it is dropped only when it
// is committed, so that an outage loses nothing.
import type { Observation } from '../../agents/process/attempt-host.ts';
import type { Event } from '../../core/model/event.ts';
import type { Doom, Evidence } from '../../core/model/failure.ts';
import type { StopMode } from '../../core/model/run-event.ts';

/** An end counts with what is known of how it came about. */
export type Observed = Observation & { readonly evidence?: Evidence };

/** An attempt that has to be ended because of what it does. */
export interface Doomed {
  readonly token: number;
  readonly doom: Doom;
}

export interface Stop {
  readonly mode: StopMode;
  readonly exitCode: 130 | 143;
  readonly by: string;
}

/** A step of salvaging that is done. */
export type SalvageEvent = Extract<Event, { readonly type: 'work-saved' | 'files-put-back' }>;

export interface Heard {
  readonly observed: readonly Observed[];
  readonly doomed: readonly Doomed[];
  /** Somebody interrupts the run. */
  readonly stops: readonly Stop[];
  readonly salvaged: readonly SalvageEvent[];
  /** Reasons why nothing more may start until a person resumes the plan. */
  readonly pauses: readonly string[];
}

export class Inbox {
  readonly observed: Observed[] = [];
  readonly doomed: Doomed[] = [];
  readonly stops: Stop[] = [];
  readonly salvaged: SalvageEvent[] = [];
  readonly pauses: string[] = [];

  /** As it is now: what comes later is for the next turn. */
  all(): Heard {
    const { observed, doomed, stops, salvaged, pauses } = this;
    return {
      observed: [...observed],
      doomed: [...doomed],
      stops: [...stops],
      salvaged: [...salvaged],
      pauses: [...pauses],
    };
  }

  drop({ observed, doomed, stops, salvaged, pauses }: Heard): void {
    this.pauses.splice(0, pauses.length);
    this.observed.splice(0, observed.length);
    this.doomed.splice(0, doomed.length);
    this.stops.splice(0, stops.length);
    this.salvaged.splice(0, salvaged.length);
  }
}
