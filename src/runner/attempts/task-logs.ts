// Finds and reads what attempts, checks and reviews of a task left behind: bounded, and without what terminals would obey.
import { existsSync } from 'node:fs';
import { withoutNoise } from '../../agents/kind.ts';
import {
  type AttemptName,
  attemptsFolderOf,
  errorFile,
  outputFile,
  promptFile,
} from '../../agents/process/attempt-files.ts';
import { readEnd } from '../../agents/process/output-tail.ts';
import { plainLine, plainText } from '../../agents/sanitize-terminal.ts';
import { lastAction } from '../../agents/stream/last-action.ts';
import { tailOfLog } from '../../agents/stream/tail-of-log.ts';
import { attemptId, type TaskId } from '../../core/model/ids.ts';
import type { Store } from '../../store/store.ts';
import type { RunSite } from '../run-site.ts';

export class TaskLogs {
  readonly folder: string;

  readonly #root: string;

  constructor(site: Pick<RunSite, 'attemptsFolder' | 'root'>, store: Pick<Store, 'workspace'>) {
    this.folder = attemptsFolderOf(site, store);
    this.#root = site.root;
  }

  /** The end of what it printed; of a coding agent as a person reads it. */
  tail(name: AttemptName, mostBytes: number): string {
    if (this.#isAgent(name)) {
      const limits = { lines: Number.POSITIVE_INFINITY, maxBytes: mostBytes };
      return plainText(tailOfLog(this.folder, name, this.#root, limits).join('\n'));
    }
    return endOf(outputFile(this.folder, name), mostBytes);
  }

  /** The end of what a coding agent printed beside its stream, without what it always prints. */
  errors(name: AttemptName, mostBytes: number): string {
    const file = errorFile(this.folder, name);
    return existsSync(file) ? withoutNoise(endOf(file, mostBytes)).trim() : '';
  }

  prompt(name: AttemptName, mostBytes: number): string {
    return endOf(promptFile(this.folder, name), mostBytes);
  }

  /** Of what is known by its token only: an attempt of the task, or a check that carries the name of one. Null: nothing is left of it. */
  named(task: TaskId, token: number, attempts: number): AttemptName | null {
    if (token === 0) return null;
    for (let n = attempts; n > 0 && n > attempts - 20; n--) {
      const name = { token, attempt: attemptId(task, n) };
      if (existsSync(outputFile(this.folder, name))) return name;
    }
    return null;
  }

  /** What a coding agent did last; of other programs the last line that says anything, short. */
  lastLine(name: AttemptName): string | undefined {
    if (this.#isAgent(name)) return lastAction(outputFile(this.folder, name), this.#root) ?? undefined;
    const lines = this.tail(name, 4_000).split('\n');
    const last = plainLine(lines.findLast((line) => line.trim() !== '') ?? '');
    return last === '' ? undefined : last.slice(0, 200);
  }

  /** Only coding agents have a file for their standard error. */
  #isAgent(name: AttemptName): boolean {
    return existsSync(errorFile(this.folder, name));
  }
}

function endOf(file: string, mostBytes: number): string {
  const end = readEnd(file, mostBytes);
  const text = plainText(end).trim();
  return Buffer.byteLength(end) >= mostBytes ? `…${text}` : text;
}
