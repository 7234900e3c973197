// Commands that only look at where a plan is.
import { codingAgents } from '../../core/model/coding-agents.ts';
import { listWords } from '../../core/model/count-words.ts';
import { absolute, planArgument } from './command-parts.ts';
import type { CommandSpec } from './command-spec.ts';

export const lookCommands: readonly CommandSpec[] = [
  {
    name: 'status',
    group: 'everyday',
    summary: 'show the status of every task of a plan',
    args: [planArgument],
    plan: 'argument',
    flags: [
      { flags: '--all', about: 'list every task, also in a large plan' },
      { flags: '--watch', about: 'show it again each time it changes, until interrupted' },
      absolute,
    ],
    notes: 'Of a running coding agent it also shows the last tool call, or the beginning of the last message.',
    examples: ['signalbox status', 'signalbox status plan.md --json', 'signalbox status --watch'],
    load: async () => (await import('../commands/status.ts')).status,
  },
  {
    name: 'progress',
    group: 'look',
    summary: 'show how far a plan is, in one line',
    args: [planArgument],
    plan: 'argument',
    examples: ['signalbox progress', 'signalbox progress plan.md --json'],
    load: async () => (await import('../commands/progress.ts')).progress,
  },
  {
    name: 'next',
    group: 'look',
    summary: 'list the tasks that can be started next',
    args: [['[N]', 'how many; 5 by default'], planArgument],
    plan: 'among',
    notes:
      'Ordered by priority, then the current phase, then the longest wait. Tasks that failed and have attempts left come last.',
    examples: ['signalbox next', 'signalbox next 3', 'signalbox next 3 plan.md'],
    load: async () => (await import('../commands/next.ts')).next,
  },
  {
    name: 'why',
    group: 'everyday',
    summary: 'explain why a task has its status',
    args: [['<ID>', 'the id of a task or group']],
    plan: 'flag',
    flags: [absolute],
    examples: ['signalbox why api'],
    load: async () => (await import('../commands/why.ts')).why,
  },
  {
    name: 'prompt',
    group: 'seldom',
    summary: 'print what the agent of a task would be told now',
    args: [['<ID>', 'the id of a task']],
    plan: 'flag',
    examples: ['signalbox prompt api', 'signalbox prompt api --plan plan.md | less'],
    load: async () => (await import('../commands/agents.ts')).prompt,
  },
  {
    name: 'hook',
    group: 'seldom',
    summary: 'answer the hook of a coding agent, for Signalbox itself',
    args: [['<KIND>', `the kind of agent, one of ${listWords(codingAgents)}`]],
    plan: 'none',
    flags: [{ flags: '--guest', about: "for a person's own session: it shares locks with a running plan" }],
    notes:
      "Signalbox puts it into the settings of the agents that it starts. It reads on standard input what the agent is about to do, takes the lock on a file before an edit, and prints a denial where it cannot be had within two minutes. Exit code 0: it has answered; 2: it could not, and the call is blocked. With --guest it is for the hooks of a person's own session, which is a guest called KIND-PID, or as SIGNALBOX_AGENT says. While a run goes on in this checkout, or somebody else has a lock, an edit takes the locks on its files, waits for them for 15 seconds, and is denied with who has them and since when. A wait that would close a deadlock is denied with the circle and what to release; no attempt is stopped for it. The end of a turn (Stop) and of the session (SessionEnd) release everything but the locks of tasks that the guest has started by hand. SessionStart names the guest in CLAUDE_ENV_FILE, and tells the session of the plan. Trouble of Signalbox itself never blocks a guest: the call passes with a message, and the exit code is 0.",
    examples: ['signalbox hook claude', 'signalbox hook claude --guest'],
    loadAlone: async () => (await import('../commands/agents.ts')).hook,
  },
  {
    name: 'cost',
    group: 'look',
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
    group: 'plans',
    summary: 'list the plans of this workspace',
    plan: 'workspace',
    flags: [absolute],
    examples: ['signalbox plans'],
    load: async () => (await import('../commands/plans.ts')).plans,
  },
  {
    name: 'retryable',
    group: 'seldom',
    summary: 'list failed tasks that have attempts left',
    args: [planArgument],
    plan: 'argument',
    examples: ['signalbox retryable', 'signalbox retryable --json'],
    load: async () => (await import('../commands/attempts.ts')).retryable,
  },
  {
    name: 'exhausted',
    group: 'seldom',
    summary: 'list failed tasks that have no attempts left',
    args: [planArgument],
    plan: 'argument',
    examples: ['signalbox exhausted', 'signalbox exhausted --json'],
    load: async () => (await import('../commands/attempts.ts')).exhausted,
  },
];
