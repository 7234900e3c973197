// What was done by hand, as one line each.
import type { StoredEvent } from '../core/event.ts';
import type { HandEvent } from '../core/hand-event.ts';
import { impossible } from '../core/impossible.ts';
import { countWords } from './count-words.ts';

export type StoredHandEvent = Extract<StoredEvent, HandEvent>;

export function describeHandEvent(event: StoredHandEvent): string {
  switch (event.type) {
    case 'task-started':
      return `${event.attempt} was started by hand, by ${event.by}`;
    case 'task-seen':
      return `${event.by} still works on ${event.attempt}`;
    case 'task-handed-in':
      return `${event.attempt} was handed in by ${event.by}${event.notes === undefined ? '' : `: ${event.notes}`}`;
    case 'hand-run-started':
      return `a run by hand was started by ${event.by}`;
    case 'hand-run-ended':
      return `the run by hand ended: ${event.completed} completed, ${event.failed} failed`;
    case 'status-imported':
      return `the state of ${countWords(event.tasks.length, 'task')} was taken from ${event.from}`;
    default:
      return impossible(event);
  }
}
