// Reads the command line by commander, which the command table describes to it: commands, help, the version, and every mistake with
// the nearest word.
import { Command, CommanderError, Help } from 'commander';
import { Refusal } from '../../api/refusal.ts';
import { jsonLine } from '../json/json-line.ts';
import type { Cli } from '../program.ts';
import type { Flags, TypedArguments } from '../request.ts';
import { paintFor } from '../terminal/paint.ts';
import { wrapWords } from '../terminal/whole-words.ts';
import { notesOf } from './alike-commands.ts';
import { flagsOf } from './command-flags.ts';
import { commandList, everydayList, programSummary } from './command-list.ts';
import type { CommandSpec } from './command-spec.ts';
import {
  type CommandFamily,
  type FoundCommand,
  findCommand,
  findFamily,
  firstWords,
  lastWord,
} from './find-command.ts';

/** Longer lines are hard to read; a file has no width. */
const widestHelp = 100;

type PerformCommand = (spec: CommandSpec, typed: TypedArguments) => Promise<number>;

export async function performByCommander(
  argv: readonly string[],
  cli: Cli,
  performCommand: PerformCommand,
): Promise<number> {
  const { table } = cli;
  if (argv[0] === 'help') return performByCommander(await helpArguments(argv.slice(1), cli), cli, performCommand);
  if (['version', '--version', '-V'].includes(argv[0]!) && argv.slice(1).every(isManner)) {
    cli.io.out(argv.includes('--json') ? jsonLine({ version: cli.version }) : `${cli.version}\n`);
    return 0;
  }
  let exitCode = 0;
  const typed = findCommand(argv, table);
  const family = findFamily(argv[0], table);
  const found = typed && isMistyped(typed, family) ? null : typed;
  // A known command does not wait for the others to be described.
  const named = found ? withMembers(found.spec, family) : (family?.members ?? table);
  const program = buildProgram(cli, named, async (spec, typed) => {
    exitCode = await performCommand(spec, typed);
  });
  if (argv.every(isManner)) {
    if (argv.includes('--json')) throw new Refusal(2, 'no command was named');
    cli.io.out(`${everydayList(table, paintFor(cli.io.color))}\n`);
    return 0;
  }
  if (family && !found && argv.slice(1).every(isManner)) {
    if (argv.includes('--json')) throw unfinished(family);
    return performByCommander([family.name, '--help'], cli, performCommand);
  }
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    // Help and the version are not mistakes.
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    throw error;
  }
  return exitCode;
}

/** A word behind a command that takes none can only be one of its family, mistyped. */
const isMistyped = ({ spec, rest }: FoundCommand, family: CommandFamily | null): boolean =>
  spec.name === family?.name && spec.args === undefined && /^[^-]/.test(rest[0] ?? '');

/** What can follow a command is part of its help. */
const withMembers = (spec: CommandSpec, family: CommandFamily | null): readonly CommandSpec[] =>
  spec.name === family?.name ? [spec, ...family.members] : [spec];

const isManner = (word: string): boolean => ['--json', '--verbose', '-v'].includes(word);

/** `help lock try` is `lock try --help`, and `help unknown-id` is `explain unknown-id`. */
async function helpArguments(words: readonly string[], { table }: Cli): Promise<string[]> {
  const named = words.filter((word) => !isManner(word) && word !== '--help' && word !== '-h');
  const known = findCommand(named, table)?.spec.name.split(' ');
  if (known) return [...known, '--help'];
  const [word] = named;
  if (word === undefined || ['help', 'version'].includes(word)) return ['--help'];
  const family = findFamily(word, table);
  if (family && named.length === 1) return [word, '--help'];
  // Refused like any other mistake.
  if (family) return named.slice(0, 2);
  const { explainableCodes, isExplainable, nearestWord } = await import('../../api/look/explain-code.ts');
  if (isExplainable(word)) return ['explain', word, ...words.filter(isManner)];
  const near = nearestWord(word, [...firstWords(table).map(({ name }) => name), ...explainableCodes()]);
  throw new Refusal(2, `there is no help about "${word}"`, {
    instead: near === undefined ? '"signalbox --help" lists the commands' : `did you mean ${near}?`,
  });
}

