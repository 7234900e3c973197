// A fresh process that takes a long run over from this one, so that nothing which grows with time can end a run of days. Attempts go
// on meanwhile: they belong to no process of ours.
import { spawn } from 'node:child_process';

export interface SuccessorParts {
  readonly command: { readonly node: string; readonly launcher: string };
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The command line of this process, without the program's name. */
  readonly argv: readonly string[];
}

/** Resolves with its exit code; it writes to the same terminal or pipe. */
export function startSuccessor({ command, cwd, env, argv }: SuccessorParts): Promise<number> {
  const again = argv.includes('--take-over') ? argv : [...argv, '--take-over'];
  const child = spawn(command.node, [command.launcher, ...again], { cwd, env: { ...env }, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}
