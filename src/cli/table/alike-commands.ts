// Commands that are taken for each other. The help of each says which one is for what, in the same words.
import type { CommandSpec } from './command-spec.ts';

interface AlikeCommands {
  readonly question: string;
  readonly uses: Readonly<Record<string, string>>;
}

export const alikeCommands: readonly AlikeCommands[] = [
  {
    question: 'Which check is for what?',
    uses: {
      check: 'reads a plan file and names its mistakes',
      verify: 'runs the checks of completed tasks again',
      'sync-check': 'compares the plan file with the plan as it was loaded',
      validate: 'compares the recorded state with itself, and repairs it',
      doctor: 'looks at everything around a plan: Node, git, agents, disk',
    },
  },
  {
    question: 'Which skip is for what?',
    uses: {
      skip: 'leaves out tasks and groups, several at once, and stops their running attempts',
      'mark-skipped': 'is for work by hand: one task, and not while somebody works on it, unless --force is added',
    },
  },
  {
    question: 'Which stop is for what?',
    uses: {
      pause: 'lets running tasks end and starts no others; resume goes on',
      stop: 'ends the run and its attempts; run goes on',
      suspend: 'holds back single tasks; resume with their ids lets them go on',
    },
  },
];

/** What has to be known about the command, in paragraphs. */
export function notesOf({ name, notes }: CommandSpec): string[] {
  const alike = alikeCommands.find(({ uses }) => name in uses);
  return [...(notes === undefined ? [] : [notes]), ...(alike === undefined ? [] : [alikeWords(alike)])];
}

const alikeWords = ({ question, uses }: AlikeCommands): string =>
  `${question} ${Object.entries(uses)
    .map(([name, use]) => `${name} ${use}`)
    .join('; ')}.`;
