// Attempts that were stopped to end a deadlock. Saving their work, putting files back and the new need are separate events; they
// are kept here until one sentence can tell them all.

import { listWords } from '../../core/model/count-words.ts';
import type { DeadlockResolved, FilesPutBack, LockWaiting, NeedAdded, WorkSaved } from '../../core/model/lock-event.ts';
import { type StoredLockEvent, savedAs } from '../text/describe/describe-lock-event.ts';

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

  /** The wait is only for locks of stopped attempts: the line about the deadlock tells it. */
  coversWait({ blockedBy }: LockWaiting): boolean {
    const attempts = [...this.stopped.values()].map(({ attempt }) => attempt);
    return blockedBy.every((name) => attempts.includes(name));
  }

  /** How the deadlock ended for this task, which is then forgotten. */
  tell({ victimTask }: DeadlockResolved): string {
    const { saved, putBack, after } = this.stopped.get(victimTask) ?? {};
    this.stopped.delete(victimTask);
    const work = saved && saved.saved !== null ? `its work is ${savedAs(saved)}; ` : '';
    const left = putBack?.left ? `${listWords(putBack.left)} could not be put back; ` : '';
    const when = after ? ` after ${after.on}` : '';
    return `the deadlock is resolved: ${work}${left}it runs again${when}, and no retry was used`;
  }
}
