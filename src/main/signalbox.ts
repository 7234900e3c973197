// The `signalbox` command: reads the environment, gives the command line its terminal, and ends the process with its exit
// code once everything written has been taken.
import { fileURLToPath } from 'node:url';
import { commandTable } from '../cli/command-table.ts';
import { runCli } from '../cli/program.ts';
import { warningLine } from '../cli/warning-line.ts';
import { processIo } from './process-io.ts';

/** Put in by scripts/build.mjs from package.json. */
declare const __VERSION__: string;
const version = typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0-source';

const { io, flushed } = processIo();
const opened: { close(): Promise<void> }[] = [];
const exitCode = await runCli(process.argv.slice(2), {
  io,
  version,
  table: commandTable,
  open: async () => {
    const { openSignalbox } = await import('../api/open-signalbox.ts');
    const box = await openSignalbox({
      cwd: process.cwd(),
      env: process.env,
      programVersion: version,
      // Seen from dist/, where this file is when it runs.
      launcher: fileURLToPath(new URL('../bin/signalbox.cjs', import.meta.url)),
      nodePath: process.execPath,
      onWarning: (text) => io.err(warningLine(text)),
    });
    opened.push(box);
    return box;
  },
});
process.exitCode = exitCode;
await flushed();
await Promise.all(opened.map((box) => box.close()));
// Whatever still holds the process open has had its time: nothing of it is recorded or shown any more.
setTimeout(() => process.exit(exitCode), 200).unref();
