// What comes of driving a plan by hand.
import { defined } from './defined.ts';
import {
  amount,
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
  time,
  yes,
} from './schema-words.ts';

export type HandCheck = Shown<typeof handCheck>;
const handCheck = object({
  command: text,
  green: flag,
  exitCode: orNull(count),
  because: one('ended', 'timeout', 'interrupted'),
  durationMs: amount,
  tail: described(text, 'The last of what it printed.'),
});

export type MarkReport = Shown<typeof markReport>;
export const markReport = object({
  plan: text,
  task: text,
  ok: described(flag, 'False: a check was not green, and nothing was recorded.'),
  status: defined('status'),
  attempt: described(orNull(text), 'The attempt by hand that it is about; null where there was none.'),
  checks: list(handCheck),
  events: described(list(defined('event')), 'What was recorded.'),
  repeated: maybe(
    described(yes, 'The call with this request key succeeded before: nothing was recorded and no check ran again.'),
  ),
  running: described(flag, 'Whether a run of this plan goes on.'),
});

export type FindingsReport = Shown<typeof findingsReport>;
export const findingsReport = object({ plan: text, task: text, file: text, text });

export type HandRunReport = Shown<typeof handRunReport>;
export const handRunReport = object({
  plan: text,
  run: text,
  startedAt: time,
  completedAt: described(orNull(time), 'Null: it goes on.'),
  completed: count,
  failed: count,
});

export type StuckTask = Shown<typeof stuckTask>;
const stuckTask = object({
  task: text,
  attempt: text,
  kind: described(
    one('gone', 'host', 'silent', 'hand'),
    'Its process is gone; its host is not heard of; it prints nothing; whoever works on it by hand has not called.',
  ),
  by: orNull(text),
  lastSign: time,
  silentMs: amount,
  message: text,
  waitsForRun: described(
    flag,
    'It ended, and not badly, as far as is known: it is not failed, because the next run takes its result in.',
  ),
  marked: described(flag, 'It was failed just now.'),
  filesLeft: described(flag, 'What it had made of its files was not put back: the next run does.'),
});

export type StuckReport = Shown<typeof stuckReport>;
export const stuckReport = object({
  plan: text,
  limitMs: amount,
  watched: described(count, 'Attempts, and tasks that were started by hand, that were looked at.'),
  stuck: list(stuckTask),
});
