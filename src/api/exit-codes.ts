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
        'A run: every required task is completed, or was skipped by a person, which the summary says. Optional tasks may have failed; that is a warning. Any other command: it did what it was asked.',
      ways: ['signalbox status --all'],
    },
  ],
  [
    1,
    {
      word: 'failed',
      about:
        'A required task failed for good after all its retries, and everything else that could be done is done. Nothing waits for the failed task; if something did, the run would be stuck instead.',
      ways: ['signalbox status', 'signalbox logs ID', 'signalbox retry ID'],
    },
  ],
  [
    2,
    {
      word: 'usage',
      about:
        'What was typed cannot be done: an unknown command or flag, a task or a file that does not exist, no plan named where several are known. Nothing was changed. The message says what is wrong, and what was probably meant.',
      ways: ['signalbox --help', 'signalbox plans'],
    },
  ],
  [
    3,
    {
      word: 'invalid',
      about:
        'The plan or signalbox.yaml has mistakes. Every one is listed with its line and with a code that can be explained; nothing was run. Warnings alone do not lead here.',
      ways: ['signalbox check PLAN', 'signalbox explain CODE'],
    },
  ],
  [
    4,
    {
      word: 'waiting',
      about:
        'Everything that could be done without a person is done; what is left waits for an answer: a review by a person, a rejection with high severity, a loop without progress, a preferred task that ended badly.',
      ways: ['signalbox decide', 'signalbox decide ID CHOICE', 'signalbox approve ID'],
    },
  ],
  [
    5,
    {
      word: 'stuck',
      about:
        'Required tasks are left, and none of them can ever start: what they need failed, was skipped or is suspended, or a limit of 0 keeps them out. Each blocked task is listed with its root causes, and what is to be decided with its command. Decide, or repair a cause, and run again: what is completed stays completed.',
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
        'Work is left that could go on, but a person paused the plan, or a limit of the run (attempts, budget, time, quota) is used up. What was running has ended by itself.',
      ways: ['signalbox resume', 'signalbox run PLAN'],
    },
  ],
  [
    7,
    {
      word: 'no agent',
      about:
        'A task has no program that could perform it: neither `run:` nor an agent, or an agent that is not installed, not configured, or not known to this version. Nothing was started.',
      ways: ['signalbox check PLAN', 'signalbox run PLAN --dry-run'],
    },
  ],
  [
    8,
    {
      word: 'already running',
      about:
        'This plan is being run by another process that is alive. A plan has one run at a time; looking at it and steering it work from anywhere. The run of a dead process is taken over without asking.',
      ways: ['signalbox status --watch', 'signalbox stop'],
    },
  ],
  [
    70,
    {
      word: 'bug or outage',
      about:
        'Signalbox itself could not go on: a bug, or trouble with the disk or the database, and the message says which. Nothing that was recorded is lost; run it again, and it goes on from there.',
      ways: ['signalbox status --verbose', 'signalbox run PLAN'],
    },
  ],
  [
    130,
    {
      word: 'interrupted',
      about:
        'Ctrl-C ended it. The first one lets running attempts end, the second stops them, the third kills them; if everything came to its end meanwhile, the exit code is the outcome instead. Commands that follow something end with it too.',
      ways: ['signalbox run PLAN'],
    },
  ],
  [
    143,
    {
      word: 'stopped',
      about:
        'The run was ended by `signalbox stop` or by the signal TERM, and its attempts with it. They do not count as failed: the next run gives these tasks another attempt.',
      ways: ['signalbox run PLAN'],
    },
  ],
]);
