// One long-lived shell that performs attempts, one after the other, as its foreground programs. It outlives a killed runner
// until its attempt has ended, and leaves the exit code in the journal. Where it can be (Linux with perl), it is the subreaper
// of its attempt: whatever loses its parent becomes its child, so that nothing escapes by double forking.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeSync } from 'node:fs';
import type { ProcessIdentity } from '../../core/model/ids.ts';
import { parseWord, type WorkerWord, workerRecord } from './journal.ts';
import { workerPreamble } from './order-line.ts';
import { identify, thisHost } from './process-identity.ts';

/** An attempt has ended. Of its start only the journal tells: a notice of its own would wake the runner twice per attempt. */
export interface Notice {
  readonly token: number;
  readonly word: WorkerWord;
}

export interface WorkerOptions {
  /** The run's journal, opened for appending; the worker inherits it. */
  readonly journal: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Absolute path; null: there is none, and the worker is a plain one. */
  readonly perl: string | null;
  readonly onNotice: (notice: Notice) => void;
  /** It has ended, and everything it said has been heard. */
  readonly onGone: () => void;
}

export class WorkerShell {
  readonly identity: ProcessIdentity;
  readonly #child: ChildProcess;
  readonly #options: WorkerOptions;
  #state: 'starting' | 'reaper' | 'plain' = 'starting';
  #rest = '';

  /** Starts one; a message if that is not possible now (out of processes or memory, a full disk). */
  static start(options: WorkerOptions): WorkerShell | string {
    let child: ChildProcess | null = null;
    try {
      child = spawnShell(options);
      // Without a pid the child says why in an `error` event; what matters here is that there is none.
      child.on('error', () => undefined);
      if (child.pid === undefined) return 'a shell to supervise it could not be started';
      // Dead already: an identity that nothing will ever match.
      const identity = identify(child.pid) ?? { host: thisHost().id, pid: child.pid, startTime: '0' };
      writeSync(options.journal, workerRecord(identity));
      return new WorkerShell(child, identity, options);
    } catch (error) {
      child?.stdin?.destroy(); // a worker that is not in the journal must not live
      return `a shell to supervise it could not be started: ${(error as Error).message}`;
    }
  }

  private constructor(child: ChildProcess, identity: ProcessIdentity, options: WorkerOptions) {
    this.identity = identity;
    this.#child = child;
    this.#options = options;
    child.stdout!.setEncoding('latin1').on('data', (chunk: string) => this.#hear(chunk));
    // A pipe to a dead worker breaks; its death itself is what is noticed and acted on.
    child.stdin!.on('error', () => undefined);
    child.on('close', () => options.onGone());
    child.stdin!.write(workerPreamble);
  }

  /** Whether it ever got as far as listening. */
  get wasReady(): boolean {
    return this.#state !== 'starting';
  }

  /** One order at a time: the next only after the last one's end was heard. */
  perform(orderLine: string): void {
    this.#child.stdin!.write(orderLine);
  }

  /** Whether an ended attempt has left processes behind; `unknown` where only a look at all processes can tell. */
  leftovers(): boolean | 'unknown' {
    if (this.#state !== 'reaper') return 'unknown';
    const { pid } = this.identity;
    try {
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1');
      return (
        children !== '' &&
        children
          .trimEnd()
          .split(' ')
          .some((child) => identify(Number(child)) !== null)
      );
    } catch {
      return 'unknown'; // not every kernel has this file, and a worker that has just died has none
    }
  }

  /** An attempt may have stopped its whole group, and the worker with it. */
  wake(): void {
    this.#child.kill('SIGCONT');
  }

  /** No more orders: it ends as soon as its attempt has. */
  retire(): void {
    this.#child.stdin!.end();
  }

  /** Retires it without waiting for it: nothing of it is heard any more, and it does not keep this process alive. */
  letGo(): void {
    this.retire();
    this.#child.removeAllListeners('close');
    this.#child.stdout!.destroy();
    this.#child.unref();
  }

  #hear(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop()!;
    for (const line of lines) {
      const [kind, first, second] = line.split(' ');
      const word = kind === 'e' ? parseWord(second ?? '') : null;
      if (kind === 'w') this.#state = first === 'reaper' ? 'reaper' : 'plain';
      else if (word !== null) this.#options.onNotice({ token: Number(first), word });
    }
  }
}

const subreaperCall: Partial<Record<NodeJS.Architecture, number>> = { x64: 157, arm64: 167 };

/** Its own session: a terminal's signals and the runner's group do not reach it. Descriptor 1 is for notices, 3 the journal. */
function spawnShell({ journal, environment, perl }: WorkerOptions): ChildProcess {
  const prctl = process.platform === 'linux' ? subreaperCall[process.arch] : undefined;
  // 36 is PR_SET_CHILD_SUBREAPER; it survives exec and costs nothing measurable.
  const script = `exec "/bin/sh", "-s", syscall(${prctl}, 36, 1, 0, 0, 0) == 0 ? "reaper" : "plain"`;
  const [program, args] = perl !== null && prctl ? [perl, ['-e', script]] : ['/bin/sh', ['-s', 'plain']];
  return spawn(program, args, {
    detached: true,
    cwd: '/',
    env: environment,
    stdio: ['pipe', 'pipe', 'ignore', journal],
  });
}
