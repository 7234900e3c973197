// The status a task starts with, where other tools write one into the plan. What has failed is tried again, and what was in
// progress elsewhere is not here.
import type { RawTask } from '../read/raw-plan.ts';

const statuses: ReadonlyMap<string, RawTask['box']> = new Map([
  ['pending', 'open'],
  ['in_progress', 'open'],
  ['blocked', 'open'],
  ['failed', 'open'],
  ['completed', 'completed'],
  ['skipped', 'skipped'],
  ['suspended', 'suspended'],
]);

export const startingStatuses: readonly string[] = [...statuses.keys()];

/** Undefined for a word that is none of them. */
export const startingStatus = (word: string): RawTask['box'] | undefined => statuses.get(word);

/** In a table people write it in their own words; one that nobody knows is open. */
export function looseStatus(text: string): RawTask['box'] {
  const plain = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}✅✔☑-]+/gu, ' ')
    .trim();
  if (/^(?:done|complete|completed|finished|x|✅.*|✔.*|☑.*)$/u.test(plain)) return 'completed';
  if (/^(?:skip|skipped|-)$/.test(plain) && text.trim() !== '-') return 'skipped';
  return /^(?:suspended|on hold)$/.test(plain) ? 'suspended' : 'open';
}
