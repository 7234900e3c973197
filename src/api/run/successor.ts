// A fresh process takes a long run over from this one, so that slow growth cannot end a run of days. Attempts go on meanwhile: they
// belong to no process of ours.
import { spawn } from 'node:child_process';
import type { RunId } from '../../core/model/ids.ts';
import type { OwnCommand } from '../trust/own-command.ts';

/** Tells the successor whose run it takes over. If that run has ended before, there is nothing to take over. */
export const succeedsVariable = 'SIGNALBOX_SUCCEEDS';

export interface SuccessorParts {
  readonly command: OwnCommand;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The command line of this process, without the program's name. */
  readonly argv: readonly string[];
  readonly run: RunId;
}

export interface Successor {
  /** It writes to the same terminal or pipe. */
  readonly exitCode: Promise<number>;
  /** It came too late. */
  callOff(): void;
  /** As a person or a service manager would. */
  terminate(): void;
}

export function startSuccessor({ command, cwd, env, argv, run }: SuccessorParts): Successor {
  const child = spawn(command.nodePath, [command.launcher, ...argv], {
    cwd,
    env: { ...env, [succeedsVariable]: run },
    stdio: 'inherit',
  });
  const exitCode = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
  return { exitCode, callOff: () => void child.kill('SIGKILL'), terminate: () => void child.kill('SIGTERM') };
}
