// Who goes on with the run when a fresh process has taken it over by itself: this one only waits for it, and ends as it does.
import { Refusal } from '../api/refusal.ts';
import type { RunOptions, RunReport } from '../api/signalbox.ts';
import type { Request } from './request.ts';
import { runAgain } from './run-again.ts';

export class Successor {
  readonly refresh: NonNullable<RunOptions['refresh']>;
  private exitCode: Promise<number> | null = null;

  constructor(request: Pick<Request, 'plan' | 'flags'>) {
    const { refreshAfter } = request.flags;
    this.refresh = {
      ...(refreshAfter === undefined ? {} : { after: refreshAfter }),
      argv: runAgain(request),
      onSuccessor: (exitCode) => {
        this.exitCode = exitCode;
      },
    };
  }

  /** The exit code of the process that took over, if that is how this one's part came to its end. */
  async outlive(running: Promise<RunReport | number>): Promise<RunReport | number> {
    try {
      return await running;
    } catch (error) {
      if (this.exitCode === null || !(error instanceof Refusal) || error.exitCode !== 8) throw error;
      return this.exitCode;
    }
  }
}
