// What `why` tells: where a task is, and the reasons.

import { defined } from './defined.ts';
import { incidents } from './incidents.ts';
import {
  amount,
  count,
  described,
  either,
  flag,
  instant,
  instantIfKnown,
  list,
  maybe,
  object,
  one,
  orNull,
  type Shown,
  text,
  texts,
  yes,
} from './schema-words.ts';
import { unattended } from './unattended.ts';

const status = defined('status');
const via = maybe(described(text, 'The group around it whose need this is.'));

export const reason = either(
  object({
    kind: one('need'),
    task: text,
    status,
    causes: list(defined('cause')),
    via,
    part: maybe(described(yes, 'A group waits for its own subtask.')),
  }),
  object({ kind: one('preference'), task: text, status, via }),
  object({
    kind: one('phase'),
    phase: text,
    tasks: list(object({ task: text, status })),
    step: maybe(described(yes, 'The order puts these tasks before it; else they are of a phase before its own.')),
  }),
  object({ kind: one('slot'), pool: text, limit: count, running: count }),
  object({
    kind: one('quota'),
    account: text,
    until: described(instantIfKnown, 'Null: its time is over, and another attempt tries it first.'),
  }),
  object({ kind: one('backoff'), until: instant, failure: orNull(defined('failure')) }),
  object({
    kind: one('lock'),
    resource: text,
    holder: text,
    task: orNull(text),
    how: described(
      one('held', 'behind', 'after'),
      'held: the holder has it, or waits for it and came first; behind: a task that has not started did; after: told by a deadlock.',
    ),
    unattended: maybe(unattended),
    since: instantIfKnown,
  }),
  object({
    kind: one('paused'),
    by: text,
    reason: maybe(text),
    budget: maybe(
      described(
        object({
          of: one('task', 'run'),
          budgetUsd: amount,
          spentUsd: amount,
          reservedUsd: described(amount, 'For what runs now.'),
          mostUsd: maybe(described(amount, 'What its next attempt or review may cost itself.')),
        }),
        'This one has no room for it.',
      ),
    ),
  }),
  object({ kind: one('suspended', 'skipped'), by: text, reason: orNull(text) }),
  object({
    kind: one('failed'),
    failure: defined('failure'),
    attempts: count,
    left: maybe(described(count, 'How often it may still be tried by hand; absent where no attempt is left.')),
    again: maybe(described(yes, 'The next run tries it, too.')),
  }),
  object({ kind: one('done'), at: instantIfKnown, by: orNull(text) }),
  object({
    kind: one('running'),
    attempt: text,
    since: instant,
    ending: flag,
    check: maybe(described(text, 'The attempt has ended, and this command tells whether it did its work.')),
    by: maybe(described(text, 'Somebody does it by hand.')),
  }),
  object({
    kind: one('decision'),
    decision: text,
    asks: defined('decision-kind'),
    task: described(orNull(text), 'What it is about, if it is another task; null: the plan.'),
  }),
  object({
    kind: one('review'),
    state: one('waiting'),
    by: one('agent'),
    attempt: text,
    before: described(count, 'How many reviews come before it.'),
  }),
  object({ kind: one('review'), state: one('waiting'), by: one('human'), attempt: text, decision: orNull(text) }),
  object({ kind: one('review'), state: one('going-on'), attempt: text, since: instant }),
  object({ kind: one('merge'), state: one('going-on'), attempt: text, since: instant }),
  object({
    kind: one('merge'),
    state: one('waiting'),
    attempt: text,
    before: described(count, 'How many merges come before it.'),
    held: described(flag, 'Nothing is merged until a person has answered.'),
  }),
  object({
    kind: one('review'),
    state: one('rejected'),
    severity: defined('severity'),
    issues: list(defined('issue')),
  }),
);

export type WhyReport = Shown<typeof whyReport>;
export const whyReport = object({
  plan: text,
  task: text,
  title: text,
  status,
  optional: maybe(yes),
  reasons: list(defined('reason')),
  notes: maybe(described(text, 'As in `status`.')),
  finding: maybe(described(text, 'Where what the debugging agent found out is kept.')),
  incidents: maybe(incidents),
  repair: maybe(described(text, 'Of a failed or suspended task: its tree, in which a person can repair it.')),
  unlogged: maybe(described(texts, 'Failed tasks among the reasons that have left no log, as what was done by hand.')),
  running: described(flag, 'Whether a run of this plan goes on.'),
});