function unfinished({ name, members }: CommandFamily): Refusal {
  const words = members.map((member) => lastWord(member.name));
  return new Refusal(2, `${name} is not a command by itself: add ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`, {
    instead: `see what they do: signalbox ${name} --help`,
  });
}

type Chosen = (spec: CommandSpec, typed: TypedArguments) => Promise<void>;

function buildProgram(cli: Cli, commands: readonly CommandSpec[], chosen: Chosen): Command {
  const { io } = cli;
  const paint = paintFor(io.color);
  const columns = () => (Number.isFinite(io.columns()) ? io.columns() : widestHelp);
  const program = new Command('signalbox')
    .description(programSummary)
    .version(cli.version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(text),
      // What commander would say itself is told by showError, in one way for all mistakes.
      writeErr: ignore,
      getOutHelpWidth: columns,
      getErrHelpWidth: columns,
      getOutHasColors: () => io.color,
      getErrHasColors: () => false,
    })
    .helpOption('-h, --help', 'how it is called, with examples')
    .helpCommand('help [COMMAND]', 'how one of these is called')
    .configureHelp({
      minWidthToWrap: 20,
      subcommandTerm: (command) => command.name(),
      // Decisions have options; what begins with a dash is called a flag everywhere.
      commandUsage: (command) => {
        const isCommand = commands.some(({ name }) => name === command.name());
        const usage = new Help().commandUsage(command).replace('[options]', '[FLAGS]');
        return usage.replace('[command]', isCommand ? '[COMMAND]' : 'COMMAND');
      },
      styleTitle: (text) => paint.bold(text === 'Options:' ? 'Flags:' : text),
      styleOptionText: (text) => paint.cyan(text),
      styleArgumentText: (text) => paint.cyan(text),
      styleSubcommandText: (text) => paint.cyan(text),
    });
  program.helpInformation = () => commandList(cli.table, paint);
  for (const first of firstWords(commands)) {
    if ('members' in first) addFamily(program, first, cli, chosen);
    else {
      const command = addCommand(program, first, cli, chosen);
      for (const member of findFamily(first.name, commands)?.members ?? []) addCommand(command, member, cli, chosen);
    }
  }
  return program;
}

function addFamily(program: Command, { name, summary, members }: CommandFamily, cli: Cli, chosen: Chosen): void {
  const command = program
    .command(name)
    .description(`${capital(summary)}.`)
    .summary(summary)
    .addHelpText(
      'after',
      example(
        members.map(({ examples }) => examples[0]!),
        cli,
      ),
    );
  for (const spec of members) addCommand(command, spec, cli, chosen);
}

function addCommand(parent: Command, spec: CommandSpec, cli: Cli, chosen: Chosen): Command {
  const command = parent
    .command(lastWord(spec.name))
    .description(`${capital(spec.summary)}.`)
    .summary(spec.summary);
  for (const [name, about] of spec.args ?? []) command.argument(name, about);
  for (const { flags, about, parse } of flagsOf(spec)) {
    if (parse === undefined) command.option(flags, about);
    else command.option(flags, about, parse);
  }
  command
    .addHelpText(
      'after',
      () =>
        notesOf(spec)
          .map((text) => paragraph(text, cli.io.columns()))
          .join('') + example(spec.examples, cli),
    )
    .action(() => {
      const args = command.processedArgs.flat().filter((arg): arg is string => typeof arg === 'string');
      return chosen(spec, { args, flags: givenFlags(command) });
    });
  return command;
}

/** What `--no-…` would switch off is on by default, and then nobody said it. */
function givenFlags(command: Command): Flags {
  const given = Object.entries(command.opts()).filter(([key]) => command.getOptionValueSource(key) !== 'default');
  return Object.fromEntries(given);
}

const paragraph = (text: string, columns: number): string =>
  `\n${wrapWords(text, Math.min(columns, widestHelp), '').join('\n')}\n`;

const example = (lines: readonly string[], { io }: Cli) =>
  `\n${paintFor(io.color).bold(`Example${lines.length > 1 ? 's' : ''}:`)}\n${lines.map((line) => `  $ ${line}\n`).join('')}`;
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const ignore = () => undefined;
