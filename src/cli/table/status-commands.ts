// Commands about the files that other programs read: which plan is meant, and whether they agree with the log.
import { planArgument } from './command-parts.ts';
import type { CommandSpec } from './command-spec.ts';

export const statusCommands: readonly CommandSpec[] = [
  {
    name: 'set',
    group: 'plans',
    summary: 'choose the plan that commands mean when none is named',
    args: [['[PLAN]', 'the plan file; without it, you choose from a list']],
    plan: 'argument',
    quiet: 'held',
    notes:
      'It creates the state of the plan. Without a plan and without a terminal, it lists the plans it found, with exit code 2.',
    examples: ['signalbox set plan.md', 'signalbox set'],
    load: async () => (await import('../commands/plans.ts')).set,
  },
  {
    name: 'validate',
    group: 'seldom',
    summary: 'check the recorded state: log, snapshot, locks, status.json',
    plan: 'workspace',
    quiet: 'held',
    flags: [
      { flags: '--fix', about: 'repair what is wrong, and say what was done' },
      { flags: '--deep', about: 'compare everything from the first event, also where all checksums are right' },
    ],
    notes:
      'First it compares the checksums that were written along with everything. If one is wrong, and with --deep or --fix, it compares everything from the first event of the log. Exit code 0: nothing is wrong, or all of it was repaired; 1: something is wrong. --fix writes status.json and its backup again from the log, throws away a snapshot that contradicts the log, and keeps a broken database aside to take the state from status.json. It deletes no findings and no plan.',
    examples: [
      'signalbox validate',
      'signalbox validate --deep',
      'signalbox validate --fix',
      'signalbox validate --json',
    ],
    load: async () => (await import('../commands/validate.ts')).validate,
  },
  {
    name: 'sync-check',
    group: 'seldom',
    summary: 'compare the plan file with the plan as it was loaded',
    args: [planArgument],
    plan: 'argument',
    notes: 'It changes nothing. The exit code is 0 whether they are the same or not, and 3 for a plan with mistakes.',
    examples: ['signalbox sync-check', 'signalbox sync-check plan.md --json'],
    load: async () => (await import('../commands/reload.ts')).syncCheck,
  },
];
