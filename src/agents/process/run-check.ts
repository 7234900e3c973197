// A check that a command runs itself, in the foreground, because no runner is there to do it: its output is handed on as it comes, and
// when its time is over, or nobody wants to know any more, everything that it has started is ended.
import { spawn } from 'node:child_process';
import { killGraceMs } from '../../core/model/defaults.ts';
import { shellArguments } from '../kinds/shell.ts';
import { TreeKill } from './kill-tree.ts';
import { markerVariable, ProcessTable } from './process-table.ts';

export interface CheckOrder {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limitMs: number;
  /** How long it may take to end when asked politely. */
  readonly graceMs?: number;
  readonly onOutput?: (text: string) => void;
  readonly signal?: AbortSignal;
  /** Of the job that runs it, so that whoever ends the job finds it; absent: one of its own. */
  readonly marker?: string | undefined;
}

export interface CheckEnd {
  /** Null: it was killed. */
  readonly code: number | null;
  readonly because: 'ended' | 'timeout' | 'interrupted';
  /** The last of what it printed. */
  readonly tail: string;
  readonly durationMs: number;
}

const longestTail = 4_000;
let checks = 0;

export async function runCheck(order: CheckOrder): Promise<CheckEnd> {
  const { command, cwd, env, limitMs, graceMs = killGraceMs, onOutput, signal } = order;
  // No token of any store: inside a check nobody is an attempt.
  const marker = order.marker ?? `check-${process.pid}-${process.hrtime.bigint()}-${++checks}`;
  const [program, ...args] = shellArguments(command);
  const start = performance.now();
  const child = spawn(program, args, {
    cwd,
    env: { ...env, [markerVariable]: marker },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let tail = '';
  let because: CheckEnd['because'] = 'ended';
  let kill: TreeKill | null = null;
  const stop = (why: 'timeout' | 'interrupted') => {
    if (because !== 'ended') return;
    because = why;
    kill = new TreeKill(new ProcessTable(), { marker, worker: null, isQuiet: () => true, insist: true }, graceMs);
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-longestTail);
      onOutput?.(text);
    });
  }
  const timer = setTimeout(() => stop('timeout'), limitMs);
  const abort = () => stop('interrupted');
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  try {
    // Not `close`: what it has left running in the background may keep its output open for ever.
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (exit) => resolve(exit));
    });
    await Promise.race([drained(child), new Promise((resolve) => setTimeout(resolve, 100).unref())]);
    await (kill as TreeKill | null)?.done;
    return { code: because === 'ended' ? code : null, because, tail, durationMs: performance.now() - start };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

const drained = (child: ReturnType<typeof spawn>): Promise<void> =>
  new Promise((resolve) => {
    child.on('close', () => resolve());
  });
