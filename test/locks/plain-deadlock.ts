// Whether a wait can never end, by letting everybody who can go on give everything back, again and again: who is still waiting then
// waits for ever. No graph, no edges; for requests of one resource each.
import type { Hold, Want } from '../../src/locks/lock-table.ts';

export interface PlainWait {
  readonly owner: string;
  readonly want: Want;
}

export interface PlainTable {
  readonly holds: readonly Pick<Hold, 'owner' | 'key' | 'mode'>[];
  /** In order. */
  readonly waits: readonly PlainWait[];
  /** Those who are being ended: they give back whatever they have, and want nothing. */
  readonly ending: ReadonlySet<string>;
}

/** @param overlap as the author of the case knows it. */
export function neverEnds(table: PlainTable, asked: PlainWait, overlap: (a: string, b: string) => boolean): boolean {
  const conflict = (a: Want, b: Want) => (a.mode === 'exclusive' || b.mode === 'exclusive') && overlap(a.key, b.key);
  let waits = [...table.waits.filter(({ owner }) => !table.ending.has(owner)), asked];
  let holds = [...table.holds];
  for (;;) {
    holds = holds.filter(({ owner }) => waits.some((wait) => wait.owner === owner));
    const next = waits.findIndex(({ owner, want }, i) => {
      if (holds.some((hold) => hold.owner !== owner && conflict(want, hold))) return false;
      return waits.slice(0, i).every((earlier) => {
        if (earlier.owner === owner || !conflict(want, earlier.want)) return true;
        return holds.some((hold) => hold.owner === owner && conflict(earlier.want, hold));
      });
    });
    if (next === -1) return waits.some(({ owner }) => owner === asked.owner);
    const { owner, want } = waits[next]!;
    holds.push({ owner, ...want });
    waits = waits.filter((_, i) => i !== next);
  }
}
