// Finds and reads what attempts, checks and reviews of a task left behind: bounded, and without what terminals would obey.
import { existsSync } from 'node:fs';
import { type AttemptName, attemptsFolderOf, outputFile, promptFile } from '../../agents/process/attempt-files.ts';
import { readEnd } from '../../agents/process/output-tail.ts';
import { plainLine, plainText } from '../../agents/sanitize-terminal.ts';
import { attemptId, type TaskId } from '../../core/model/ids.ts';
import type { Store } from '../../store/store.ts';
import type { Ground } from './ground.ts';

export class TaskLogs {
  readonly folder: string;

  constructor(ground: Pick<Ground, 'attemptsFolder'>, store: Pick<Store, 'workspace'>) {
    this.folder = attemptsFolderOf(ground, store);
  }

  /** The end of what it printed. */
  tail(name: AttemptName, mostBytes: number): string {
    return endOf(outputFile(this.folder, name), mostBytes);
  }

  prompt(name: AttemptName, mostBytes: number): string {
    return endOf(promptFile(this.folder, name), mostBytes);
  }

  /** Of a check that is known by its token only: it carries the name of one of the task's attempts. */
  tailOfCheck(task: TaskId, token: number, attempts: number, mostBytes: number): string {
    for (let n = attempts; n > 0 && n > attempts - 20; n--) {
      const name = { token, attempt: attemptId(task, n) };
      if (existsSync(outputFile(this.folder, name))) return this.tail(name, mostBytes);
    }
    return '';
  }

  /** The last line that says anything, short. */
  lastLine(name: AttemptName): string | undefined {
    const lines = this.tail(name, 4_000).split('\n');
    const last = plainLine(lines.findLast((line) => line.trim() !== '') ?? '');
    return last === '' ? undefined : last.slice(0, 200);
  }
}

function endOf(file: string, mostBytes: number): string {
  const text = plainText(readEnd(file, mostBytes)).trim();
  return Buffer.byteLength(text) >= mostBytes - 4 ? `…${text}` : text;
}
