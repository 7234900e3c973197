// The commands about decisions and reviews by people.
import { reason } from './command-parts.ts';
import type { CommandSpec } from './command-spec.ts';

/** A flag that may be repeated. */
const oneMore = (text: string, before: unknown): readonly string[] => [...((before as readonly string[]) ?? []), text];

export const decisionCommands: readonly CommandSpec[] = [
  {
    name: 'decide',
    group: 'everyday',
    summary: 'list the open decisions, show one in full, or answer it',
    args: [
      ['[DECISION]', 'the id of a decision, or of its task; without it, open decisions are listed'],
      ['[CHOICE]', 'one of its options; without it, the question is shown, or answered with --note'],
    ],
    plan: 'flag',
    quiet: 'held',
    flags: [
      reason,
      {
        flags: '--note <TEXT>',
        about: 'what to tell the next attempt; means retry-with-note unless another choice is named',
      },
      { flags: '--agent <NAME>', about: 'with other-agent: an agent of signalbox.yaml' },
      {
        flags: '--drop-need <TASK:NEED>',
        about: 'with restructure: this task no longer needs that one; may be repeated',
        parse: oneMore,
      },
      {
        flags: '--merge <A,B>',
        about: 'with restructure: the second task becomes a part of the first; may be repeated',
        parse: oneMore,
      },
      {
        flags: '--move <TASK:PHASE>',
        about: 'with restructure: this task comes later, in that phase; may be repeated',
        parse: oneMore,
      },
      { flags: '--reload', about: 'with restructure: take the plan file as it is now' },
      { flags: '--dry-run', about: 'with restructure: only tell what would change' },
      { flags: '--write', about: 'with restructure: change the plan file too; otherwise it stays as it is' },
      { flags: '--confirm', about: 'with restructure: also if a task that has ended is dropped' },
      { flags: '--history', about: 'everything that was ever decided, by whom, when and why' },
      { flags: '--absolute', about: 'with --history: show times with date and zone' },
    ],
    notes:
      'The first answer wins. A second answer changes nothing and gets exit code 2; the message says who answered what, and when. Ids of decisions are unique in a workspace, so the plan need not be named. To undo a skip: signalbox retry.',
    examples: [
      'signalbox decide',
      'signalbox decide d1',
      'signalbox decide d1 --note "use the test database"',
      'signalbox decide api skip-all --reason "not this year"',
      'signalbox decide d1 restructure --drop-need docs:api --dry-run',
      'signalbox decide d1 restructure --drop-need docs:api --drop-need web:api --write',
      'signalbox decide --history --json',
    ],
    load: async () => (await import('../commands/decide.ts')).decide,
  },
  {
    name: 'approve',
    group: 'steer',
    summary: 'accept work that waits for a review, or a plan by an agent',
    args: [['<ID>', 'the id of a task, or of an attempt such as api#2 to be sure which one is meant; or a plan file']],
    plan: 'maybe-first',
    quiet: 'held',
    flags: [reason],
    notes:
      'An approval changes nothing and gets exit code 2 if the attempt is over, if the task does not wait for a review by a person, or if the attempt approves itself. A plan that an agent wrote (signalbox plan) runs only after a person approved it: its run: and check: lines are shell commands that a model wrote. The approval holds for the text as it is now, in this workspace; what you edit afterwards is yours. If a task that waits for a review is called like a file, the task is meant.',
    examples: [
      'signalbox approve api',
      'signalbox approve api#2 --reason "looked at the diff"',
      'signalbox approve plan.md',
    ],
    load: async () => (await import('../commands/decide.ts')).approve,
  },
  {
    name: 'reject',
    group: 'steer',
    summary: 'send the work of an attempt back, and say what is wrong',
    args: [['<ID>', 'the id of a task, or of an attempt such as api#2 to be sure which one is meant']],
    plan: 'flag',
    quiet: 'held',
    flags: [
      { flags: '--reason <TEXT>', about: 'what is wrong; the next attempt reads it' },
      {
        flags: '--severity <HOW>',
        about: 'low or medium: it runs again (medium is the default); high: a person decides',
        choices: ['low', 'medium', 'high'],
      },
    ],
    examples: [
      'signalbox reject api --reason "the tests do not cover errors"',
      'signalbox reject api#2 --reason "this is not what was asked for" --severity high',
    ],
    load: async () => (await import('../commands/decide.ts')).reject,
  },
];
