// Gives the MCP server its streams, and says who its caller is: the attempt in whose environment it was started, or else a guest, named after
// the program that started it.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtIn } from '../agents/kind.ts';
import { callerPid } from '../agents/process/caller.ts';
import type { Signalbox } from '../api/signalbox.ts';
import type { Io } from '../cli/io.ts';
import type { Cli } from '../cli/program.ts';
import { commandTable } from '../cli/table/command-table.ts';
import { type Caller, serve } from '../mcp/serve.ts';

export interface McpOptions {
  readonly agent?: string;
  readonly decides: boolean;
  readonly version: string;
  readonly launcher: string;
  readonly open: (env: Environment) => Promise<Signalbox>;
  readonly perform: (argv: readonly string[], cli: Pick<Cli, 'io' | 'serve'>, env: Environment) => Promise<number>;
}

type Environment = Readonly<Record<string, string | undefined>>;

export async function serveMcp({ agent, decides, version, launcher, open, perform }: McpOptions): Promise<void> {
  const { env } = process;
  const parent = process.ppid;
  const killed = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => killed.abort());
  const envOf = (guest: string | null) => (guest === null ? env : { ...env, SIGNALBOX_AGENT: guest });
  // No command that serves is a tool.
  const none: Cli['serve'] = () => Promise.resolve();
  await serve({
    version,
    table: commandTable,
    schemas: JSON.parse(readFileSync(join(dirname(launcher), '../schema/output.json'), 'utf8')).$defs,
    caller: callerIn(env, agent, decides),
    input: process.stdin,
    output: process.stdout,
    perform: (guest) => (argv: readonly string[], io: Io) => perform(argv, { io, serve: none }, envOf(guest)),
    open: (guest) => open(envOf(guest)),
    parentIsGone: () => process.ppid !== parent,
    killed: killed.signal,
  });
}

function callerIn(
  {
    SIGNALBOX_TOKEN: token,
    SIGNALBOX_ATTEMPT: attempt,
    SIGNALBOX_TASK: task,
    SIGNALBOX_AGENT: known,
  }: NodeJS.ProcessEnv,
  agent: string | undefined,
  decides: boolean,
): Caller {
  // Some programs keep variables that sound like a secret from their servers: an attempt without its token may only look.
  if ((token ?? attempt ?? task) !== undefined) return { kind: 'worker', task };
  const pid = callerPid();
  return { kind: 'guest', decides, nameFor: (client) => agent ?? known ?? `${programOf(client)}-${pid}` };
}

/** As the agents are called here; other clients keep the name that they give themselves. */
function programOf(client: string): string {
  const words = client.toLowerCase().match(/[a-z0-9]+/g) ?? ['guest'];
  return builtIn.find((name) => words.includes(name)) ?? words.join('-').slice(0, 30);
}
