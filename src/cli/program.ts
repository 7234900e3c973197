// The command line: reads what was typed, performs one command, returns the exit code. It never ends the process and never
// touches the outside but through `Io`.
import { Refusal } from '../api/refusal.ts';
import type { Signalbox } from '../api/signalbox.ts';
import { isPlanName } from '../core/model/plan-name.ts';
import type { Io } from './io.ts';
import { safeLine } from './json/plain-data.ts';
import type { AloneRequest, TypedArguments } from './request.ts';
import type { CommandSpec } from './table/command-spec.ts';
import { performByCommander } from './table/commander-program.ts';
import { findCommand, findFamily } from './table/find-command.ts';
import { holdBack } from './terminal/held-io.ts';
import { paintFor } from './terminal/paint.ts';
import { showError } from './text/show-error.ts';

export interface Cli {
  readonly io: Io;
  readonly version: string;
  /** On the workspace of the plan that is named, if one is. Called once, and only by a command that is about to be performed. */
  readonly open: (plan?: string, options?: { readonly planMustExist: boolean }) => Promise<Signalbox>;
  readonly serve: AloneRequest['serve'];
  /** The commands that there are. */
  readonly table: readonly CommandSpec[];
}

/** `argv` without the program's own name. */
export async function runCli(argv: readonly string[], cli: Cli): Promise<number> {
  const { io } = cli;
  // Asked by the completion scripts, never by people: in no help, and without any mistake.
  if (argv[0] === '__complete') {
    const { complete } = await import('./table/complete.ts');
    io.out(await complete(argv.slice(argv[1] === '--' ? 2 : 1), cli.open, cli.table));
    return 0;
  }
  let named: string | undefined;
  try {
    return await performByCommander(argv, cli, (spec, typed) => {
      const meant = meaningOf(spec, typed);
      named = meant.plan;
      return performCommand(spec, meant, cli);
    });
  } catch (error) {
    const found = findCommand(argv, cli.table);
    const typed = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
    const help = found ? `see "signalbox ${found.spec.name} --help"` : listedBy(argv[0], cli);
    return showError(error, io, {
      json: typed.includes('--json'),
      verbose: typed.includes('--verbose') || typed.includes('-v'),
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

async function performCommand(spec: CommandSpec, meant: MeantArguments, cli: Cli): Promise<number> {
  if (!meant.flags.quiet || spec.quiet !== 'held') return performLoudly(spec, meant, cli);
  const { io, release } = holdBack(cli.io);
  let exitCode = 70;
  try {
    exitCode = await performLoudly(spec, meant, { ...cli, io });
    return exitCode;
  } finally {
    if (exitCode !== 0) release();
  }
}

async function performLoudly(spec: CommandSpec, meant: MeantArguments, { io, open, serve }: Cli): Promise<number> {
  const { args, plan } = meant;
  const request = { io, paint: paintFor(io.color), ...meant };
  if (spec.loadAlone) return (await spec.loadAlone())({ ...request, open, serve });
  // What has no folder in its name tells nothing about where the workspace is.
  const first = spec.plan === 'maybe-first' ? args[0] : undefined;
  const named = plan ?? (first?.includes('/') ? first : undefined);
  const [act, box] = await Promise.all([spec.load(), open(named, { planMustExist: spec.plan === 'workspace' })]);
  if (box.isElsewhere && (named !== undefined || spec.name === 'run')) io.err(`workspace: ${safeLine(box.root)}\n`);
  return act({ ...request, box });
}

interface MeantArguments extends TypedArguments {
  readonly plan: string | undefined;
}

/** Tells the plan from the other arguments. */
function meaningOf(spec: CommandSpec, { args, flags }: TypedArguments): MeantArguments {
  const other = flags.json ? '--json' : flags.verbose ? '--verbose' : null;
  if (flags.quiet && other) {
    throw new Refusal(2, `--quiet and ${other} contradict each other`, { instead: 'leave one of them out' });
  }
  const isAmong = spec.plan === 'among';
  const others = isAmong ? args.filter((word) => !isPlanName(word)) : args;
  const [named, another = flags.plan] = isAmong ? args.filter(isPlanName) : spec.plan === 'argument' ? args : [];
  if (named !== undefined && another !== undefined && named !== another) {
    throw new Refusal(2, `two plans are named: ${named} and ${another}`, { instead: 'name one' });
  }
  if (isAmong && others.length >= (spec.args?.length ?? 0)) {
    throw new Refusal(2, `"${others.at(-1)}" is not the name of a plan file`, {
      instead: `name it as it is written, such as plan.md; see "signalbox ${spec.name} --help"`,
    });
  }
  return { args: others, flags, plan: named ?? flags.plan };
}
