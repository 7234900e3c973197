// One command line in this process: the same parser, commands and store as in a process of its own, at a tenth of the cost.
// What it reads of the outside (folder, environment, output) is handed in, so that several may go on side by side.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { openSignalbox } from '../../src/api/open-signalbox.ts';
import type { Signalbox } from '../../src/api/signalbox.ts';
import type { Io } from '../../src/cli/io.ts';
import { runCli } from '../../src/cli/program.ts';
import { commandTable } from '../../src/cli/table/command-table.ts';
import { warningLine } from '../../src/cli/text/show-error.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const never = () => () => undefined;

export interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export async function runHere(args: readonly string[], { cwd, env }: Place) {
  let out = '';
  let err = '';
  const io: Io = {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    drained: () => Promise.resolve(),
    input: () => '',
    live: false,
    interactive: false,
    ask: async () => null,
    color: false,
    errorColor: false,
    columns: () => Number.POSITIVE_INFINITY,
    rows: () => 24,
    now: () => Date.now(),
    after: (delayMs, call) => {
      const timer = setTimeout(call, delayMs);
      return () => clearTimeout(timer);
    },
    onResize: never,
    onInterrupt: never,
    onTerminate: never,
    onOutputGone: never,
  };
  const opened: Signalbox[] = [];
  const open = async (plan?: string, options?: { readonly planMustExist: boolean }) => {
    const box = await openSignalbox({
      cwd,
      plan,
      ...options,
      env,
      programVersion: version,
      launcher: resolve('bin/signalbox.cjs'),
      nodePath: process.execPath,
      onWarning: (text) => io.err(warningLine(text)),
    });
    opened.push(box);
    return box;
  };
  const code = await runCli(args, { io, version, table: commandTable, open, serve: () => Promise.resolve() });
  for (const box of opened) await box.close();
  // Whoever asks again and again lets others have their turn.
  await setImmediate();
  return { code, out, err };
}
