// The tools, each a command of the command table, with all that is particular about it. What is not named in `takes` cannot be given over MCP: no tool goes against a rule
// (`--force`, `--no-checks`), and none answers a decision unless the person has allowed it where they registered the server.
type Report = Readonly<Record<string, unknown>>;

export interface ToolRow {
  readonly name: string;
  /** As the command table calls it. */
  readonly command: string;
  /** Who sees it. Workers are agents inside of an attempt; deciders are guests that a person lets answer decisions. */
  readonly for: readonly ('worker' | 'guest' | 'decider')[];
  /** The flags of the command that can be given. */
  readonly takes?: readonly string[];
  /** The flags that are always given, and those of guests. */
  readonly always?: readonly string[];
  readonly ofGuests?: readonly string[];
  /** The command reads this from its standard input: the name and what it is. */
  readonly reads?: readonly [name: string, about: string];
  /** What the command does without any words is all that it does. */
  readonly isWordless?: true;
  /** Inside of an attempt it is about the attempt's own task, unless another is named. */
  readonly ownTask?: true;
  /** What it is, where it is only a part of its command; absent: what the command says about itself. */
  readonly is?: string;
  /** What holds only here: the end of the description. */
  readonly about?: string;
  /** What to do next; null: the report says it all. */
  readonly advice?: (report: Report) => string | null;
  /** The part of a long report that is given out. */
  readonly cut?: (report: Report, given: Report) => Report;
  /** A wait for something that only the caller can use: given up when the caller is gone. */
  readonly isWait?: true;
  readonly effect: 'looks' | 'adds' | 'changes';
  /** A second call like the first changes nothing more. */
  readonly isIdempotent?: true;
}

const everybody = ['worker', 'guest', 'decider'] as const;
const outside = ['guest', 'decider'] as const;

/** Below the 60 seconds after which most clients give up. */
export const longestWaitS = 45;

const repeats =
  'Give request a key of your own, such as a UUID: repeating the call with the same key, for instance after a timeout, does nothing twice.';

export const toolTable: readonly ToolRow[] = [
  {
    name: 'lock_acquire',
    command: 'lock wait',
    for: everybody,
    takes: ['--shared', '--timeout'],
    ofGuests: ['--yield'],
    about: `It waits at most ${longestWaitS} seconds. If answer is "timeout", you have no lock: call it again, or do something else first. Cancelling the call gives up the wait.`,
    advice: ({ answer }) =>
      answer === 'timeout' ? 'You have no lock. Call lock_acquire again, or do something else first.' : null,
    isWait: true,
    effect: 'adds',
    isIdempotent: true,
  },
  { name: 'lock_release', command: 'lock release', for: everybody, effect: 'changes', isIdempotent: true },
  { name: 'lock_status', command: 'lock list', for: everybody, effect: 'looks' },
  {
    name: 'task_info',
    command: 'prompt',
    for: everybody,
    ownTask: true,
    is: 'Everything that an agent is told about a task: what to do, how it is judged, which files it may write, what it builds on, and what went wrong before.',
    effect: 'looks',
  },
  {
    name: 'write_findings',
    command: 'write-findings',
    for: everybody,
    ownTask: true,
    takes: ['--append'],
    reads: ['text', 'what others should know about the task, in Markdown'],
    effect: 'changes',
    isIdempotent: true,
  },
  { name: 'read_findings', command: 'read-findings', for: everybody, ownTask: true, effect: 'looks' },
  {
    name: 'report_blocked',
    command: 'suspend',
    for: everybody,
    ownTask: true,
    takes: ['--question'],
    is: 'Suspend the task with a question for a person, when only a person can say how to go on. It stops the attempt of the task, and the next one reads the answer.',
    effect: 'changes',
  },
  {
    name: 'plan_status',
    command: 'status',
    for: everybody,
    takes: ['--all'],
    about:
      'Of a plan with more than 50 tasks, tasks that are completed or merely wait are left out unless all is true.',
    cut: (report, { all }) => (all === true ? report : withoutQuiet(report)),
    effect: 'looks',
  },
  { name: 'next_tasks', command: 'next', for: outside, effect: 'looks' },
  { name: 'why', command: 'why', for: everybody, ownTask: true, effect: 'looks' },
  {
    name: 'start_task',
    command: 'mark-started',
    for: outside,
    takes: ['--request'],
    about: repeats,
    effect: 'changes',
  },
  {
    name: 'complete_task',
    command: 'mark-complete',
    for: outside,
    takes: ['--notes', '--request'],
    about: repeats,
    advice: ({ ok }) =>
      ok === false ? 'Its checks are not green, and nothing was recorded. Mend it, and call again.' : null,
    effect: 'changes',
  },
  {
    name: 'fail_task',
    command: 'mark-failed',
    for: outside,
    takes: ['--error', '--request'],
    about: repeats,
    effect: 'changes',
  },
  {
    name: 'list_decisions',
    command: 'decide',
    for: outside,
    isWordless: true,
    is: 'List the open decisions: questions that keep tasks from going on, with their options. A person answers them.',
    effect: 'looks',
  },
  {
    name: 'run_plan',
    command: 'run',
    for: outside,
    takes: ['--only', '--from', '--max-parallel', '--budget-usd', '--isolation'],
    always: ['--detach', '--yes'],
    about:
      'The run goes on in a process of its own: ask run_status about it. A second run of the same plan is refused.',
    effect: 'changes',
  },
  {
    name: 'run_status',
    command: 'progress',
    for: outside,
    is: 'How far a plan is, whether a run of it goes on, and how the last one ended.',
    effect: 'looks',
  },
  {
    name: 'answer_decision',
    command: 'decide',
    for: ['decider'],
    takes: ['--note', '--reason', '--agent'],
    is: 'Answer an open decision with one of its options; the person has allowed it. The first answer wins, and nobody answers about work of their own.',
    effect: 'changes',
  },
];

const mostListed = 50;

/** Of a large plan, what somebody can do something about. */
function withoutQuiet(report: Report): Report {
  const tasks = report.tasks as readonly { readonly status: string }[] | undefined;
  if (tasks === undefined || tasks.length <= mostListed) return report;
  const listed = tasks.filter(({ status }) => status !== 'completed' && status !== 'pending').slice(0, mostListed);
  const advice = `${tasks.length - listed.length} of ${tasks.length} tasks are not listed: see summary, ask next_tasks, or give all.`;
  return { ...report, tasks: listed, advice };
}
