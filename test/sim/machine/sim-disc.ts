// The files of the workspace, as far as locks are about them: what each attempt has changed, and what is kept of before. Outlives
// every process. Looking after them is slow, fails, and is cut off by the death of the runner in the middle.
import type { FilesOfAttempts } from '../../../src/runner/machine.ts';
import { Outage } from '../../../src/store/outage.ts';
import type { Random } from '../random.ts';
import type { Tally } from '../tally.ts';
import type { SimProcess } from './sim-process.ts';

export interface DiscParts {
  readonly random: Random;
  readonly tally: Tally;
  readonly calm: () => boolean;
  /** Files are about to be overwritten with what they were before this attempt. */
  readonly onPutBack: (token: number, keys: readonly string[]) => void;
}

export class SimDisc {
  /** By token: keys whose before-image is kept. */
  private readonly images = new Map<number, Set<string>>();
  private readonly changed = new Map<number, Set<string>>();
  private readonly saved = new Map<number, Set<string>>();
  private readonly parts: DiscParts;

  constructor(parts: DiscParts) {
    this.parts = parts;
  }

  /** What an attempt has made of its files and nobody has put back, put aside or finished. */
  changesOf(token: number): readonly string[] {
    return [...(this.changed.get(token) ?? [])];
  }

  hasSaved(token: number): boolean {
    const saved = this.saved.get(token);
    return this.changesOf(token).every((key) => saved?.has(key));
  }

  change(token: number, keys: readonly string[]): void {
    this.changed.set(token, new Set([...this.changesOf(token), ...keys]));
  }

  /** Its work is done, or given away with the lock. */
  finish(token: number, keys: readonly string[] = this.changesOf(token)): void {
    for (const key of keys) this.changed.get(token)?.delete(key);
    for (const key of keys) this.images.get(token)?.delete(key);
  }

  keep(token: number, keys: readonly string[]): void {
    this.images.set(token, new Set([...(this.images.get(token) ?? []), ...keys]));
  }

  /** As one runner has it. */
  files(process: SimProcess): FilesOfAttempts {
    return {
      take: async (token, keys) => {
        await this.work(process, 'take');
        this.keep(token, keys);
      },
      save: async ({ token }) => {
        await this.work(process, 'save');
        this.saved.set(token, new Set(this.changesOf(token)));
        await this.work(process, 'save');
        const files = this.changesOf(token).length;
        return { saved: files > 0 ? `saved-${token}` : null, files };
      },
      putBack: async ({ token }) => {
        // One by one: whoever dies in between leaves some of them.
        for (const key of this.changesOf(token)) {
          await this.work(process, 'put-back');
          if (!this.images.get(token)?.has(key) || !this.saved.get(token)?.has(key)) continue;
          this.parts.onPutBack(token, [key]);
          this.changed.get(token)?.delete(key);
        }
        await this.work(process, 'put-back');
        return { left: this.changesOf(token) };
      },
      forget: (token) => {
        this.images.delete(token);
      },
    };
  }

  /** Never comes back if the process is dead by then. */
  private async work(process: SimProcess, what: 'take' | 'save' | 'put-back'): Promise<void> {
    const { random, tally, calm } = this.parts;
    const isSlow = random.chance(calm() ? 0.02 : 0.15);
    if (isSlow) tally.fired('disc-slow');
    await process.sleep(isSlow ? random.spread(50, 3_000) : random.int(0, 20));
    if (calm()) return;
    if (random.chance(0.04)) {
      tally.fired('disc-failed');
      throw new Outage('io', `simulated: ${what} failed`);
    }
    if (what === 'take' || !random.chance(0.06)) return;
    tally.fired('killed-in-salvage');
    process.die();
    await process.never();
  }
}
