// Which command was typed. A command may have two words, such as `lock try`; the first of them alone is the name of a family.
import type { CommandSpec } from './command-spec.ts';

/**
 * What `signalbox NAME --help` says about commands of two words that begin with the same one, such as `lock try` and `lock wait`: the
 * first word, and what the commands behind it are for.
 */
export const familySummaries: Readonly<Record<string, string>> = {
  lock: 'take, wait for, release and list locks on files and names',
};

export interface FoundCommand {
  readonly spec: CommandSpec;
  /** What was typed behind its name. */
  readonly rest: readonly string[];
}

/** The longest name that the words begin with. */
export function findCommand(words: readonly string[], table: readonly CommandSpec[]): FoundCommand | null {
  let found: FoundCommand | null = null;
  for (const spec of table) {
    const name = spec.name.split(' ');
    if (found && found.spec.name.split(' ').length >= name.length) continue;
    if (name.every((word, i) => word === words[i])) found = { spec, rest: words.slice(name.length) };
  }
  return found;
}

export interface CommandFamily {
  readonly name: string;
  readonly summary: string;
  readonly members: readonly CommandSpec[];
}

/** Null: no command of two words begins with this one. */
export function findFamily(word: string | undefined, table: readonly CommandSpec[]): CommandFamily | null {
  if (word === undefined) return null;
  const members = table.filter(({ name }) => name.startsWith(`${word} `));
  return members.length === 0 ? null : { name: word, summary: summaryOf(word, members), members };
}

/** What can be typed as the first word: commands, and every family once, in the order of the table. */
export function firstWords(table: readonly CommandSpec[]): (CommandSpec | CommandFamily)[] {
  const seen = new Set<string>();
  return table.flatMap((spec) => {
    const [word] = spec.name.split(' ');
    if (seen.has(word!)) return [];
    seen.add(word!);
    return [spec.name === word ? spec : findFamily(word, table)!];
  });
}

export const lastWord = (name: string): string => name.slice(name.lastIndexOf(' ') + 1);

const summaryOf = (word: string, members: readonly CommandSpec[]) =>
  familySummaries[word] ?? members.map(({ name }) => lastWord(name)).join(', ');
