// What there is to know about a task: what whoever did it says about it, and that it was stopped half way to end a deadlock.
import type { StoppedWork, TaskState } from './state.ts';

export function noteOn({ notes, stopped }: Pick<TaskState, 'notes' | 'stopped'>): string | null {
  if (stopped === null) return notes;
  return notes === null ? stoppedWords(stopped) : `${notes} (${stoppedWords(stopped)})`;
}

/** Nothing about files where none is saved: it may have changed none, or they are about to be. */
const stoppedWords = ({ because, saved }: StoppedWork): string =>
  `was stopped because ${because}${saved === null ? '' : `; its version is saved as ${saved}`}`;
