// Runs a program for a moment, without a shell and without patience: whatever it does, it and its children are gone after the time it was
// given. Not in the workspace, where files could tell it what to do.
import { spawn } from 'node:child_process';

export interface ShortRun {
  /** Absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute; the root of the file system unless it is said. */
  readonly cwd?: string;
  readonly timeoutMs: number;
  /** What it is told on its standard input, which is closed when it has printed what is wanted; absent: it is told nothing. */
  readonly talk?: { readonly told: string; readonly isOver: (text: string) => boolean };
}

export type ShortEnd =
  /** The beginning of what it printed as its output, and beside it as an error. */
  | { readonly kind: 'ended'; readonly code: number | null; readonly text: string; readonly beside: string }
  | { readonly kind: 'failed'; readonly because: string };

/** Never rejects, and never takes much longer than its time. */
export function shortRun({ program, args, env, cwd = '/', timeoutMs, talk }: ShortRun): Promise<ShortEnd> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, detached: true, stdio: [talk ? 'pipe' : 'ignore', 'pipe', 'pipe'] });
    const [stdin, stdout, stderr] = [child.stdin, child.stdout!, child.stderr!];
    let text = '';
    let beside = '';
    // Nobody listens any more: how it ended tells.
    stdin?.on('error', () => undefined);
    if (talk) stdin?.write(talk.told);
    stdout.setEncoding('utf8').on('data', (chunk: string) => {
      if (text.length < (talk ? mostTalk : mostText)) text += chunk;
      if (talk?.isOver(text)) stdin?.end();
    });
    stderr.setEncoding('utf8').on('data', (chunk: string) => {
      if (beside.length < mostText) beside += chunk;
    });
    const letGo = () => {
      stdin?.destroy();
      stdout.destroy();
      stderr.destroy();
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
    child.on('close', (code) => resolve({ kind: 'ended', code, text, beside }));
  });
}

const mostText = 4096;
const mostTalk = 65_536;

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
