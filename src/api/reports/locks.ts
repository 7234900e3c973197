// What is answered about locks, and who waits for whom.
import {
  count,
  described,
  flag,
  list,
  maybe,
  object,
  one,
  orNull,
  type Shown,
  text,
  texts,
  time,
} from './schema-words.ts';
import { unattended } from './unattended.ts';

export type Unattended = Shown<typeof unattended>;

const mode = one('exclusive', 'shared');
const party = { owner: text, task: orNull(text), plan: orNull(text) };

export type LockHolder = Shown<typeof lockHolder>;
const lockHolder = object({
  ...party,
  resource: text,
  does: one('holds', 'waits'),
  since: described(orNull(time), 'Since when; null for one that only waits.'),
  unattended: maybe(unattended),
});

export type LockReport = Shown<typeof lockReport>;
export const lockReport = object({
  answer: described(
    one('granted', 'busy', 'timeout', 'deadlock', 'victim', 'over', 'interrupted'),
    'deadlock: waiting would never end; victim: this attempt was stopped to end one; over: this attempt has ended.',
  ),
  owner: text,
  resources: texts,
  holders: described(list(lockHolder), 'Who is in the way, and with what; empty when it was granted.'),
  reason: described(orNull(text), 'The deadlock in words.'),
  release: described(texts, 'What this owner would have to release first; empty unless waiting would be a deadlock.'),
  waitedMs: count,
});

export type ReleaseReport = Shown<typeof releaseReport>;
export const releaseReport = object({
  owner: text,
  released: texts,
  notHeld: described(texts, 'Asked for, and not held by this owner.'),
});

export type LockCheckReport = Shown<typeof lockCheckReport>;
export const lockCheckReport = object({ resource: text, free: flag, holders: list(lockHolder) });

export type LockListReport = Shown<typeof lockListReport>;
export const lockListReport = object({
  holds: list(
    object({
      resource: text,
      mode,
      ...party,
      since: time,
      fence: count,
      heldMs: described(count, 'Without what the clock was set by or the machine slept.'),
      until: described(orNull(time), 'When it goes by itself; null: with its attempt or process.'),
      leftMs: described(
        orNull(count),
        'Until then, by the clock that leases go by: setting the clock does not change it.',
      ),
      unattended: maybe(unattended),
    }),
  ),
  waits: list(object({ resources: texts, ...party, since: time, waitedMs: count, blockedBy: texts })),
  deadlocks: described(texts, 'Cycles that are being resolved or that nobody may resolve, in words.'),
});

export type WaitParty = Shown<typeof waitParty>;
const waitParty = object({
  id: described(text, 'Unique, unlike a name: two plans may have the same attempt.'),
  name: text,
  task: orNull(text),
  plan: orNull(text),
  title: described(orNull(text), 'Of the task.'),
  holds: list(object({ resource: text, mode })),
  waitsFor: list(object({ resources: texts, since: time, place: described(count, '1: next in line.') })),
  ending: described(flag, 'It is being stopped, to end a deadlock or for another reason.'),
  inCycle: flag,
});

export type WaitEdge = Shown<typeof waitEdge>;
const waitEdge = object({
  waiter: text,
  blocker: text,
  resource: described(text, 'What the waiter wants.'),
  theirs: described(text, 'What the blocker has or wants of it: `src/a.ts` is in the way of `src/**`.'),
  how: described(one('held', 'behind'), 'held: the blocker has it; behind: it only came first.'),
  inCycle: flag,
});

/** Everybody who waits for a lock in the workspace, and everybody in their way. */
export const waits = {
  parties: list(waitParty),
  waits: list(waitEdge),
  deadlocks: described(texts, 'Cycles, in words.'),
};
export type WaitReport = Shown<typeof waitReport>;
const waitReport = object(waits);
