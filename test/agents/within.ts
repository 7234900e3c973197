// Runs a program with a limit on its time. What it makes lies in a folder of its own, so that everything that it started is found and
// ended with it, also what left its group.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kill, named, processesOf } from './processes.ts';

export interface Within {
  /** Null: by a signal. */
  readonly status: number | null;
  /** Its time was over: what was still running, and is ended. */
  readonly late: readonly string[] | null;
}

export async function within(
  limit: AbortSignal,
  [program, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
): Promise<Within> {
  const folder = mkdtempSync(join(tmpdir(), 'sb-'));
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...env, TMPDIR: folder } });
  let late: string[] | null = null;
  limit.addEventListener('abort', () => {
    late = named(processesOf(folder));
    endAll(folder);
  });
  const status = await new Promise<number | null>((ended) => {
    child.on('error', () => ended(null));
    child.on('close', ended);
  });
  if (late !== null) endAll(folder);
  rmSync(folder, { recursive: true, force: true });
  return { status, late };
}

/** Until none is left: one may have started another meanwhile. */
function endAll(folder: string): void {
  for (let left = processesOf(folder); left.length > 0; left = processesOf(folder)) for (const pid of left) kill(pid);
}
