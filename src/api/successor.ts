// A fresh process that takes a long run over from this one, so that nothing which grows with time can end a run of days. Attempts go
// on meanwhile: they belong to no process of ours.
import { spawn } from 'node:child_process';
import type { RunId } from '../core/ids.ts';

/** Tells it whose run it goes on with: when that has ended before, there is nothing to take over. */
export const succeedsVariable = 'SIGNALBOX_SUCCEEDS';

export interface SuccessorParts {
  readonly command: { readonly node: string; readonly launcher: string };
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
}

export function startSuccessor({ command, cwd, env, argv, run }: SuccessorParts): Successor {
  const child = spawn(command.node, [command.launcher, ...argv], {
    cwd,
    env: { ...env, [succeedsVariable]: run },
    stdio: 'inherit',
  });
  const exitCode = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
  return { exitCode, callOff: () => void child.kill('SIGKILL') };
}
