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
    notes: 'Of a running coding agent it also shows the last tool call, or the beginning of the last message.',
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
    name: 'prompt',
    summary: 'print what the agent of a task would be told now',
    args: [['<ID>', 'the id of a task']],
    plan: 'flag',
    examples: ['signalbox prompt api', 'signalbox prompt api --plan plan.md | less'],
    load: async () => (await import('../commands/agents.ts')).prompt,
  },
  {
    name: 'hook',
    summary: 'answer the hook of a coding agent, for Signalbox itself',
    args: [['<KIND>', 'the kind of agent: claude, codex, gemini or opencode']],
    plan: 'none',
    notes:
      'Signalbox puts it into the settings of the agents that it starts. It reads on standard input what the agent is about to do, takes the lock on a file before an edit, and prints a denial where it cannot be had within two minutes. Exit code 0: it has answered; 2: it could not, and the call is blocked.',
    examples: ['signalbox hook claude'],
    load: async () => (await import('../commands/agents.ts')).hook,
  },
  {
    name: 'cost',
    summary: 'show what coding agents have cost',
    args: [planArgument],
    plan: 'argument',
    flags: [
      {
        flags: '--by <WHAT>',
        about: 'task (default), agent, model, attempt or day',
        choices: ['task', 'agent', 'model', 'attempt', 'day'],
      },
    ],
    examples: ['signalbox cost', 'signalbox cost plan.md --by model'],
    load: async () => (await import('../commands/cost.ts')).cost,
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
