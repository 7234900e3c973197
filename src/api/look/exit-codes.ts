// What every exit code of the contract means, and what to do about it.

export interface ExitCode {
  readonly word: string;
  readonly about: string;
  /** Commands that help, ready for a shell. */
  readonly ways: readonly string[];
}

export const exitCodes: ReadonlyMap<number, ExitCode> = new Map<number, ExitCode>([
  [
    0,
    {
      word: 'complete',
      about:
        'For a run: every required task is completed, or a person skipped it; the summary says which. An optional task may have failed: that is only a warning. For any other command: it did what you asked.',
      ways: ['signalbox status --all'],
    },
  ],
  [
    1,
    {
      word: 'failed',
      about:
        'A required task failed for good, after all its retries, and everything else is done. Nothing waits for the failed task: otherwise the run would be stuck (exit code 5).',
      ways: ['signalbox status', 'signalbox logs ID', 'signalbox retry ID'],
    },
  ],
  [
    2,
    {
      word: 'usage',
      about:
        'Signalbox cannot do what you typed: the command or flag is unknown, the task or file does not exist, or several plans are known and you named none. Nothing was changed. The message says what is wrong and what you probably meant.',
      ways: ['signalbox --help', 'signalbox plans'],
    },
  ],
  [
    3,
    {
      word: 'invalid',
      about:
        'The plan or signalbox.yaml has mistakes. Each is listed with its line and a code that "explain" knows. Nothing was run. Warnings alone do not lead to this code.',
      ways: ['signalbox check PLAN', 'signalbox explain CODE'],
    },
  ],
  [
    4,
    {
      word: 'waiting',
      about:
        'Everything that needs no person is done. The rest waits for an answer: a review by a person, a rejection with high severity, a loop without progress, or a preferred task that ended badly. Or nothing was run: an agent wrote the plan, and nobody has approved it.',
      ways: ['signalbox decide', 'signalbox decide ID CHOICE', 'signalbox approve ID', 'signalbox approve PLAN'],
    },
  ],
  [
    5,
    {
      word: 'stuck',
      about:
        'Required tasks are left, and none of them can ever start: a task they need failed, was skipped or is suspended, or a limit is 0. Each blocked task is listed with its root causes, and each open decision with its command. Answer the decision or repair a cause, then run again: completed tasks stay completed.',
      ways: [
        'signalbox decide',
        'signalbox why ID',
        'signalbox retry ID',
        'signalbox skip ID --treat-as-done',
        'signalbox resume ID',
      ],
    },
  ],
  [
    6,
    {
      word: 'paused',
      about:
        'Work is left and could go on, but a person paused the plan, or a limit of the run (attempts, budget, time, quota) is used up. Attempts that were running have ended by themselves.',
      ways: ['signalbox resume', 'signalbox run PLAN'],
    },
  ],
  [
    7,
    {
      word: 'no agent',
      about:
        'A task has no program that can perform it: it has neither `run:` nor an agent, or its agent is not installed, not configured, or unknown to this version. Nothing was started.',
      ways: ['signalbox check PLAN', 'signalbox run PLAN --dry-run'],
    },
  ],
  [
    8,
    {
      word: 'already running',
      about:
        'Another process is running this plan. A plan has one run at a time; you can look at it and steer it from anywhere. If that process has died, the next run takes over without asking.',
      ways: ['signalbox status --watch', 'signalbox stop'],
    },
  ],
  [
    70,
    {
      word: 'bug or outage',
      about:
        'Signalbox itself could not go on; the message says whether it is a bug, or trouble with the disk or the database. Nothing recorded is lost: run it again, and it continues from there.',
      ways: ['signalbox status --verbose', 'signalbox run PLAN'],
    },
  ],
  [
    130,
    {
      word: 'interrupted',
      about:
        'Ctrl-C ended it. The first Ctrl-C lets running attempts end, the second stops them, the third kills them. If everything ended in the meantime, the exit code is the outcome instead. Commands that follow something also end with this code.',
      ways: ['signalbox run PLAN'],
    },
  ],
  [
    143,
    {
      word: 'aborted',
      about:
        'The run was aborted by `signalbox stop` or by the signal TERM, and its attempts were stopped. They do not count as failed: the next run tries these tasks again.',
      ways: ['signalbox run PLAN'],
    },
  ],
]);
