// Reads the database as it lies on the disk and replays what it says about locks by the plainest rules there are: no hold beside one
// that it conflicts with, nothing given back that was not had, every request that waited has one end, nothing left over.
import Database from 'better-sqlite3';
import { type Mode, resources } from './resources.ts';

interface Row {
  readonly seq: number;
  readonly type: string;
  readonly body: string;
}

export interface LogCheck {
  readonly wrong: string[];
  readonly acquired: number;
  readonly waited: number;
  readonly refused: number;
  readonly reaped: number;
}

export function checkLog(database: string, mayLock: (resource: string) => boolean): LogCheck {
  const db = new Database(database, { readonly: true });
  const rows = db.prepare('SELECT seq, type, body FROM events ORDER BY seq').all() as Row[];
  db.close();
  const wrong: string[] = [];
  const holds = new Map<string, { owner: string; resource: string; mode: Mode }>();
  const waiting = new Map<number, string>();
  const ended = new Set<number>();
  const count = { acquired: 0, waited: 0, refused: 0, reaped: 0 };
  rows.forEach(({ seq, type, body }, i) => {
    if (seq !== i + 1) wrong.push(`event ${seq} stands at place ${i + 1}`);
    const { owner, resource, mode, ticket, because } = JSON.parse(body);
    const name = `${owner} ${resource}`;
    if (type === 'lock-acquired') {
      count.acquired++;
      if (!mayLock(resource)) wrong.push(`event ${seq} is about ${resource}`);
      for (const hold of holds.values()) {
        if (hold.owner === owner || (hold.mode === 'shared' && mode === 'shared')) continue;
        if (filesOf(resource).some((file) => filesOf(hold.resource).includes(file)))
          wrong.push(`event ${seq} gives ${resource} to ${owner} while ${hold.owner} has ${hold.resource}`);
      }
      const stronger = holds.get(name)?.mode === 'exclusive' ? 'exclusive' : mode;
      holds.set(name, { owner, resource, mode: stronger });
      if (ticket !== undefined) {
        if (waiting.get(ticket) !== owner && !ended.has(ticket))
          wrong.push(`event ${seq} ends a wait that never began: ${ticket}`);
        waiting.delete(ticket);
        ended.add(ticket);
      }
    } else if (type === 'lock-released') {
      if (!holds.delete(name)) wrong.push(`event ${seq} takes ${resource} from ${owner}, who has not got it`);
      if (because === 'died') count.reaped++;
    } else if (type === 'lock-waiting') {
      count.waited++;
      waiting.set(seq, owner);
    } else if (type === 'lock-wait-ended') {
      if (waiting.get(ticket) !== owner) wrong.push(`event ${seq} ends a wait that is over: ${ticket}`);
      waiting.delete(ticket);
      ended.add(ticket);
      if (because === 'died') count.reaped++;
    } else if (type === 'lock-refused') count.refused++;
  });
  for (const { owner, resource } of holds.values()) wrong.push(`at the end, ${owner} still has ${resource}`);
  for (const [ticket, owner] of waiting) wrong.push(`at the end, ${owner} still waits (${ticket})`);
  return { wrong, ...count };
}

const filesOf = (resource: string): readonly string[] => resources[resource] ?? [resource];
