// The groups in which `--help` and docs/commands.md list the commands. Inside a group the order of the table holds.
import type { CommandSpec } from './command-spec.ts';
import { type CommandFamily, firstWords } from './find-command.ts';

export const commandGroups = {
  everyday: 'Everyday',
  look: 'See more',
  steer: 'Steer a run',
  plans: 'Plan files',
  results: 'Results',
  hand: 'Work by hand, and locks',
  care: 'Set up and repair',
  seldom: 'Seldom needed',
} as const;

export type CommandGroup = keyof typeof commandGroups;

/** Everyday commands stand in the order in which a day needs them. */
export const everydayOrder: readonly string[] = [
  ...['init', 'plan', 'check', 'run', 'status'],
  ...['why', 'logs', 'decide', 'retry', 'land'],
];

export interface ListedGroup {
  readonly title: string;
  readonly commands: readonly (CommandSpec | CommandFamily)[];
}

export function inGroups(table: readonly CommandSpec[]): ListedGroup[] {
  const words = firstWords(table);
  return Object.entries(commandGroups)
    .map(([group, title]) => {
      const commands = words.filter((word) => groupOf(word) === group);
      return { title, commands: group === 'everyday' ? commands.toSorted(byDay) : commands };
    })
    .filter(({ commands }) => commands.length > 0);
}

const groupOf = (word: CommandSpec | CommandFamily): CommandGroup =>
  'members' in word ? word.members[0]!.group : word.group;

const byDay = (a: { readonly name: string }, b: { readonly name: string }) =>
  everydayOrder.indexOf(a.name) - everydayOrder.indexOf(b.name);
