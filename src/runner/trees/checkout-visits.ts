// Processes of attempts that work in the person's checkout, though each attempt has a tree of its own. What changed in the checkout
// meanwhile is then not taken for the person's own work. They are looked for every few seconds, and when an attempt is ended: whoever
// finds its processes says so.
import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import {
  commandOf,
  descendsFrom,
  environmentOf,
  processesIn,
  workingFolder,
} from '../../agents/process/working-folder.ts';
import { isOurs } from '../../git/trees/left-at-work.ts';

export interface Checkout {
  readonly root: string;
  /** What belongs to Signalbox, by its path from there. */
  readonly isApart: (path: Buffer) => boolean;
}

interface Watched extends Checkout {
  readonly marker: string;
  readonly commands: Set<string>;
}

const everyMs = 3_000;
const mostCommands = 3;

export class CheckoutVisits {
  /** By token. */
  readonly #watched = new Map<number, Watched>();
  #timer: NodeJS.Timeout | null = null;

  /** @param marker of its processes */
  begin(token: number, marker: string, { root, isApart }: Checkout): void {
    this.#watched.set(token, { root: realOf(root), isApart, marker, commands: new Set() });
    this.#timer ??= setInterval(() => void this.look(), everyMs).unref();
  }

  async look(): Promise<void> {
    for (const root of new Set([...this.#watched.values()].map((one) => one.root))) {
      for (const pid of await processesIn(root)) {
        const its = [...this.#watched.values()].find((one) => one.root === root && descendsFrom(pid, one.marker));
        if (its !== undefined) note(its, pid);
      }
    }
  }

  /** Processes of the attempt, which is being ended: nobody sees them later. */
  found(token: number, pids: readonly number[]): void {
    const watched = this.#watched.get(token);
    if (watched !== undefined) for (const pid of pids) note(watched, pid);
  }

  /** @returns the commands of its processes that worked in the checkout */
  end(token: number): readonly string[] {
    const commands = [...(this.#watched.get(token)?.commands ?? [])];
    this.#watched.delete(token);
    if (this.#watched.size === 0) this.close();
    return commands;
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }
}

function note({ root, isApart, commands }: Watched, pid: number): void {
  const folder = workingFolder(pid);
  if (folder === null || commands.size === mostCommands) return;
  const way = relative(root, folder);
  if (way === '..' || way.startsWith('../') || (way !== '' && isApart(Buffer.from(way)))) return;
  // An agent calls Signalbox, and that asks git about the checkout.
  const isGitOfOurs = isOurs(environmentOf(pid)?.toString('utf8').split('\0') ?? []);
  const command = isGitOfOurs ? null : commandOf(pid);
  if (command !== null) commands.add(command);
}

function realOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}
