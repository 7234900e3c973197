// Commands about the files that other programs read: which plan is meant, and whether they agree with the log.
import { planArgument } from './command-parts.ts';
import type { CommandSpec } from './command-spec.ts';

export const statusCommands: readonly CommandSpec[] = [
  {
    name: 'set',
    summary: 'make a plan the one that commands mean when none is named',
    args: [['[PLAN]', 'the plan file; without it, you choose from those that are found']],
    plan: 'argument',
    notes:
      'It creates the state of the plan. Without a plan and without a terminal: exit code 2, naming the plans that were found.',
    examples: ['signalbox set plan.md', 'signalbox set'],
    load: async () => (await import('./commands/set.ts')).set,
  },
  {
    name: 'validate',
    summary: 'hold the log, its snapshot, the locks and status.json against each other',
    plan: 'none',
    flags: [
      { flags: '--fix', about: 'make again what is wrong from what is whole, and say what was done' },
      { flags: '--deep', about: 'compare everything from the first event, also where it is as it was written' },
    ],
    notes:
      'First everything is looked at by the sums and notes that were written along with it; where something is not as it was written, and with --deep or --fix, all of it is compared from the first event of the log. Exit code 0: nothing is wrong, or nothing any more; 1: something is. --fix writes status.json and its backup again from the log, throws a snapshot away that says something else than the log, and keeps a broken database aside to take the state from status.json. It deletes no findings and no plan.',
    examples: [
      'signalbox validate',
      'signalbox validate --deep',
      'signalbox validate --fix',
      'signalbox validate --json',
    ],
    load: async () => (await import('./commands/validate.ts')).validate,
  },
  {
    name: 'sync-check',
    summary: 'compare the plan file with what was loaded of it, and say what reload would do',
    args: [planArgument],
    plan: 'argument',
    notes: 'Only looks: the exit code is 0 whether they are the same or not, and 3 for a plan with mistakes.',
    examples: ['signalbox sync-check', 'signalbox sync-check plan.md --json'],
    load: async () => (await import('./commands/sync-check.ts')).syncCheck,
  },
];
