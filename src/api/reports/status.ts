// Where plans and their tasks stand: `status`, `progress`, `plans` and `next`.
import type { StatusCounts } from '../../core/state/state.ts';
import { defined } from './defined.ts';
import {
  amount,
  count,
  described,
  either,
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
  yes,
} from './schema-words.ts';

const standing = {
  plan: text,
  title: text,
  outcome: described(orNull(defined('outcome-word')), 'Of the last run; null while one goes on and before the first.'),
  running: described(flag, 'Whether a run of this plan goes on.'),
  paused: flag,
  planStatus: described(defined('status'), 'As in `status.json`: of the whole plan, whatever the last run was about.'),
  lastRun: described(
    one('none', 'running', 'ended', 'cut-off', 'by-hand'),
    'How the plan was last worked on; cut-off: by a run whose runner is gone and could not say so.',
  ),
  summary: defined('summary'),
};

export type Stage = Shown<typeof stage>;
const stage = one('running', 'checking', 'reviewing', 'merging');

export type TaskReport = Shown<typeof taskReport>;
export const closes = maybe(
  described(
    one('group', 'phase', 'plan'),
    'Added by Signalbox: the check or review of a group, the check of a phase, the last step of the plan. Counts in no summary.',
  ),
);

const taskReport = object({
  id: text,
  title: text,
  phase: text,
  parent: maybe(described(text, 'The group around it.')),
  group: maybe(yes),
  optional: maybe(yes),
  closes,
  status: defined('status'),
  stage: described(orNull(stage), 'Of a task in progress.'),
  waitsFor: maybe(
    described(
      list(object({ resource: text, holder: text })),
      'Of a task in progress whose attempt stands still: the locks it waits for, and who has them.',
    ),
  ),
  action: maybe(
    described(text, 'Of a running coding agent: its last tool call, or the beginning of its last message.'),
  ),
  attempts: count,
  attempt: maybe(described(text, 'The last one, where its number is another: the plan was started over.')),
  needs: texts,
  prefers: texts,
  labels: maybe(described(texts, 'Of the plan: words for people and programs.')),
  blockedBy: described(texts, 'Root causes of a blocked task.'),
  startedAt: orNull(time),
  endedAt: orNull(time),
  uncountedMs: maybe(
    described(
      amount,
      'What of the time since its start does not count: the clock was set by as much, or the machine slept.',
    ),
  ),
  retryAt: orNull(time),
  failure: orNull(defined('failure')),
  notes: maybe(described(text, 'What whoever did it says about it, and why an attempt was stopped before it.')),
  finding: maybe(described(text, 'Where what the debugging agent found out is kept.')),
  by: orNull(text),
  reason: orNull(text),
});

export const budget = {
  task: maybe(described(text, 'Whose budget it is; absent: that of the run.')),
  budgetUsd: amount,
  spentUsd: amount,
  reservedUsd: described(amount, 'For what runs now.'),
  mostUsd: maybe(described(amount, 'What the first that waits may cost itself.')),
  tasks: described(count, 'How many tasks wait because of it.'),
};

export type HeldBackReport = Shown<typeof heldBackReport>;
const heldBackReport = either(
  object({
    kind: one('quota'),
    account: text,
    until: described(orNull(time), 'Null: its time is over, and one attempt tries it.'),
    tasks: described(count, 'How many tasks wait because of it.'),
  }),
  object({ kind: one('budget'), ...budget }),
);

export interface StatusReport extends Shown<typeof statusReport> {
  /** Only on pages for people, when tasks were left out of the list: how many, by phase. */
  readonly folded?: readonly FoldedPhase[];
}
export const statusReport = object({
  ...standing,
  heldBack: maybe(
    described(list(heldBackReport), 'Usage limits of accounts, and budgets, that hold tasks back; absent: none.'),
  ),
  tasks: list(taskReport),
  decisions: described(list(defined('decision')), 'Asked and not answered.'),
});

export interface FoldedPhase {
  readonly phase: string;
  readonly counts: Readonly<StatusCounts>;
  /** How many of the failed ones are optional; absent: none. */
  readonly optionalFailures?: number;
}

export type ProgressReport = Shown<typeof progressReport>;
export const progressReport = object({
  ...standing,
  percent: described(
    count,
    'Completed and skipped tasks of all, in whole percent: 100 only when all are, and 0 only when none is.',
  ),
  waitingForLocks: maybe(described(count, 'Of those in progress; absent: none.')),
});

export type PlansReport = Shown<typeof plansReport>;
export const plansReport = object({
  current: orNull(text),
  plans: list(object({ ...standing, changedAt: time })),
});

export const nextTask = object({
  id: text,
  title: text,
  phase: text,
  status: described(one('pending', 'failed'), 'Failed ones may be tried again, and come last.'),
  waitsFor: described(
    texts,
    'Pools that are full, what it wants to lock and others have, an account at its limit, and `budget-usd`.',
  ),
});

export type NextReport = Shown<typeof nextReport>;
export const nextReport = object({ plan: text, tasks: list(nextTask) });
