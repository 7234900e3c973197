// The command line: reads what was typed, performs one command, returns the exit code. It never ends the process and never
// touches the outside but through `Io`.
import { Command, CommanderError } from 'commander';
import { Refusal } from '../api/refusal.ts';
import type { Signalbox } from '../api/signalbox.ts';
import { type CommandSpec, commandTable } from './command-table.ts';
import type { Io } from './io.ts';
import { paintFor } from './paint.ts';
import type { Flags } from './request.ts';

export interface Cli {
  readonly io: Io;
  readonly version: string;
  /** Called once, and only by a command that is about to be performed. */
  readonly open: () => Promise<Signalbox>;
}

/** `argv` without the program's own name. */
export async function runCli(argv: readonly string[], cli: Cli): Promise<number> {
  const { io } = cli;
  // Asked by the completion scripts, never by people: in no help, and without any mistake.
  if (argv[0] === '__complete') {
    io.out(await (await import('./complete.ts')).complete(argv.slice(argv[1] === '--' ? 2 : 1), cli.open));
    return 0;
  }
  try {
    return await perform(argv, cli);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const { showError } = await import('./show-error.ts');
    const typed = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
    const command = commandTable.find(({ name }) => name === argv[0])?.name;
    const help = command === undefined ? '"signalbox --help" lists the commands' : `see "signalbox ${command} --help"`;
    return showError(error, io, { json: typed.includes('--json'), verbose: typed.includes('--verbose'), help });
  }
}

async function perform(argv: readonly string[], cli: Cli): Promise<number> {
  let exitCode = 0;
  // A known command does not wait for the other fifteen to be described.
  const named = commandTable.filter(({ name }) => name === argv[0]);
  const program = buildProgram(cli, named.length > 0 ? named : commandTable, (code) => {
    exitCode = code;
  });
  if (argv.every((word) => word === '--json' || word === '--verbose')) {
    if (argv.includes('--json')) throw new Refusal(2, 'no command was named');
    cli.io.err(program.helpInformation());
    return 2;
  }
  await program.parseAsync(argv, { from: 'user' });
  return exitCode;
}

function buildProgram(cli: Cli, commands: readonly CommandSpec[], done: (exitCode: number) => void): Command {
  const { io } = cli;
  const columns = () => (Number.isFinite(io.columns()) ? io.columns() : 100);
  const program = new Command('signalbox')
    .description('Runs a plan with a fleet of agents, and never gets stuck without knowing why.')
    .version(cli.version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(text),
      // What commander would say itself is told by showError, in one way for all mistakes.
      writeErr: ignore,
      getOutHelpWidth: columns,
      getErrHelpWidth: columns,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText('after', example(['signalbox run plan.md', 'signalbox status', 'signalbox why api']));
  for (const spec of commands) addCommand(program, spec, cli, done);
  return program;
}

function addCommand(program: Command, spec: CommandSpec, cli: Cli, done: (exitCode: number) => void): void {
  const command = program
    .command(spec.name)
    .description(`${capital(spec.summary)}.`)
    .summary(spec.summary);
  for (const [name, about] of spec.args ?? []) command.argument(name, about);
  for (const { flags, about, parse } of spec.flags ?? []) {
    if (parse === undefined) command.option(flags, about);
    else command.option(flags, about, parse);
  }
  if (spec.plan === 'argument' || spec.plan === 'flag') {
    command.option('--plan <PLAN>', 'the plan file; the current one by default');
  }
  command
    .option('--json', 'for programs: one object, or one per line')
    .option('--verbose', 'say more')
    .addHelpText('after', () => notes(spec.notes, cli.io.columns()) + example(spec.examples))
    .action(async () => done(await performCommand(command, spec, cli)));
}

async function performCommand(command: Command, spec: CommandSpec, { io, open }: Cli): Promise<number> {
  const flags = command.opts<Flags>();
  const args = command.processedArgs.flat().filter((arg): arg is string => typeof arg === 'string');
  const plan = planOf(spec, args, flags);
  const request = { io, paint: paintFor(io.color), args, plan, flags };
  if (spec.loadAlone) return (await spec.loadAlone())(request);
  const [act, box] = await Promise.all([spec.load(), open()]);
  return act({ ...request, box });
}

function planOf(spec: CommandSpec, args: readonly string[], flags: Flags): string | undefined {
  const named = spec.plan === 'argument' || spec.plan === 'required' ? args[0] : undefined;
  if (named !== undefined && flags.plan !== undefined && named !== flags.plan) {
    throw new Refusal(2, `two plans are named: ${named} and ${flags.plan}`, { instead: 'name one' });
  }
  return named ?? flags.plan;
}

/** Paragraphs, folded to the terminal. */
function notes(text: string | undefined, columns: number): string {
  if (text === undefined) return '';
  const room = Math.min(Number.isFinite(columns) ? columns : 100, 100);
  let line = '';
  let folded = '\n';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > room) {
      folded += `${line}\n`;
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return `${folded}${line}\n`;
}

const example = (lines: readonly string[]) =>
  `\nExample${lines.length > 1 ? 's' : ''}:\n${lines.map((line) => `  $ ${line}\n`).join('')}`;
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const ignore = () => undefined;
