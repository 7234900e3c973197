// What a run comes to, and what it would do.
import { defined } from './defined.ts';
import { approval, optionalDifference, runHindrance } from './plan-files.ts';
import { landReport } from './results.ts';
import {
  amount,
  count,
  described,
  flag,
  instant,
  list,
  mapOf,
  maybe,
  object,
  one,
  orNull,
  type Shown,
  text,
  texts,
} from './schema-words.ts';
import { budget, closes } from './status.ts';

export type RunReport = Shown<typeof runReport>;
export const runReport = object({
  plan: text,
  run: text,
  seq: described(count, 'Of the last event.'),
  at: instant,
  outcome: defined('outcome-word'),
  exitCode: count,
  summary: defined('summary'),
  blocked: list(object({ task: text, closes, causes: list(defined('cause')) })),
  failed: described(
    list(
      object({
        task: text,
        closes,
        failure: defined('failure'),
        optional: flag,
        log: orNull(text),
        tail: described(texts, 'The last lines it printed, as they are.'),
      }),
    ),
    'Tasks that failed for good, optional ones too.',
  ),
  skipped: texts,
  skippedClosing: described(
    texts,
    'Of those that were skipped: checks of groups and phases, and the last step. No count has them.',
  ),
  decisions: described(list(defined('decision')), 'Asked and not answered.'),
  durationMs: amount,
  cost: described(
    orNull(object({ usd: amount, unknown: described(count, 'Attempts of coding agents whose cost is not known.') })),
    'Of its coding agents; null: none has ended.',
  ),
  pausedBy: described(
    orNull(one('person', 'attempts', 'quota', 'budget')),
    'What keeps a paused run from going on: a person, or a limit that is used up.',
  ),
  budgets: described(list(object(budget)), 'Of a paused run: the budgets without room for what is left to do.'),
  edit: described(
    orNull(object({ because: text, ...optionalDifference })),
    'An edit of the plan file that the run has not taken, and why.',
  ),
  results: described(
    orNull(landReport),
    'Of a run with worktrees: what it has gathered, and what landing it did, or would do; null: it worked in the workspace.',
  ),
  said: described(texts, 'The end of what the last step of the plan (`finish`) printed, if it is completed.'),
  oldText: described(texts, 'Edited while they ran, and completed as they were started.'),
});

export type DryRunTask = Shown<typeof dryRunTask>;
const dryRunTask = object({
  id: text,
  title: text,
  closes,
  command: text,
  pools: texts,
  locks: described(object({ exclusive: texts, shared: texts }), 'Taken all at once before it starts.'),
  estimateMs: orNull(amount),
});

export type DryRunConflict = Shown<typeof dryRunConflict>;
const dryRunConflict = described(
  object({ keys: texts, tasks: texts }),
  'One key, or two that overlap, and all tasks that take a lock on it.',
);

export type DryRunReport = Shown<typeof dryRunReport>;
export const dryRunReport = object({
  plan: text,
  order: text,
  summary: described(defined('summary'), 'Of the whole plan, as it is now.'),
  limits: object({ plan: count, workspace: maybe(count), pools: mapOf(count) }),
  criticalPath: described(
    object({ tasks: texts, estimateMs: orNull(amount) }),
    'The longest way through what would run, by time where something is known about it, else by the number of tasks.',
  ),
  estimate: described(
    orNull(
      object({
        wallMs: described(orNull(amount), 'Null when something would never start.'),
        measured: described(count, 'How many completed tasks it is judged by.'),
        ownKind: described(count, 'For how many of the tasks some of their own kind were among those.'),
      }),
    ),
    'How long it may all take; null before anything of this plan was completed.',
  ),
  isolation: described(
    object({
      kind: one('worktree', 'shared'),
      because: text,
      branch: described(orNull(text), 'Where results would gather; null: in the workspace.'),
      notes: described(texts, 'What a person should know before.'),
    }),
    'Where attempts would work.',
  ),
  hindrances: described(list(runHindrance), 'Why `run` would refuse to start it; agents that are missing here.'),
  notes: described(texts, 'What `run` would warn of: versions of agents, logins that they share.'),
  approval,
  waves: described(
    list(
      object({
        tasks: list(dryRunTask),
        conflicts: described(list(dryRunConflict), 'Who of them cannot run together.'),
        moreConflicts: described(flag, 'There are more than those.'),
      }),
    ),
    'Tasks by the number of steps before them, ended ones left out.',
  ),
});

export type DetachReport = Shown<typeof detachReport>;
export const detachReport = object({
  plan: text,
  run: text,
  pid: described(count, 'The process that runs it.'),
  log: described(text, 'What it prints; the beginning only, if that is much.'),
  exitCode: described(orNull(count), 'It has ended already; null: it goes on.'),
});
