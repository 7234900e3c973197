// The words about each key: what it says, what holds without it, an example. Editors show them from the JSON Schemas, and
// docs/settings.md is made from them. Readers never load them.
import { codingAgents } from '../../core/model/coding-agents.ts';
import { listWords } from '../../core/model/count-words.ts';
import { defaultMaxParallel, defaultPools, defaultRetries } from '../../core/model/defaults.ts';
import type { KeyName } from './keys.ts';

/** The headings of docs/settings.md, in its order. */
export const keyGroups = {
  agents: 'Who performs tasks',
  limits: 'Limits',
  proof: 'When a task is done',
  failure: 'What happens when a task fails',
  worktrees: 'Worktrees and results',
  locks: 'Locks and deadlocks',
  tasks: 'Further defaults for tasks',
  places: 'Places and upkeep',
} as const;

export interface KeyWords {
  readonly group: keyof typeof keyGroups;
  readonly about: string;
  /** A value as it would be written, or words about it in parentheses. Absent: nothing. */
  readonly default?: unknown;
  /** As it stands in YAML, after the key. Absent: the key stands in plans alone, which docs/plans.md shows. */
  readonly example?: string;
}

export const keyWords: Readonly<Record<KeyName, KeyWords>> = {
  agent: { group: 'agents', about: 'who performs tasks that have no `run`', example: 'claude' },
  agents: {
    group: 'agents',
    about: `names with their agents; ${listWords(codingAgents)} need no entry`,
    example: '{ reviewer: { kind: claude, model: opus } }',
  },
  model: { group: 'agents', about: 'the model that agents use', default: '(that of the agent)', example: 'sonnet' },
  'review-agent': { group: 'agents', about: 'who performs `review: agent`', example: 'reviewer' },
  'escalation-agent': { group: 'agents', about: 'who gets a task that is escalated', example: 'debugger' },
  'prompt-template': {
    group: 'agents',
    about: 'a file that replaces the frame of the prompt; agents.md has its parts',
    example: 'docs/prompt.md',
  },
  prices: {
    group: 'agents',
    about: 'USD for a million tokens, for agents that report tokens and no cost',
    example: '{ gpt-5.5: { input: 1.25, output: 10, cached: 0.13 } }',
  },
  'max-parallel': {
    group: 'limits',
    about: 'how many tasks run at once',
    default: defaultMaxParallel,
    example: '5',
  },
  pools: {
    group: 'limits',
    about: 'how many tasks use a model or another resource at once; pools.md',
    default: defaultPools,
    example: '{ opus: 2, staging: 1 }',
  },
  'max-attempts': { group: 'limits', about: 'how many attempts one run may start', example: '50' },
  'budget-usd': { group: 'limits', about: 'what the coding agents of one run may cost', example: '20' },
  timeout: {
    group: 'limits',
    about: 'how long an attempt may take; 0 is no limit',
    default: '(agents 60m, `run` none)',
    example: '20m',
  },
  'idle-timeout': {
    group: 'limits',
    about: 'how long an attempt may print nothing; 0 is no limit',
    default: '30m',
    example: '10m',
  },
  quota: {
    group: 'limits',
    about: 'what a usage limit of an agent does to the run: it waits for the end of the limit, or stops',
    default: 'wait',
    example: 'stop',
  },
  check: {
    group: 'proof',
    about: 'commands that must succeed before a task counts as done',
    example: '[npm test, npm run lint]',
  },
  accept: { group: 'proof', about: 'acceptance criteria, for agents and reviewers', example: 'No new dependency' },
  review: { group: 'proof', about: 'who looks at the work after its checks', default: 'none', example: 'agent' },
  produces: {
    group: 'proof',
    about: 'what an agent has to show: changed files, or its last message',
    default: 'files',
    example: 'text',
  },
  baseline: {
    group: 'proof',
    about: 'runs every check once before the run, so that checks that were red already are known',
    default: false,
    example: 'true',
  },
  finish: {
    group: 'proof',
    about: 'a last command, or the name of an agent, that runs once everything is complete',
    example: 'npm run build',
  },
  retries: {
    group: 'failure',
    about: 'how often a failed attempt is repeated',
    default: defaultRetries,
    example: '1',
  },
  'on-failure': {
    group: 'failure',
    about: 'what happens when a task has failed for good and others need it',
    default: 'ask',
    example: 'skip',
  },
  'soft-failure': {
    group: 'failure',
    about: 'what happens when something that a task only prefers has failed',
    default: 'proceed',
    example: 'ask',
  },
  livelock: {
    group: 'failure',
    about: 'how often is too often, before loops without progress are stopped; 0 switches one off',
    example: '{ same-calls: 40 }',
  },
  isolation: {
    group: 'worktrees',
    about: 'where attempts work: each in a git worktree of its own, or all in the workspace',
    default: '(worktree for coding agents in a git repository)',
    example: 'shared',
  },
  land: {
    group: 'worktrees',
    about: 'what a complete run does with its results: leaves them on their branch, or brings them to yours',
    default: 'none',
    example: 'merge',
  },
  worktree: {
    group: 'worktrees',
    about: 'the trees of runs with `isolation: worktree`; paths from the root of the workspace',
    example: '{ setup: npm ci, include: [.env] }',
  },
  locks: {
    group: 'locks',
    about:
      'enforced or advisory: whether hooks lock the files that coding agents edit; or a list: what each task locks',
    default: 'enforced',
    example: 'advisory',
  },
  audit: {
    group: 'locks',
    about: 'what writing without a lock means in a shared tree: a line in the report, or a failed attempt',
    default: 'report',
    example: 'fail',
  },
  deadlock: {
    group: 'locks',
    about: 'what is done when agents wait for each other',
    example: '{ victim: least-progress }',
  },
  files: { group: 'tasks', about: 'what a task changes: locked while it runs', example: 'src/**' },
  reads: { group: 'tasks', about: 'what a task only looks at: locked with others who look', example: 'docs/**' },
  uses: { group: 'tasks', about: 'pools that a task takes a place in', example: 'staging' },
  run: { group: 'tasks', about: 'the shell command that performs a task', example: 'make "$SIGNALBOX_TASK"' },
  prompt: { group: 'tasks', about: 'what the agent is told beside the title' },
  env: { group: 'tasks', about: 'variables for what a task runs', example: '{ CI: 1 }' },
  labels: { group: 'tasks', about: 'words for people and programs; `status --json` has them', example: 'backend' },
  priority: { group: 'tasks', about: 'who goes first among those that can start', default: 0, example: '5' },
  order: {
    group: 'tasks',
    about: 'what tasks wait for beside their needs; plans.md',
    default: '(the first that fits the plan)',
    example: 'phases',
  },
  needs: { group: 'tasks', about: 'what has to be completed first' },
  prefers: { group: 'tasks', about: 'what has to have ended first, well or badly' },
  batch: { group: 'tasks', about: 'the phase ends as a unit: one question about all of its failures' },
  title: { group: 'tasks', about: 'one line for people and agents' },
  subtasks: { group: 'tasks', about: 'ids with the tasks of a group' },
  tasks: { group: 'tasks', about: 'ids with their tasks' },
  outputs: {
    group: 'places',
    about: 'where files for other programs are written; paths from the root of the workspace',
    example: '{ folder: build/plans }',
  },
  'refresh-after': {
    group: 'places',
    about: 'after how many completed tasks a fresh process takes over a run',
    example: '500',
  },
  store: {
    group: 'places',
    about: 'where the log is; only sqlite is supported yet',
    default: 'sqlite',
    example: 'sqlite',
  },
  workspace: {
    group: 'places',
    about: 'the name of the workspace, for stores that several share; without effect yet',
    example: 'my-project',
  },
  notify: { group: 'places', about: 'not supported yet: `run` refuses it' },
};
