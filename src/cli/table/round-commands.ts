// Commands around runs: following one, and starting a plan over.
import { planArgument } from './command-parts.ts';
import type { CommandSpec } from './command-spec.ts';

export const roundCommands: readonly CommandSpec[] = [
  {
    name: 'attach',
    group: 'steer',
    summary: 'follow a run that another process performs',
    args: [planArgument],
    plan: 'argument',
    quiet: 'own',
    notes:
      'It begins with where the run stands and ends with its summary and its exit code. Ctrl-C only leaves the run, which goes on. Where no run is going on, it tells how the last one ended, with that exit code; 2 if there was none. If the process of the run died, it says so, and the exit code is 143. With --json it prints what run --json prints from now on.',
    examples: [
      'signalbox attach',
      'signalbox run plan.md --detach && signalbox attach plan.md',
      'signalbox attach --json',
    ],
    load: async () => (await import('../run/attach.ts')).attach,
  },
  {
    name: 'reset',
    group: 'steer',
    summary: 'start a plan over; what was recorded is kept aside',
    args: [planArgument],
    plan: 'argument',
    quiet: 'held',
    flags: [{ flags: '--yes', about: 'do not ask; otherwise it is shown first, and done when you confirm it' }],
    notes:
      'Nothing is deleted. The log keeps every event, and logs, saved and diff still show earlier attempts: their numbers are not used again. status.json, findings and times move to earlier/<n> beside them. With worktrees, results that your branch does not have are kept on the branch signalbox/<plan>.<n>, and the next run begins where your branch stands. Boxes that are ticked in the plan count as always. Refused with exit code 8 while the plan is being run or somebody is at work on it. Where nobody can be asked, nothing is done without --yes, and the exit code is 4.',
    examples: ['signalbox reset plan.md', 'signalbox reset --yes', 'signalbox run plan.md --fresh'],
    load: async () => (await import('../run/reset.ts')).reset,
  },
];
