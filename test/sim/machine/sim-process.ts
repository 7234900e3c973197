// One process of Signalbox in the simulation: a runner or a command. When it dies, so does everything it was about to do.
import type { ProcessIdentity } from '../../../src/core/model/ids.ts';
import type { VirtualClock } from './virtual-clock.ts';

export class SimProcess {
  readonly identity: ProcessIdentity;
  alive = true;
  /** 0 while it lives. */
  diedAt = 0;
  private readonly clock: VirtualClock;
  private readonly mourners: (() => void)[] = [];

  constructor(clock: VirtualClock, identity: ProcessIdentity) {
    this.clock = clock;
    this.identity = identity;
  }

  /** Also used for an orderly end: a process that has ended does nothing more either way. */
  die(): void {
    if (!this.alive) return;
    this.alive = false;
    this.diedAt = this.clock.now();
    for (const mourner of this.mourners) mourner();
  }

  onDeath(callback: () => void): void {
    this.mourners.push(callback);
  }

  whileAlive(callback: () => void): () => void {
    return () => {
      if (this.alive) callback();
    };
  }

  after(ms: number, callback: () => void): () => void {
    return this.clock.after(ms, this.whileAlive(callback));
  }

  /** Never comes back once the process is dead. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve);
    });
  }

  /** For the rest of an async function of a dead process. */
  never(): Promise<never> {
    return new Promise(() => undefined);
  }
}
