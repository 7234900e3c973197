// The last runner of each plan, read from the events alone: a migration first looks whether these processes live.
import type { RunStarted } from '../../core/model/run-event.ts';
import { decodeEvent, type EventRow } from '../event-row.ts';
import type { Database } from './database.ts';

export type LastRun = Pick<RunStarted, 'plan' | 'run' | 'runner'>;

/** One for each plan. Also where the end is recorded: its process may still have the database open. */
export function lastRuns(db: Database): LastRun[] {
  const rows = db
    .prepare<[], EventRow>("SELECT seq, at, plan, type, v, body FROM events WHERE type = 'run-started' ORDER BY seq")
    .all();
  const last = new Map<string, LastRun>();
  for (const event of rows.map(decodeEvent)) if (event.type === 'run-started') last.set(event.plan, event);
  return [...last.values()];
}
