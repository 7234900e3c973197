// Asks a program for its version, without a shell and without patience: whatever it does, it and its children are gone after
// the time it was given. Not in the workspace, where files could tell it what to do.
import { spawn } from 'node:child_process';

export interface VersionQuestion {
  /** Absolute path. */
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** The first line it prints, or why there is none. Never rejects, and never takes much longer than its time. */
export function programVersion({ program, env, timeoutMs = 2000 }: VersionQuestion): Promise<VersionAnswer> {
  return new Promise((resolve) => {
    const child = spawn(program, ['--version'], { cwd: '/', env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    const hear = (chunk: string) => {
      if (text.length < mostText) text += chunk;
    };
    child.stdout.setEncoding('utf8').on('data', hear);
    child.stderr.setEncoding('utf8').on('data', hear);
    const letGo = () => {
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const timer = setTimeout(() => {
      killGroup(child.pid);
      letGo();
      child.unref();
      resolve({ kind: 'failed', because: `no answer within ${timeoutMs / 1000} s` });
    }, timeoutMs);
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ kind: 'failed', because: error.message });
    });
    child.on('exit', () => {
      clearTimeout(timer);
      // What it left behind in its group ends with it, and what left the group keeps no pipe open for long.
      killGroup(child.pid);
      setTimeout(letGo, 200).unref();
    });
    child.on('close', (code) => resolve(answer(code, text)));
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export type VersionAnswer =
  | { readonly kind: 'version'; readonly text: string }
  /** It ended, and said nothing of the kind: not every program knows the question. */
  | { readonly kind: 'unknown'; readonly because: string }
  | { readonly kind: 'failed'; readonly because: string };

const mostText = 4096;

function answer(code: number | null, text: string): VersionAnswer {
  const line = text.split('\n').find((one) => one.trim() !== '');
  if (code !== 0 || line === undefined) return { kind: 'unknown', because: 'it does not tell its version' };
  return { kind: 'version', text: line.trim().slice(0, 100) };
}
