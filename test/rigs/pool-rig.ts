// For tests: a worker pool in a folder of its own, with every observation kept and awaited by token.
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { outputFile } from '../../src/agents/process/attempt-files.ts';
import type { AttemptHost, Observation, StartOrder } from '../../src/agents/process/attempt-host.ts';
import { identify, isAlive } from '../../src/agents/process/process-identity.ts';
import { openWorkerPool, type WorkerPoolOptions } from '../../src/agents/process/worker-pool.ts';
import type { AttemptEnd } from '../../src/core/model/failure.ts';
import { attemptId, type ProcessIdentity, runId, taskId } from '../../src/core/model/ids.ts';

export const path = '/usr/local/bin:/usr/bin:/bin';

export class PoolRig {
  readonly folder: string;
  readonly workspace: string;
  readonly observations: Observation[] = [];
  readonly host: AttemptHost;
  readonly #waiting = new Set<() => void>();
  #token = 0;

  /** A rig after another one in the same folder is the next runner. */
  constructor(options: Partial<WorkerPoolOptions> = {}, before?: { folder: string; workspace: string }) {
    this.folder = before?.folder ?? mkdtempSync(join(tmpdir(), 'signalbox-pool-'));
    this.workspace = before?.workspace ?? `w${process.pid}-${this.folder.slice(-6)}`;
    this.host = openWorkerPool({
      workspace: this.workspace,
      folder: this.folder,
      environment: { PATH: path, HOME: this.folder },
      onObservation: (observation) => {
        this.observations.push(observation);
        for (const wake of this.#waiting) wake();
      },
      ...options,
    });
  }

  /** An order with the next token; a text is a shell command. */
  order(command: string | StartOrder['argv'], more: Partial<StartOrder> = {}): StartOrder {
    const token = more.token ?? ++this.#token;
    const attempt = attemptId(taskId(`t${token}`), 1);
    return {
      token,
      run: runId('r1'),
      attempt,
      argv: typeof command === 'string' ? ['/bin/sh', '-c', command] : command,
      cwd: this.folder,
      env: {},
      outputFile: outputFile(this.folder, { token, attempt }),
      ...more,
    };
  }

  start(command: string | StartOrder['argv'], more: Partial<StartOrder> = {}): StartOrder {
    const order = this.order(command, more);
    this.host.start(order);
    return order;
  }

  async run(
    command: string | StartOrder['argv'],
    more: Partial<StartOrder> = {},
  ): Promise<{ end: AttemptEnd; output: string }> {
    const order = this.start(command, more);
    const end = await this.ended(order.token);
    return { end, output: existsSync(order.outputFile) ? readFileSync(order.outputFile, 'utf8') : '' };
  }

  ended(token: number): Promise<AttemptEnd> {
    return this.#observed((o) => (o.kind === 'ended' && o.token === token ? o.end : undefined));
  }

  started(token: number): Promise<ProcessIdentity> {
    return this.#observed((o) => (o.kind === 'started' && o.token === token ? o.supervisor : undefined));
  }

  /** Each line of a file in the folder is a pid; waits until there are so many, and that they are alive. */
  async processes(file: string, count: number): Promise<readonly ProcessIdentity[]> {
    const lines = (): string[] => (this.text(file).match(/^\d+$/gm) ?? []) as string[];
    await until(() => lines().length >= count);
    return lines().flatMap((pid) => identify(Number(pid)) ?? []);
  }

  text(file: string): string {
    const full = join(this.folder, file);
    return existsSync(full) ? readFileSync(full, 'utf8') : '';
  }

  has(file: string): boolean {
    return existsSync(join(this.folder, file));
  }

  append(file: string, text: string): void {
    appendFileSync(join(this.folder, file), text);
  }

  /** Leaves nothing behind, also when a test failed half-way. */
  async close(): Promise<void> {
    const ended = new Set(this.observations.flatMap((o) => (o.kind === 'ended' ? [o.token] : [])));
    const left = this.observations.filter((o) => o.kind === 'started' && !ended.has(o.token)).map(({ token }) => token);
    const alive = left.filter((token) => this.host.lastOutputAt(token) !== undefined);
    for (const token of alive) this.host.stop(token, 0);
    await Promise.all(alive.map((token) => this.ended(token)));
    await this.host.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #observed<T>(pick: (observation: Observation) => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      let seen = 0;
      const look = (): void => {
        while (seen < this.observations.length) {
          const found = pick(this.observations[seen++]!);
          if (found === undefined) continue;
          this.#waiting.delete(look);
          resolve(found);
          return;
        }
      };
      this.#waiting.add(look);
      look();
    });
  }
}

export const living = (processes: readonly ProcessIdentity[]): number =>
  processes.filter((process) => isAlive(process) === true).length;

/** For what announces itself only in a file or in the process table. */
export async function until(condition: () => boolean, limitMs = 10_000): Promise<void> {
  for (const deadline = performance.now() + limitMs; !condition(); ) {
    if (performance.now() > deadline) throw new Error(`not within ${limitMs} ms: ${condition}`);
    await delay(3);
  }
}
