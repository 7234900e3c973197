// Commands that only look at where a plan is.
import { absolute, planArgument } from './command-parts.ts';
import type { CommandSpec } from './command-spec.ts';

export const lookCommands: readonly CommandSpec[] = [
  {
    name: 'status',
    summary: 'show the status of every task of a plan',
    args: [planArgument],
    plan: 'argument',
    flags: [
      { flags: '--all', about: 'list every task, also in a large plan' },
      { flags: '-w, --watch', about: 'show it again each time it changes, until interrupted' },
      absolute,
    ],
    examples: ['signalbox status', 'signalbox status plan.md --json', 'signalbox status --watch'],
    load: async () => (await import('../commands/status.ts')).status,
  },
  {
    name: 'progress',
    summary: 'show how far a plan is, in one line',
    args: [planArgument],
    plan: 'argument',
    examples: ['signalbox progress', 'signalbox progress plan.md --json'],
    load: async () => (await import('../commands/progress.ts')).progress,
  },
  {
    name: 'next',
    summary: 'list the tasks that can be started next',
    args: [['[N]', 'how many; 5 by default']],
    plan: 'flag',
    notes:
      'Ordered by priority, then the current phase, then the longest wait. Tasks that failed and have attempts left come last.',
    examples: ['signalbox next 3'],
    load: async () => (await import('../commands/next.ts')).next,
  },
  {
    name: 'why',
    summary: 'explain why a task has its status',
    args: [['<ID>', 'the id of a task or group']],
    plan: 'flag',
    flags: [absolute],
    examples: ['signalbox why api'],
    load: async () => (await import('../commands/why.ts')).why,
  },
  {
    name: 'plans',
    summary: 'list the plans of this workspace',
    plan: 'none',
    flags: [absolute],
    examples: ['signalbox plans'],
    load: async () => (await import('../commands/plans.ts')).plans,
  },
  {
    name: 'retryable',
    summary: 'list tasks that have failed and have attempts left',
    args: [planArgument],
    plan: 'argument',
    examples: ['signalbox retryable', 'signalbox retryable --json'],
    load: async () => (await import('../commands/attempts.ts')).retryable,
  },
  {
    name: 'exhausted',
    summary: 'list tasks that have failed and have used up their attempts',
    args: [planArgument],
    plan: 'argument',
    examples: ['signalbox exhausted', 'signalbox exhausted --json'],
    load: async () => (await import('../commands/attempts.ts')).exhausted,
  },
];
