// Questions that only a person may answer, their answers, and the attempts that failed tasks have left.
import { defined } from './defined.ts';
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
  yes,
} from './schema-words.ts';

const failure = orNull(defined('failure'));
const tail = described(texts, 'The last lines it printed, as they are.');

export type DecisionListReport = Shown<typeof decisionListReport>;
export const decisionListReport = object({ plan: text, decisions: list(defined('decision')) });

export type BlockedBranch = Shown<typeof blockedBranch>;
const blockedBranch = object({
  task: text,
  title: text,
  depth: described(count, '0: directly below what the decision is about.'),
});

export type OptionReport = Shown<typeof optionReport>;
const optionReport = object({
  choice: defined('choice'),
  does: described(text, 'What it does, in one line.'),
  command: described(text, 'What to type behind `signalbox`.'),
});

export type DecisionShowReport = Shown<typeof decisionShowReport>;
export const decisionShowReport = object({
  plan: text,
  decision: described(defined('decision'), 'With what goes on now, not with what went on when it was asked.'),
  title: described(text, 'Of the task it is about; empty when it is about the plan.'),
  failure,
  optional: maybe(yes),
  attempts: count,
  accept: described(texts, 'What the plan asks of the task.'),
  log: orNull(text),
  tail,
  rest: described(
    list(object({ task: text, failure, optional: maybe(yes), log: orNull(text) })),
    'Of a phase that ends as a unit: what was not completed.',
  ),
  tree: described(list(blockedBranch), 'What it blocks, each below what it waits for.'),
  options: list(optionReport),
  running: described(flag, 'Whether a run goes on that will act on the answer.'),
});

export type DecisionAnswerReport = Shown<typeof decisionAnswerReport>;
export const decisionAnswerReport = object({
  plan: text,
  decision: text,
  choice: defined('choice'),
  task: orNull(text),
  affected: texts,
  repair: maybe(
    described(list(object({ task: text, folder: text })), 'With `fix`: the trees in which the tasks are repaired.'),
  ),
  events: described(list(defined('event')), 'What was recorded.'),
  running: flag,
});

const pastAnswer = object({
  choice: defined('choice'),
  by: text,
  at: time,
  reason: orNull(text),
  note: described(orNull(text), 'What the next attempt was told.'),
  agent: described(orNull(text), 'Who performs the next attempt instead.'),
  affected: texts,
  policy: described(
    orNull(defined('on-failure')),
    'It was not a person’s, but what the plan or the run says is to be done.',
  ),
});

export type PastDecision = Shown<typeof pastDecision>;
const pastDecision = object({
  id: text,
  kind: defined('decision-kind'),
  task: orNull(text),
  attempt: orNull(text),
  openedAt: time,
  blocks: defined('task-names'),
  goesOn: defined('task-names'),
  options: list(defined('choice')),
  evidence: orNull(defined('evidence')),
  state: described(one('open', 'answered', 'closed'), 'closed: nobody answered, and nobody has to any more.'),
  answer: described(orNull(pastAnswer), 'Null unless it was answered.'),
  closedAt: orNull(time),
});

export type DecisionHistoryReport = Shown<typeof decisionHistoryReport>;
export const decisionHistoryReport = object({ plan: text, decisions: list(pastDecision) });

export type RestructureReport = Shown<typeof restructureReport>;
export const restructureReport = object({
  plan: text,
  decision: text,
  changes: list(one('drop-need', 'merge', 'move', 'reload')),
  applied: flag,
  added: texts,
  removed: texts,
  changed: texts,
  retried: described(texts, 'Failed, and to be tried again.'),
  unblocked: described(texts, 'Were blocked, and are not any more.'),
  written: described(flag, 'The file was changed too.'),
});

export type FailedTask = Shown<typeof failedTask>;
const failedTask = object({
  id: text,
  title: text,
  status: one('failed', 'pending'),
  optional: maybe(yes),
  used: described(count, 'Attempts that count.'),
  allowed: described(count, 'How many of them there may be.'),
  failure,
  issues: described(list(defined('issue')), 'What its last review found.'),
  retryAt: orNull(time),
});

export type AttemptsReport = Shown<typeof attemptsReport>;
const attemptsReport = object({ plan: text, retryable: list(failedTask), exhausted: list(failedTask) });
/** `retryable` and `exhausted` print their part of it. */
export const printedAttempts = object({ plan: text, tasks: list(failedTask) });
