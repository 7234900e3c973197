// A small program: the commands of one family in one file that loads nothing else. What is not in it (see scripts/quick-bundle.mjs)
// hands over to the whole program, which starts again from the command line; so nothing that changes something may run into
// a hand-over half way.
import { join } from 'node:path';
import { openSignalbox } from '../../api/open-signalbox.ts';
import type { CommandSpec } from '../../cli/command-spec.ts';
import { runCli } from '../../cli/program.ts';
import { warningLine } from '../../cli/warning-line.ts';
import { quickIo } from './quick-io.ts';

/** Put in by scripts/build.mjs from package.json. */
declare const __VERSION__: string;

/** False: the whole program has to do it. */
export type RunQuickly = (argv: readonly string[]) => Promise<boolean>;

export const quickProgram =
  (table: readonly CommandSpec[]): RunQuickly =>
  (argv) =>
    runQuickly(argv, table);

async function runQuickly(argv: readonly string[], table: readonly CommandSpec[]): Promise<boolean> {
  const { io, flushed } = quickIo();
  const opened: { close(): Promise<void> }[] = [];
  try {
    process.exitCode = await runCli(argv, {
      io,
      version: __VERSION__,
      table,
      open: async () => {
        const box = await openSignalbox({
          cwd: process.cwd(),
          env: process.env,
          programVersion: __VERSION__,
          // Seen from dist/, where this file is when it runs.
          launcher: join(__dirname, '..', 'bin', 'signalbox.cjs'),
          nodePath: process.execPath,
          late: true,
          onWarning: (text) => io.err(warningLine(text)),
        });
        opened.push(box);
        return box;
      },
    });
    await flushed();
    return true;
  } catch (error) {
    if (!(error instanceof Error && error.name === 'HandOver')) throw error;
    return false;
  } finally {
    for (const box of opened) await box.close();
  }
}
