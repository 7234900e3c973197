// Commands with which people, and agents that they look after themselves, drive a plan by hand.
import { planArgument, reason } from './command-parts.ts';
import type { CommandSpec, FlagSpec } from './command-spec.ts';

const oneTask = ['<ID>', 'the id of a task, or the beginning of it if no other id begins with that'] as const;
const force: FlagSpec = { flags: '--force', about: 'do it against the rules; it is recorded as a decision' };
const request: FlagSpec = {
  flags: '--request <KEY>',
  about: 'a key of your own for this call: repeated with it after a success, it succeeds again and records nothing',
};
const refusals =
  'Exit code 0: it is recorded; 2: refused, and nothing is recorded: the task is not ready, not known, has already ended, or somebody else works on it. The message gives the reason and what to do.';

export const handCommands: readonly CommandSpec[] = [
  {
    name: 'mark-started',
    group: 'hand',
    summary: 'begin a task by hand',
    args: [oneTask],
    plan: 'flag',
    quiet: 'held',
    flags: [request, force, reason],
    notes: `The task must be ready, or have failed with attempts left, and its plan must not be paused. It takes the locks that the plan declares for it; if somebody holds one, the command names the holder, and --force does not help. A run leaves the task alone. ${refusals}`,
    examples: [
      'signalbox mark-started api',
      'signalbox mark-started api --request 3f1c77e0-start',
      'signalbox mark-started api --force --reason "the schema is done, only not ticked"',
    ],
    load: async () => (await import('../commands/by-hand.ts')).markStarted,
  },
  {
    name: 'mark-complete',
    group: 'hand',
    summary: 'hand a task in: it is completed if its checks are green',
    args: [oneTask],
    plan: 'flag',
    quiet: 'held',
    flags: [
      { flags: '--notes <TEXT>', about: 'what others should know about it; it is recorded' },
      { flags: '--no-checks', about: 'do not run its checks; it is recorded as a decision' },
      request,
      force,
      reason,
    ],
    notes: `The checks run one after the other in the workspace, each for at most 10 minutes. If the task asks for a review, the review comes next. Without mark-started, this command also starts the task, and is refused if the plan is paused. ${refusals} Exit code 1: a check is not green, and nothing is recorded; 130: interrupted, and nothing is recorded.`,
    examples: [
      'signalbox mark-complete api --notes "the router is in src/api/router.ts"',
      'signalbox mark-complete api --no-checks --reason "no network here"',
    ],
    load: async () => (await import('../commands/by-hand.ts')).markComplete,
  },
  {
    name: 'mark-failed',
    group: 'hand',
    summary: 'record that a task failed; it counts as an attempt',
    args: [oneTask],
    plan: 'flag',
    quiet: 'held',
    flags: [{ flags: '--error <TEXT>', about: 'what went wrong; it is recorded' }, request, force, reason],
    notes: `If attempts are left, mark-started starts it again. After the last attempt, tasks that need it are blocked, and a person is asked to decide. ${refusals}`,
    examples: ['signalbox mark-failed api --error "the schema has no users"'],
    load: async () => (await import('../commands/by-hand.ts')).markFailed,
  },
  {
    name: 'mark-skipped',
    group: 'hand',
    summary: 'leave a task out',
    args: [oneTask],
    plan: 'flag',
    quiet: 'held',
    flags: [
      { flags: '--dependents', about: 'skip everything that needs it, too' },
      { flags: '--treat-as-done', about: 'let tasks that need it go on' },
      force,
      reason,
    ],
    notes: `If other tasks need it, use --dependents or --treat-as-done, but not both. ${refusals}`,
    examples: ['signalbox mark-skipped lint --treat-as-done --reason "done in the editor"'],
    load: async () => (await import('../commands/by-hand.ts')).markSkipped,
  },
  {
    name: 'write-findings',
    group: 'hand',
    summary: 'keep the findings of a task',
    args: [oneTask],
    plan: 'flag',
    quiet: 'held',
    flags: [
      { flags: '--file <FILE>', about: 'the text; the standard input by default' },
      { flags: '--append', about: 'add to the findings instead of replacing them' },
    ],
    notes: 'The findings are kept in docs/plan-outputs/PLAN/findings/ID.md; the file is replaced as a whole.',
    examples: [
      'signalbox write-findings api --file notes.md --append',
      'echo "The port is 8080." | signalbox write-findings api',
    ],
    load: async () => (await import('../commands/by-hand.ts')).writeFindings,
  },
  {
    name: 'read-findings',
    group: 'hand',
    summary: 'print the findings of a task',
    args: [oneTask],
    plan: 'flag',
    examples: ['signalbox read-findings api'],
    load: async () => (await import('../commands/by-hand.ts')).readFindings,
  },
  {
    name: 'start-run',
    group: 'seldom',
    summary: 'begin a run by hand, and print its name',
    args: [planArgument],
    plan: 'argument',
    notes: 'It starts no task. Tasks that complete or fail from now on count for this run, until complete-run.',
    examples: ['signalbox start-run'],
    load: async () => (await import('../commands/by-hand.ts')).startRun,
  },
  {
    name: 'complete-run',
    group: 'seldom',
    summary: 'end a run by hand, and list what completed and failed',
    args: [['[RUN]', 'its name; the open one by default'], planArgument],
    plan: 'among',
    quiet: 'held',
    examples: ['signalbox complete-run', 'signalbox complete-run hand-1762000000000'],
    load: async () => (await import('../commands/by-hand.ts')).completeRun,
  },
  {
    name: 'detect-stuck',
    group: 'seldom',
    summary: 'find tasks in progress that nobody works on',
    args: [planArgument],
    plan: 'argument',
    flags: [
      { flags: '--mark', about: 'mark them as failed' },
      { flags: '--limit <DURATION>', about: 'how long an agent or person may be silent: 90s, 45m, 2h; 30m by default' },
    ],
    notes:
      'An attempt is stuck if its process is gone and no runner is left to record its end, if it has printed nothing for longer than the limit, or if its host has been silent. A task started by hand is stuck if its person has called no command about this plan for longer than the limit. Tasks that take long or wait for a lock are not stuck. The exit code is always 0; "stuck" in --json lists what was found.',
    examples: ['signalbox detect-stuck', 'signalbox detect-stuck --limit 2h --mark', 'signalbox detect-stuck --json'],
    load: async () => (await import('../commands/by-hand.ts')).detectStuck,
  },
];
