// An event with its texts made safe for a terminal. A plan's definition is left alone: it is large, and only counted.
import type { StoredEvent } from '../../core/model/event.ts';
import { plainData } from './plain-data.ts';

export function plainEvent(event: StoredEvent): StoredEvent {
  if (event.type !== 'plan-loaded') return plainData(event);
  const { definition, ...rest } = event;
  return { ...plainData(rest), definition };
}
