// What becomes of attempts that were stopped to end a deadlock, kept until it can be told in one sentence: their work is saved, their
// files are put back, and they run again after somebody, each by its own event.
import type { DeadlockResolved, FilesPutBack, LockWaiting, NeedAdded, WorkSaved } from '../core/lock-event.ts';
import { listWords } from './count-words.ts';
import { type StoredLockEvent, savedAs } from './describe-lock-event.ts';

interface Stopped {
  readonly attempt: string;
  saved?: WorkSaved;
  putBack?: FilesPutBack;
  after?: NeedAdded;
}

export class StoppedAttempts {
  /** By task. */
  private readonly stopped = new Map<string, Stopped>();

  apply(event: StoredLockEvent): void {
    if (event.type === 'deadlock-detected') {
      this.stopped.set(event.victimTask, { attempt: event.victim });
      return;
    }
    const own = 'task' in event && event.task !== undefined ? this.stopped.get(event.task) : undefined;
    if (!own) return;
    if (event.type === 'work-saved') own.saved = event;
    else if (event.type === 'files-put-back') own.putBack = event;
    else if (event.type === 'need-added') own.after = event;
  }

  has(task: string): boolean {
    return this.stopped.has(task);
  }

  /** It waits only for what is being given up: the deadlock has told it already. */
  coversWait({ blockedBy }: LockWaiting): boolean {
    const attempts = [...this.stopped.values()].map(({ attempt }) => attempt);
    return blockedBy.every((name) => attempts.includes(name));
  }

  /** How it ended, once; the task is forgotten. */
  tell({ victimTask }: DeadlockResolved): string {
    const { saved, putBack, after } = this.stopped.get(victimTask) ?? {};
    this.stopped.delete(victimTask);
    const work = saved && saved.saved !== null ? `its work is ${savedAs(saved)}; ` : '';
    const left = putBack?.left ? `${listWords(putBack.left)} could not be put back; ` : '';
    const when = after ? ` after ${after.on}` : '';
    return `the deadlock is resolved: ${work}${left}it runs again${when}, and no retry was used`;
  }
}
