// The fresh process that takes the run over. This process then only waits for it, and ends with its exit code.
import { Refusal } from '../../api/refusal.ts';
import type { RunReport } from '../../api/reports/run.ts';
import type { RunOptions } from '../../api/signalbox.ts';
import type { Request } from '../request.ts';

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

  /** The exit code of the successor, if there is one. @param leave the terminal to it. */
  async outlive(
    running: Promise<RunReport | number>,
    leave: () => Promise<void> = async () => undefined,
  ): Promise<RunReport | number> {
    try {
      return await running;
    } catch (error) {
      if (this.exitCode === null || !(error instanceof Refusal) || error.exitCode !== 8) throw error;
      await leave();
      return this.exitCode;
    }
  }
}

/** The command line of the successor. */
function runAgain({ plan, flags }: Pick<Request, 'plan' | 'flags'>): string[] {
  const value = (name: string, given: string | number | undefined) =>
    given === undefined ? [] : [name, String(given)];
  return [
    'run',
    ...(plan === undefined ? [] : [plan]),
    ...value('--max-parallel', flags.maxParallel),
    ...value('--budget-usd', flags.budgetUsd),
    ...(flags.only?.length ? ['--only', flags.only.join(',')] : []),
    ...value('--from', flags.from),
    ...value('--on-failure', flags.onFailure),
    ...value('--decide-within', flags.decideWithin),
    ...value('--refresh-after', flags.refreshAfter),
    ...(flags.deadlockDetection === false ? ['--no-deadlock-detection'] : []),
    ...(flags.reload === false ? ['--no-reload'] : []),
    ...(flags.json ? ['--json'] : []),
    ...(flags.verbose ? ['--verbose'] : []),
    '--take-over',
  ];
}
