// Events of work by hand, one line each.

import { countWords } from '../../../core/model/count-words.ts';
import type { StoredEvent } from '../../../core/model/event.ts';
import type { HandEvent } from '../../../core/model/hand-event.ts';
import { impossible } from '../../../core/model/impossible.ts';

export type StoredHandEvent = Extract<StoredEvent, HandEvent>;

export function describeHandEvent(event: StoredHandEvent): string {
  switch (event.type) {
    case 'task-started':
      return `${event.by} started ${event.attempt} by hand`;
    case 'task-seen':
      return `${event.by} is still working on ${event.attempt}`;
    case 'task-handed-in':
      return `${event.by} handed in ${event.attempt}${event.notes === undefined ? '' : `: ${event.notes}`}`;
    case 'hand-run-started':
      return `${event.by} started a run by hand`;
    case 'hand-run-ended':
      return `the run by hand ended: ${event.completed} completed, ${event.failed} failed`;
    case 'status-imported':
      return `the state of ${countWords(event.tasks.length, 'task')} was imported from ${event.from}`;
    default:
      return impossible(event);
  }
}
