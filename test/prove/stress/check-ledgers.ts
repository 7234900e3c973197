// What the clients wrote about themselves, put side by side: nobody was in a file while another had it alone, and whoever asked was
// answered, unless it was killed.
import type { Entry } from './ledger.ts';
import type { Mode } from './resources.ts';

export interface LedgerCheck {
  readonly wrong: string[];
  readonly granted: number;
  readonly kills: number;
  readonly longestWaitMs: number;
  readonly byClient: ReadonlyMap<string, number>;
}

const fewAsks = 10;

export function checkLedgers(entries: readonly Entry[], clients: readonly string[]): LedgerCheck {
  const wrong: string[] = [];
  const inside = new Map<string, Map<number, { readonly mode: Mode; readonly who: string }>>();
  const asked = new Map<number, string>();
  const byClient = new Map<string, number>();
  const ended = new Set<string>();
  /** Told to die, and perhaps not dead yet: what such a process still says is true, but nobody can say when its locks went. */
  const dying = new Set<number>();
  let kills = 0;
  let longestWaitMs = 0;
  const leave = (pid: number, file: string) => void inside.get(file)?.delete(pid);
  for (const entry of entries) {
    const { who, pid } = entry;
    switch (entry.what) {
      case 'wrong':
        wrong.push(`${who}: ${entry.text}`);
        break;
      case 'ask':
        if (!dying.has(pid)) asked.set(pid, `${who} asked for ${entry.resources.join(', ')}`);
        break;
      case 'answer':
        asked.delete(pid);
        longestWaitMs = Math.max(longestWaitMs, entry.ms);
        if (entry.answer === 'granted') byClient.set(who, (byClient.get(who) ?? 0) + 1);
        break;
      case 'enter': {
        const others = inside.get(entry.file) ?? new Map();
        for (const [other, { mode, who: name }] of others) {
          if (other !== pid && (mode === 'exclusive' || entry.mode === 'exclusive'))
            wrong.push(`${who} entered ${entry.file} while ${name} was in it`);
        }
        if (!dying.has(pid)) inside.set(entry.file, others.set(pid, { mode: entry.mode, who }));
        break;
      }
      case 'leave':
        leave(pid, entry.file);
        break;
      case 'kill':
        kills++;
        dying.add(entry.child);
        asked.delete(entry.child);
        for (const file of inside.keys()) leave(entry.child, file);
        break;
      case 'end':
        ended.add(who);
        break;
      default: // what was given back is judged by the client itself
        break;
    }
  }
  for (const text of asked.values()) wrong.push(`${text}, and was never answered`);
  for (const who of clients) {
    if (!ended.has(who)) wrong.push(`${who} did not come to its end`);
    const asks = entries.filter((entry) => entry.who === who && entry.what === 'ask').length;
    // A command on a busy machine asks only a few times in some seconds, and may find everything taken.
    if (!byClient.has(who) && asks >= fewAsks) wrong.push(`${who} asked ${asks} times and never got a lock`);
  }
  return { wrong, granted: [...byClient.values()].reduce((a, b) => a + b, 0), kills, longestWaitMs, byClient };
}
