// What the commands about locks print.
import { count, flag, type JsonSchema, list, object, one, orNull, text, texts, time } from './shape.ts';

const mode = one('exclusive', 'shared');
const party = { owner: text, task: orNull(text), plan: orNull(text) };
const unattended = { 'unattended?': object({ is: one('dead', 'alone', 'asked'), plan: text }) };
const holders = list(
  object({ ...party, resource: text, does: one('holds', 'waits'), since: orNull(time), ...unattended }),
);
const answer = object({
  answer: one('granted', 'busy', 'timeout', 'deadlock', 'victim', 'over', 'interrupted'),
  owner: text,
  resources: texts,
  holders,
  reason: orNull(text),
  release: texts,
  waitedMs: count,
});
const release = object({ owner: text, released: texts, notHeld: texts });

export const lockShapes: Readonly<Record<string, JsonSchema>> = {
  'lock try': answer,
  'lock wait': answer,
  'lock release': release,
  'lock release-all': release,
  'lock check': object({ resource: text, free: flag, holders }),
  'lock list': object({
    holds: list(
      object({ resource: text, mode, ...party, since: time, fence: count, until: orNull(time), ...unattended }),
    ),
    waits: list(object({ resources: texts, ...party, since: time, blockedBy: texts })),
    deadlocks: texts,
  }),
};

/** Of `graph --waits`. */
export const waitGraph: Readonly<Record<string, JsonSchema>> = {
  parties: list(
    object({
      id: text,
      name: text,
      task: orNull(text),
      plan: orNull(text),
      title: orNull(text),
      holds: list(object({ resource: text, mode })),
      waitsFor: list(object({ resources: texts, since: time, place: count })),
      ending: flag,
      inCycle: flag,
    }),
  ),
  waits: list(
    object({ waiter: text, blocker: text, resource: text, theirs: text, how: one('held', 'behind'), inCycle: flag }),
  ),
  deadlocks: texts,
};
