// What the commands about decisions print, and the reasons that have to do with them.
import {
  count,
  defined,
  either,
  flag,
  type JsonSchema,
  list,
  object,
  one,
  orNull,
  text,
  texts,
  time,
} from './shape.ts';

const severity = one('low', 'medium', 'high');
const kind = one('failure', 'rejection', 'review', 'soft-failure', 'livelock', 'batch', 'stuck');

export const verifyReasons: readonly JsonSchema[] = [
  object({ kind: one('decision'), decision: text, asks: kind, task: orNull(text) }),
  object({ kind: one('review'), state: one('waiting'), by: one('agent'), attempt: text, before: count }),
  object({ kind: one('review'), state: one('waiting'), by: one('human'), attempt: text, decision: orNull(text) }),
  object({ kind: one('review'), state: one('going-on'), attempt: text, since: time }),
  object({ kind: one('review'), state: one('rejected'), severity, issues: list(defined('issue')) }),
];

const answer = object({
  plan: text,
  decision: text,
  choice: defined('choice'),
  task: orNull(text),
  affected: texts,
  events: list(defined('event')),
  running: flag,
});

const shown = object({
  plan: text,
  decision: defined('decision'),
  title: text,
  failure: orNull(defined('failure')),
  attempts: count,
  accept: texts,
  log: orNull(text),
  tail: texts,
  rest: list(object({ task: text, failure: orNull(defined('failure')), log: orNull(text) })),
  tree: list(object({ task: text, title: text, depth: count })),
  options: list(object({ choice: defined('choice'), does: text, command: text })),
  running: flag,
});

const past = object({
  id: text,
  kind,
  task: orNull(text),
  attempt: orNull(text),
  openedAt: time,
  blocks: defined('task-names'),
  goesOn: defined('task-names'),
  options: list(defined('choice')),
  evidence: orNull(defined('evidence')),
  state: one('open', 'answered', 'closed'),
  answer: orNull(
    object({
      choice: defined('choice'),
      by: text,
      at: time,
      reason: orNull(text),
      affected: texts,
      policy: orNull(defined('on-failure')),
    }),
  ),
  closedAt: orNull(time),
});

const failedTasks = object({
  plan: text,
  tasks: list(
    object({
      id: text,
      title: text,
      status: one('failed', 'pending'),
      used: count,
      allowed: count,
      failure: orNull(defined('failure')),
      issues: list(defined('issue')),
      retryAt: orNull(time),
    }),
  ),
});

const restructured = object({
  plan: text,
  decision: text,
  change: one('drop-need', 'merge', 'move', 'reload'),
  applied: flag,
  added: list(text),
  removed: list(text),
  changed: list(text),
  retried: list(text),
  unblocked: list(text),
  written: flag,
});

export const decisionShapes: Readonly<Record<string, JsonSchema>> = {
  /** Without an id: what is open; with one: the question; with a choice: the answer, or the new shape; `--history`: all of them. */
  decide: either(
    object({ plan: text, decisions: list(defined('decision')) }),
    shown,
    answer,
    object({ plan: text, decisions: list(past) }),
    restructured,
  ),
  approve: answer,
  reject: answer,
  retryable: failedTasks,
  exhausted: failedTasks,
};
