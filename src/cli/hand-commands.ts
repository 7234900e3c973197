// Commands with which people, and agents that they look after themselves, drive a plan by hand.
import { planArgument, reason } from './command-parts.ts';
import type { CommandSpec, FlagSpec } from './command-spec.ts';

const oneTask = ['<ID>', 'the id of a task, or its beginning when no other begins so'] as const;
const force: FlagSpec = { flags: '--force', about: 'against the rules; it is recorded as a decision' };
const refusals =
  'Exit code 0: it is recorded; 2: refused, with the reason and the way out, and nothing is recorded: the task is not ready, not known, has ended already, or somebody else is at work on it.';

export const handCommands: readonly CommandSpec[] = [
  {
    name: 'mark-started',
    summary: 'begin a task by hand',
    args: [oneTask],
    plan: 'flag',
    flags: [force, reason],
    notes: `The task has to be ready, or to have failed with attempts left, and its plan not to be paused. It takes the locks that the plan declares for it, or names who has them; these cannot be forced. A run leaves it alone. ${refusals}`,
    examples: [
      'signalbox mark-started api',
      'signalbox mark-started api --force --reason "the schema is done, only not ticked"',
    ],
    load: async () => (await import('./commands/mark.ts')).markStarted,
  },
  {
    name: 'mark-complete',
    summary: 'hand a task in: its checks are run, and it is completed if they are green',
    args: [oneTask],
    plan: 'flag',
    flags: [
      { flags: '--notes <TEXT>', about: 'what there is to know about it; it is recorded' },
      { flags: '--no-checks', about: 'without its checks; it is recorded as a decision' },
      force,
      reason,
    ],
    notes: `The checks run one after the other in the workspace, each for at most 10 minutes. A task that asks for a review is reviewed then. Without mark-started it is both at once, and refused in a plan that is paused. ${refusals} 1: a check is not green, and nothing is recorded; 130: interrupted, and nothing is recorded.`,
    examples: [
      'signalbox mark-complete api --notes "the router is in src/api/router.ts"',
      'signalbox mark-complete api --no-checks --reason "no network here"',
    ],
    load: async () => (await import('./commands/mark.ts')).markComplete,
  },
  {
    name: 'mark-failed',
    summary: 'record that a task failed; it counts as an attempt',
    args: [oneTask],
    plan: 'flag',
    flags: [{ flags: '--error <TEXT>', about: 'what went wrong; it is recorded' }, force, reason],
    notes: `With attempts left it can be started again with mark-started; after the last one, what needs it is blocked and a decision is asked for. ${refusals}`,
    examples: ['signalbox mark-failed api --error "the schema has no users"'],
    load: async () => (await import('./commands/mark.ts')).markFailed,
  },
  {
    name: 'mark-skipped',
    summary: 'leave a task out',
    args: [oneTask],
    plan: 'flag',
    flags: [
      { flags: '--dependents', about: 'and everything that needs it' },
      { flags: '--treat-as-done', about: 'and let those who need it go on' },
      force,
      reason,
    ],
    notes: `Where others need it, one of the first two has to be said, and never both. ${refusals}`,
    examples: ['signalbox mark-skipped lint --treat-as-done --reason "done in the editor"'],
    load: async () => (await import('./commands/mark.ts')).markSkipped,
  },
  {
    name: 'write-findings',
    summary: 'keep what was found out while a task was done',
    args: [oneTask],
    plan: 'flag',
    flags: [
      { flags: '--file <FILE>', about: 'the text; the standard input by default' },
      { flags: '--append', about: 'behind what is there already, instead of in its place' },
    ],
    notes: 'It is kept in docs/plan-outputs/PLAN/findings/ID.md, which is replaced as a whole.',
    examples: [
      'signalbox write-findings api --file notes.md --append',
      'echo "The port is 8080." | signalbox write-findings api',
    ],
    load: async () => (await import('./commands/findings.ts')).writeFindings,
  },
  {
    name: 'read-findings',
    summary: 'print what was found out while a task was done',
    args: [oneTask],
    plan: 'flag',
    examples: ['signalbox read-findings api'],
    load: async () => (await import('./commands/findings.ts')).readFindings,
  },
  {
    name: 'start-run',
    summary: 'begin a run by hand, and print its name',
    args: [planArgument],
    plan: 'argument',
    notes: 'It starts nothing: what is completed and failed from now on is counted for it, until complete-run.',
    examples: ['signalbox start-run'],
    load: async () => (await import('./commands/hand-run.ts')).startRun,
  },
  {
    name: 'complete-run',
    summary: 'end a run by hand, and tell what was completed and failed in it',
    args: [['[RUN]', 'its name; the one that goes on by default']],
    plan: 'flag',
    examples: ['signalbox complete-run', 'signalbox complete-run hand-1762000000000'],
    load: async () => (await import('./commands/hand-run.ts')).completeRun,
  },
  {
    name: 'detect-stuck',
    summary: 'find work that nobody does any more',
    args: [planArgument],
    plan: 'argument',
    flags: [
      { flags: '--mark', about: 'fail it' },
      { flags: '--limit <DURATION>', about: 'how long somebody may be silent: 90s, 45m, 2h; 30m by default' },
    ],
    notes:
      'Stuck is an attempt whose process is gone and whose end no runner is left to record, one that has printed nothing for longer than the limit, one on a host that was not heard of lately, and a task that was started by hand by somebody who has called no command about this plan for longer than the limit. What merely takes long, or waits for a lock, is left alone. Exit code 0, whether something is stuck or not; "stuck" of --json lists it.',
    examples: ['signalbox detect-stuck', 'signalbox detect-stuck --limit 2h --mark', 'signalbox detect-stuck --json'],
    load: async () => (await import('./commands/detect-stuck.ts')).detectStuck,
  },
];
