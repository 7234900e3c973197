// Judges an attempt that has ended as its journal says, with nobody left to record it.
import { attemptEnd } from '../../agents/process/attempt-end.ts';
import type { WorkerWord } from '../../agents/process/journal.ts';
import type { AttemptEnd } from '../../core/model/failure.ts';
import type { Job } from '../../core/state/state.ts';

export interface UnrecordedEnd {
  readonly end: AttemptEnd;
  readonly message: string;
  /** Why its task has failed; null: only a run can tell what becomes of it. */
  readonly failure: string | null;
}

export function unrecordedEnd(word: WorkerWord, job: Job): UnrecordedEnd {
  const end = attemptEnd(word, { killed: false });
  const how = howItEnded(end);
  const message = `its process is gone, its runner too; how it ended (${how}) was never recorded; signalbox run takes that in`;
  const isWell = end.kind === 'never-started' || (end.kind === 'exited' && end.code === 0);
  // What checks and reviews say is judged by the rules of a run.
  const failure = isWell || job.kind !== 'attempt' ? null : `its runner is gone, and so is its process (${how})`;
  return { end, message, failure };
}

/** As shells tell it: beyond 128 it was a signal. */
function howItEnded(end: AttemptEnd): string {
  switch (end.kind) {
    case 'exited':
      return end.code > 128 ? `signal ${end.code - 128}` : `exit code ${end.code}`;
    case 'unstartable':
      return end.message;
    default:
      return 'it was never started';
  }
}
