// How an event lies in a table: the columns that are asked for, and the rest as JSON. The same for every database.
import type { StoredEvent } from '../core/model/event.ts';
import { Outage } from './outage.ts';

export interface EventRow {
  readonly seq: number;
  readonly at: number;
  readonly plan: string;
  readonly type: string;
  readonly v: number;
  /** JSON of what is not in the columns. */
  readonly body: string;
}

export function encodeEvent(event: StoredEvent): EventRow {
  const { seq, at, plan, type, v, ...rest } = event;
  return { seq, at, plan, type, v, body: JSON.stringify(rest) };
}

export function decodeEvent(row: EventRow): StoredEvent {
  const { seq, at, plan, type, v } = row;
  return { type, v, plan, ...parseBody(row), seq, at } as StoredEvent;
}

function parseBody(row: EventRow): object {
  try {
    return JSON.parse(row.body);
  } catch (cause) {
    throw new Outage('broken-database', `event ${row.seq} of the log cannot be read: its text is damaged`, { cause });
  }
}
