// Keeps the `attempts` table in step with the events, inside the transaction that appends them.
import type { Event } from '../../core/event.ts';
import { impossible } from '../../core/impossible.ts';
import { attemptChange } from '../attempt-change.ts';
import type { Database } from './database.ts';
import { once } from './once.ts';

export class AttemptTable {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(db: Database) {
    this.#statements = prepare(db);
  }

  apply(event: Event): void {
    const change = attemptChange(event);
    if (!change) return;
    const { add, start, doom, remove } = this.#statements;
    switch (change.kind) {
      case 'added': {
        const { token, plan, task, attempt, run, host, state } = change.row;
        add().run(token, plan, task, attempt, run, host, state);
        return;
      }
      case 'started':
        start().run(JSON.stringify(change.supervisor), change.token);
        return;
      case 'doomed':
        doom().run(change.token);
        return;
      case 'removed':
        remove().run(change.token);
        return;
      default:
        impossible(change);
    }
  }
}

function prepare(db: Database) {
  return {
    add: once(() =>
      db.prepare<[number, string, string, string, string, string, string]>(
        'INSERT INTO attempts (token, plan, task, attempt, run, host, state) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ),
    ),
    start: once(() =>
      db.prepare<[string, number]>(
        "UPDATE attempts SET supervisor = ?, state = CASE state WHEN 'scheduled' THEN 'running' ELSE state END WHERE token = ?",
      ),
    ),
    doom: once(() => db.prepare<[number]>("UPDATE attempts SET state = 'doomed' WHERE token = ?")),
    remove: once(() => db.prepare<[number]>('DELETE FROM attempts WHERE token = ?')),
  };
}
