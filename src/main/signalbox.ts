// The `signalbox` command: reads the environment, gives the command line its terminal, and ends the process with its exit code.
import { openSignalbox } from '../api/open-signalbox.ts';
import { type Cli, runCli } from '../cli/program.ts';
import { commandTable } from '../cli/table/command-table.ts';
import { warningLine } from '../cli/text/show-error.ts';
import { processIo } from './process-io.ts';

/** Put in by scripts/build.mjs from package.json. */
declare const __VERSION__: string;

/** @param launcher bin/signalbox.cjs, which calls this, and by which attempts call Signalbox. */
export async function main(launcher: string): Promise<void> {
  const io = processIo();
  const [command, file] = process.argv.slice(2);
  if (command === 'merge-work' && file !== undefined) {
    process.exitCode = await (await import('./merge-work.ts')).mergeWork(file, io);
    return;
  }
  const openWith =
    (env: NodeJS.ProcessEnv, warn?: (text: string) => void): Cli['open'] =>
    (plan, options) =>
      openSignalbox({
        cwd: process.cwd(),
        plan,
        ...options,
        env,
        programVersion: __VERSION__,
        launcher,
        nodePath: process.execPath,
        ...(warn ? { onWarning: warn } : {}),
      });
  const perform = async (argv: readonly string[], cli: Pick<Cli, 'io' | 'serve'>, env = process.env) => {
    const opened: { close(): Promise<void> }[] = [];
    const open = openWith(env, (text) => cli.io.err(warningLine(text)));
    const kept: Cli['open'] = async (...which) => {
      const box = await open(...which);
      opened.push(box);
      return box;
    };
    try {
      return await runCli(argv, { ...cli, version: __VERSION__, table: commandTable, open: kept });
    } finally {
      await Promise.all(opened.map((box) => box.close()));
    }
  };
  const serve: Cli['serve'] = async (options) => {
    const { serveMcp } = await import('./serve-mcp.ts');
    await serveMcp({ ...options, version: __VERSION__, launcher, open: (env) => openWith(env)(), perform });
  };
  const exitCode = await perform(process.argv.slice(2), { io, serve });
  process.exitCode = exitCode;
  // Whatever still holds the process open cannot record or show anything any more.
  setTimeout(() => process.exit(exitCode), 200).unref();
}
