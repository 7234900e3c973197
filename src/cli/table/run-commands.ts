// The commands that run a plan, follow a run, and start a plan over.
import { planArgument } from './command-parts.ts';
import type { CommandSpec } from './command-spec.ts';
import { amountOf, wholeNumber } from './whole-number.ts';

/** Ids have no commas. */
const idList = (text: string, before: unknown): readonly string[] => [
  ...(Array.isArray(before) ? before : []),
  ...text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== ''),
];

export const runCommands: readonly CommandSpec[] = [
  {
    name: 'run',
    group: 'everyday',
    summary: 'run a plan to its end and report the outcome',
    args: [planArgument],
    plan: 'argument',
    quiet: 'own',
    flags: [
      { flags: '--dry-run', about: 'show what would run; start and record nothing' },
      {
        flags: '--max-parallel <N>',
        about: 'how many tasks may run at once; 0 lets none start',
        parse: (text) => wholeNumber(text, '--max-parallel', 0),
      },
      {
        flags: '--budget-usd <AMOUNT>',
        about: 'what the coding agents of this run may cost; overrides the plan and the settings',
        parse: (text) => amountOf(text, '--budget-usd'),
      },
      { flags: '--only <IDS>', about: 'these tasks and groups, separated by commas; may be repeated', parse: idList },
      { flags: '--from <ID>', about: 'this task and everything that waits for it' },
      {
        flags: '--isolation <HOW>',
        about:
          'worktree: each attempt works in a git worktree of its own and is merged; shared: all work in the workspace; overrides the plan',
        choices: ['worktree', 'shared'],
      },
      {
        flags: '--include-changes',
        about:
          'with worktrees: let agents see what you have not committed; it becomes a commit on the branch with the results, not on yours',
      },
      {
        flags: '--on-failure <HOW>',
        about: 'ask, retry, skip, escalate or abort: what to do about final failures, whatever the plan says',
        choices: ['ask', 'retry', 'skip', 'escalate', 'abort'],
      },
      {
        flags: '--decide-within <TIME>',
        about: 'how long to wait for answers when nothing else can run; by default it does not wait',
      },
      {
        flags: '--retry <IDS>',
        about: 'first give these failed or skipped tasks one more attempt, separated by commas; may be repeated',
        parse: idList,
      },
      {
        flags: '--take-over',
        about: 'continue the run of another process in this one, without stopping its agents; that process then ends',
      },
      {
        flags: '--refresh-after <N>',
        about: 'let a fresh process take over after this many completed tasks',
        parse: (text) => wholeNumber(text, '--refresh-after', 1),
      },
      {
        flags: '--approve',
        about: 'approve the plan as it is now, if an agent wrote it; otherwise run asks, or exits with 4',
      },
      { flags: '--detach', about: 'let it go on in a process of its own, without this terminal; attach follows it' },
      { flags: '--fresh', about: 'start the plan over first, as signalbox reset does' },
      {
        flags: '--yes',
        about: 'ask nothing, neither before the run nor at its end; open decisions stay open',
      },
      { flags: '--tick', about: 'at the end, tick the boxes of completed and skipped tasks in the plan file' },
      { flags: '--no-reload', about: 'leave edits of the plan file to signalbox reload; they are only reported' },
      { flags: '--no-deadlock-detection', about: 'in this run, leave agents alone that wait for each other' },
    ],
    examples: [
      'signalbox run plan.md',
      'signalbox run plan.md --max-parallel 5 --json',
      'signalbox run plan.md --only api,docs',
      'signalbox run plan.md --on-failure skip --json',
      'signalbox run plan.md --retry api',
    ],
    load: async () => (await import('../commands/run.ts')).run,
  },
  {
    name: 'attach',
    group: 'steer',
    summary: 'follow a run that another process performs',
    args: [planArgument],
    plan: 'argument',
    quiet: 'own',
    notes:
      'It begins with where the run stands and ends with its summary and its exit code. Ctrl-C only leaves the run, which goes on. Where no run is going on, it tells how the last one ended, with that exit code; 2 if there was none. If the process of the run died, it says so, and the exit code is 143. With --json it prints what run --json prints from now on.',
    examples: [
      'signalbox attach',
      'signalbox run plan.md --detach && signalbox attach plan.md',
      'signalbox attach --json',
    ],
    load: async () => (await import('../run/attach.ts')).attach,
  },
  {
    name: 'reset',
    group: 'steer',
    summary: 'start a plan over; what was recorded is kept aside',
    args: [planArgument],
    plan: 'argument',
    quiet: 'held',
    flags: [{ flags: '--yes', about: 'do not ask; otherwise it is shown first, and done when you confirm it' }],
    notes:
      'Nothing is deleted. The log keeps every event, and logs, saved and diff still show earlier attempts: their numbers are not used again. status.json, findings and times move to earlier/<n> beside them. With worktrees, results that your branch does not have are kept on the branch signalbox/<plan>.<n>, and the next run begins where your branch stands. Boxes that are ticked in the plan count as always. Refused with exit code 8 while the plan is being run or somebody is at work on it. Where nobody can be asked, nothing is done without --yes, and the exit code is 4.',
    examples: ['signalbox reset plan.md', 'signalbox reset --yes', 'signalbox run plan.md --fresh'],
    load: async () => (await import('../run/reset.ts')).reset,
  },
];
