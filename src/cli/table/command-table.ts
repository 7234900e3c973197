// Every command: how it is called, what it says about itself, and where its code is. The code is loaded only when the command
// is used, because the time to start is most of what a short command takes.

import { codingAgents } from '../../core/model/coding-agents.ts';
import { absolute, planArgument, reason } from './command-parts.ts';
import type { CommandSpec } from './command-spec.ts';
import { decisionCommands } from './decision-commands.ts';
import { handCommands } from './hand-commands.ts';
import { lockCommands } from './lock-commands.ts';
import { lookCommands } from './look-commands.ts';
import { planningCommands } from './planning-commands.ts';
import { resultCommands } from './result-commands.ts';
import { runCommands } from './run-commands.ts';
import { savedCommands } from './saved-commands.ts';
import { setupCommands } from './setup-commands.ts';
import { statusCommands } from './status-commands.ts';
import { wholeNumber } from './whole-number.ts';

const someTasks = ['<ID...>', 'ids of tasks or groups'] as const;
const follow = (about: string) => ({ flags: '--follow', about });

export const commandTable: readonly CommandSpec[] = [
  ...setupCommands,
  ...runCommands,
  ...planningCommands,
  {
    name: 'check',
    group: 'everyday',
    summary: 'read a plan and print every mistake in it',
    args: [planArgument],
    plan: 'argument',
    quiet: 'held',
    examples: ['signalbox check plan.md', 'signalbox check'],
    load: async () => (await import('../commands/check.ts')).check,
  },
  {
    name: 'fmt',
    group: 'plans',
    summary: 'rewrite a plan in the native form; its meaning stays',
    args: [['[PLAN]', 'the plan file, or - for the standard input; the current one by default']],
    plan: 'argument',
    quiet: 'held',
    flags: [
      { flags: '--write', about: 'replace the file; otherwise the result is printed' },
      { flags: '--ids', about: 'also write the ids of tasks that have none' },
      { flags: '--check', about: 'write nothing; exit code 1 if the file would change' },
    ],
    notes:
      'Tasks become boxes in the native spelling, also those of tables, of headings, and of spec-kit and Kiro plans. Front matter, headings, the text between tasks, and comments are kept. Remarks that fit no key become comments. Line ends become LF. Rules (---) inside a task and needless empty lines are dropped. A plan with mistakes is refused with exit code 3. A plan that has no native form stays as it is: the line and the reason are printed, and the exit code is 1. The file is replaced as a whole and keeps its mode and its owner. It is left alone if it is read-only or was changed in the meantime.',
    examples: [
      'signalbox fmt plan.md',
      'signalbox fmt plan.md --ids --write',
      'signalbox fmt plan.md --check',
      'git show HEAD:plan.md | signalbox fmt -',
    ],
    load: async () => (await import('../commands/fmt.ts')).fmt,
  },
  {
    name: 'import',
    group: 'plans',
    summary: 'write a plan from the file of another tool',
    args: [
      ['<TOOL>', 'taskmaster, beads, backlog, speckit or kiro'],
      ['<FILE>', 'its tasks.json, its export, its task file or folder, its tasks.md'],
    ],
    plan: 'none',
    quiet: 'held',
    flags: [
      { flags: '--out <PLAN>', about: 'the markdown file to write; otherwise the plan is printed' },
      { flags: '--force', about: 'replace the file if it exists' },
      { flags: '--tag <TAG>', about: "which of Task Master's lists; master by default" },
    ],
    notes:
      'The file of the other tool is not changed. Descriptions become prose for the agent, criteria become "accept:", priorities become "priority:". Of spec-kit and Kiro plans, what can be read directly is rewritten.',
    examples: [
      'signalbox import taskmaster .taskmaster/tasks/tasks.json --out plan.md',
      'signalbox import beads issues.jsonl',
      'signalbox import backlog backlog --out plan.md --force',
    ],
    load: async () => (await import('../commands/import.ts')).importTasks,
  },
  {
    name: 'explain',
    group: 'look',
    summary: 'say what a code in brackets, or an exit code, means',
    args: [['<CODE>', 'such as unknown-id, or 5']],
    plan: 'none',
    examples: ['signalbox explain unknown-id', 'signalbox explain 5'],
    loadAlone: async () => (await import('../commands/explain.ts')).explain,
  },
  ...lookCommands,
  {
    name: 'graph',
    group: 'look',
    summary: 'draw which task waits for which, with the status of each',
    args: [planArgument],
    plan: 'argument',
    flags: [
      { flags: '--format <FORMAT>', about: 'mermaid (the default), dot or svg', choices: ['mermaid', 'dot', 'svg'] },
      { flags: '--out <FILE>', about: 'write the picture there; .svg, .dot and .mmd name the format' },
      { flags: '--waits', about: 'draw who waits for whose locks instead, in the whole workspace; a deadlock is red' },
    ],
    examples: [
      'signalbox graph plan.md',
      'signalbox graph --format svg --out plan.svg',
      'signalbox graph --waits --out waits.svg',
    ],
    load: async () => (await import('../commands/graph.ts')).graph,
  },
  {
    name: 'events',
    group: 'look',
    summary: 'print what was recorded, oldest first',
    args: [planArgument],
    plan: 'argument',
    flags: [
      follow('keep printing as things happen'),
      {
        flags: '--after <SEQ>',
        about: 'only events after this number',
        parse: (text) => wholeNumber(text, '--after', 0),
      },
      absolute,
    ],
    examples: ['signalbox events --follow', 'signalbox events --after 40 --json'],
    load: async () => (await import('../commands/events.ts')).events,
  },
  {
    name: 'logs',
    group: 'everyday',
    summary: 'print what an attempt of a task printed',
    args: [['<ID>', 'a task, for its last attempt, or one of its attempts: api#2']],
    plan: 'flag',
    flags: [
      follow('keep printing until the attempt ends'),
      { flags: '--raw', about: 'the output as it is: of a coding agent, its stream of JSON' },
      {
        flags: '--attempt <N>',
        about: 'which attempt; the last one by default',
        parse: (text) => wholeNumber(text, '--attempt', 1),
      },
    ],
    notes: `Of a coding agent (${codingAgents.join(', ')}) it shows messages, each tool call in one line, the beginning and the end of results, and at the end how the agent ended, the files it touched, tokens, cost, and the end of its standard error. Any other output is printed as it is, without control characters. --raw goes into a file or a pipe unchanged; on a terminal it has no control characters either. --json has the raw output, in pieces.`,
    examples: ['signalbox logs api -f', 'signalbox logs api --attempt 1', 'signalbox logs api --raw > api.jsonl'],
    load: async () => (await import('../commands/logs.ts')).logs,
  },
  {
    name: 'verify',
    group: 'results',
    summary: 'run the checks of all completed tasks again',
    args: [planArgument],
    plan: 'argument',
    quiet: 'held',
    flags: [
      {
        flags: '--parallel <N>',
        about: 'how many checks at once; 1 by default',
        parse: (text) => wholeNumber(text, '--parallel', 1),
      },
    ],
    notes:
      'It runs the checks of tasks, groups and phases; a command that several tasks share runs once. Each has 10 minutes. Nothing is recorded, and no task changes. Exit code 0: all green; 1: not all.',
    examples: ['signalbox verify', 'signalbox verify plan.md', 'signalbox verify --parallel 4 --json'],
    load: async () => (await import('../commands/verify.ts')).verify,
  },
  ...decisionCommands,
  ...lockCommands,
  {
    name: 'retry',
    group: 'everyday',
    summary: 'give failed or skipped tasks one more attempt',
    args: [someTasks],
    plan: 'flag',
    quiet: 'held',
    flags: [
      { flags: '--note <TEXT>', about: 'what to do differently; it is recorded' },
      { flags: '--force', about: 'completed tasks too; it is recorded as a decision' },
      { flags: '--reason <TEXT>', about: 'why, with --force; it is recorded' },
    ],
    notes:
      'If a completed task is done again, tasks that need it wait for it again; those that have ended stay as they are.',
    examples: [
      'signalbox retry api',
      'signalbox retry api --note "the port was taken"',
      'signalbox retry api --force --reason "the schema has changed since"',
    ],
    load: async () => (await import('../commands/steer.ts')).retry,
  },
  {
    name: 'skip',
    group: 'steer',
    summary: 'leave tasks out',
    args: [someTasks],
    plan: 'flag',
    quiet: 'held',
    flags: [
      { flags: '--dependents', about: 'skip everything that needs them, too' },
      { flags: '--treat-as-done', about: 'let tasks that need them go on' },
      reason,
    ],
    examples: ['signalbox skip lint --treat-as-done --reason "done by hand"'],
    load: async () => (await import('../commands/steer.ts')).skip,
  },
  {
    name: 'suspend',
    group: 'steer',
    summary: 'hold tasks back until they are resumed, or ask a person',
    args: [['[ID...]', 'ids of tasks or groups; with --question, one task, and inside an attempt its own by default']],
    plan: 'flag',
    quiet: 'held',
    flags: [reason, { flags: '--question <TEXT>', about: 'what a person has to answer before it goes on' }],
    notes:
      'A question stops the attempt of the task and becomes a decision; the run ends with exit code 4 if nothing else is left. Answer it with decide, or with resume and --note: the next attempt reads the answer. This is how an agent asks: it may suspend no other task.',
    examples: [
      'signalbox suspend deploy --reason "after the holidays"',
      'signalbox suspend --question "Which of the two schemas is the right one?"',
    ],
    load: async () => (await import('../commands/steer.ts')).suspend,
  },
  {
    name: 'resume',
    group: 'steer',
    summary: 'resume a paused plan, or suspended tasks',
    args: [['[ID...]', 'ids of suspended tasks, or a paused plan; without any, the current plan']],
    plan: 'maybe-first',
    quiet: 'held',
    flags: [
      { flags: '--note <TEXT>', about: 'what the next attempt is told; the answer, if the task asked a question' },
    ],
    examples: [
      'signalbox resume',
      'signalbox resume plan.md',
      'signalbox resume deploy',
      'signalbox resume api --note "the one in docs/"',
    ],
    load: async () => (await import('../commands/steer.ts')).resume,
  },
  {
    name: 'pause',
    group: 'steer',
    summary: 'start no new tasks; running ones may end',
    args: [planArgument],
    plan: 'argument',
    quiet: 'held',
    flags: [reason],
    examples: ['signalbox pause --reason "lunch"'],
    load: async () => (await import('../commands/steer.ts')).pause,
  },
  {
    name: 'stop',
    group: 'steer',
    summary: 'stop a run and its attempts; the next run goes on from there',
    args: [planArgument],
    plan: 'argument',
    quiet: 'held',
    flags: [{ flags: '--now', about: 'kill the attempts at once, without grace' }],
    examples: ['signalbox stop', 'signalbox stop plan.md --now'],
    load: async () => (await import('../commands/steer.ts')).stop,
  },
  {
    name: 'reload',
    group: 'steer',
    summary: 'load the plan file as it is now, whatever is already done',
    args: [planArgument],
    plan: 'argument',
    quiet: 'held',
    flags: [],
    notes:
      'Works while the plan runs, too. A running task keeps what it was started with, and its next attempt has the new text. A task that is running cannot be removed.',
    examples: ['signalbox reload plan.md'],
    load: async () => (await import('../commands/reload.ts')).reload,
  },
  ...handCommands,
  ...statusCommands,
  ...resultCommands,
  ...savedCommands,
  {
    name: 'doctor',
    group: 'care',
    summary: 'check what a run depends on, and say how to mend it',
    plan: 'workspace',
    quiet: 'held',
    flags: [
      { flags: '--fix', about: 'repair what can be repaired safely, and say what was done' },
      {
        flags: '--versions',
        about: 'run also the programs that signalbox.yaml names: ask for their versions, and let Codex run a command',
      },
    ],
    notes:
      'Exit code 0: OK, or warnings only; 1: something is broken; 3: signalbox.yaml has mistakes. --fix makes the state private again, writes its .gitignore again, and removes journals of ended runs that no attempt needs; it changes nothing else.',
    examples: ['signalbox doctor', 'signalbox doctor --fix', 'signalbox doctor --json'],
    load: async () => (await import('../commands/doctor.ts')).doctor,
  },
  {
    name: 'trust',
    group: 'care',
    summary: 'show what is trusted here, state and git hooks, or trust it',
    plan: 'workspace',
    flags: [
      { flags: '--state', about: 'act on the state that is here, though this user did not make it on this machine' },
      {
        flags: '--git',
        about:
          'let hooks and filters of the repository run, as Git LFS needs it; commit hooks such as pre-commit never run',
      },
      { flags: '--revoke', about: 'with --git: take that back' },
    ],
    notes:
      'State that came with a clone, an archive or a shared folder is shown and never acted on: what it says could run anything. --state is for state of yours that was moved, restored, made by version 0.1.0, or that lies on a volume beside a fresh home. It holds for this workspace until the database is replaced, and is kept outside of it, in $SIGNALBOX_STATE, or else $XDG_STATE_HOME/signalbox, or else ~/.local/state/signalbox. A repository is not trusted either: Signalbox calls git without its hooks, filters, drivers and helpers. --git lets its hooks run when trees are made and branches move, its filters also when work is committed, and nothing else; without it, files of Git LFS are pointers in worktrees. It holds for this clone until --git --revoke.',
    examples: ['signalbox trust', 'signalbox trust --state', 'signalbox trust --git'],
    load: async () => (await import('../commands/trust.ts')).trust,
  },
  {
    name: 'completion',
    group: 'care',
    summary: 'print the script that completes commands in your shell',
    args: [['<SHELL>', 'bash, zsh or fish']],
    plan: 'none',
    examples: ['signalbox completion fish | source', 'eval "$(signalbox completion bash)"'],
    loadAlone: async () => (await import('../commands/completion.ts')).completion,
  },
];
