// The command line of this run once more, for the process that takes it over.
import type { Request } from './request.ts';

export function runAgain({ plan, flags }: Pick<Request, 'plan' | 'flags'>): string[] {
  const value = (name: string, given: string | number | undefined) =>
    given === undefined ? [] : [name, String(given)];
  return [
    'run',
    ...(plan === undefined ? [] : [plan]),
    ...value('--max-parallel', flags.maxParallel),
    ...(flags.only?.length ? ['--only', flags.only.join(',')] : []),
    ...value('--from', flags.from),
    ...value('--on-failure', flags.onFailure),
    ...value('--decide-within', flags.decideWithin),
    ...value('--refresh-after', flags.refreshAfter),
    ...(flags.deadlockDetection === false ? ['--no-deadlock-detection'] : []),
    ...(flags.json ? ['--json'] : []),
    ...(flags.verbose ? ['--verbose'] : []),
    '--take-over',
  ];
}
