// The note on a task: what its worker said about it, and whether it was stopped half way to end a deadlock.
import type { StoppedWork, TaskState } from '../state/state.ts';

export function noteOn({ notes, stopped }: Pick<TaskState, 'notes' | 'stopped'>): string | null {
  if (stopped === null) return notes;
  return notes === null ? stoppedWords(stopped) : `${notes} (${stoppedWords(stopped)})`;
}

/** No word about files when none is saved: it may have changed none, or saving has not finished. */
const stoppedWords = ({ because, saved }: StoppedWork): string =>
  `was stopped because ${because}${saved === null ? '' : `; its version is saved as ${saved}`}`;
