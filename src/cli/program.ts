// The command line: reads what was typed, performs one command, returns the exit code. It never ends the process and never
// touches the outside but through `Io`.
import { Refusal } from '../api/refusal.ts';
import type { Signalbox } from '../api/signalbox.ts';
import type { Io } from './io.ts';
import { plainLine } from './json/plain-data.ts';
import type { TypedArguments } from './request.ts';
import type { CommandSpec } from './table/command-spec.ts';
import { performByCommander } from './table/commander-program.ts';
import { complete } from './table/complete.ts';
import { findCommand, findFamily } from './table/find-command.ts';
import { paintFor } from './terminal/paint.ts';
import { showError } from './text/show-error.ts';

export interface Cli {
  readonly io: Io;
  readonly version: string;
  /** On the workspace of the plan that is named, if one is. Called once, and only by a command that is about to be performed. */
  readonly open: (plan?: string) => Promise<Signalbox>;
  /** The commands that there are. */
  readonly table: readonly CommandSpec[];
}

/** `argv` without the program's own name. */
export async function runCli(argv: readonly string[], cli: Cli): Promise<number> {
  const { io } = cli;
  // Asked by the completion scripts, never by people: in no help, and without any mistake.
  if (argv[0] === '__complete') {
    io.out(await complete(argv.slice(argv[1] === '--' ? 2 : 1), cli.open, cli.table));
    return 0;
  }
  let named: string | undefined;
  try {
    return await performByCommander(argv, cli, (spec, typed) => {
      named = planOf(spec, typed);
      return performCommand(spec, typed, named, cli);
    });
  } catch (error) {
    const found = findCommand(argv, cli.table);
    const typed = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
    const help = found ? `see "signalbox ${found.spec.name} --help"` : listedBy(argv[0], cli);
    return showError(error, io, {
      json: typed.includes('--json'),
      verbose: typed.includes('--verbose'),
      help,
      plan: named,
      ...(found?.spec.args ? { takesWords: found.spec.name } : {}),
    });
  }
}

function listedBy(word: string | undefined, { table }: Cli): string {
  const family = findFamily(word, table);
  return `"signalbox ${family ? `${family.name} ` : ''}--help" lists the commands`;
}

async function performCommand(
  spec: CommandSpec,
  { args, flags }: TypedArguments,
  plan: string | undefined,
  { io, open }: Cli,
): Promise<number> {
  const request = { io, paint: paintFor(io.color), args, plan, flags };
  if (spec.loadAlone) return (await spec.loadAlone())(request);
  // What has no folder in its name tells nothing about where the workspace is.
  const first = spec.plan === 'maybe-first' ? args[0] : undefined;
  const named = plan ?? (first?.includes('/') ? first : undefined);
  const [act, box] = await Promise.all([spec.load(), open(named)]);
  if (box.isElsewhere && (named !== undefined || spec.name === 'run')) io.err(`workspace: ${plainLine(box.root)}\n`);
  return act({ ...request, box });
}

function planOf(spec: CommandSpec, { args, flags }: TypedArguments): string | undefined {
  const named = spec.plan === 'argument' ? args[0] : undefined;
  if (named !== undefined && flags.plan !== undefined && named !== flags.plan) {
    throw new Refusal(2, `two plans are named: ${named} and ${flags.plan}`, { instead: 'name one' });
  }
  return named ?? flags.plan;
}
