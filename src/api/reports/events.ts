// Every event as `run --json`, `events --json` and the commands that record something print it: without the version of its form, and with the number of
// tasks in place of the whole definition of a plan.
import type { Event, Stored } from '../../core/model/event.ts';
import { question, writeFindings } from './core-schemas.ts';
import { type Differing, defined, type None } from './defined.ts';
import { optionalDifference } from './plan-files.ts';
import {
  amount,
  count,
  described,
  flag,
  instant,
  list,
  maybe,
  object,
  one,
  orNull,
  signedAmount,
  text,
  texts,
  yes,
} from './schema-words.ts';

const every = { seq: count, at: instant };

const event = <Type extends Event['type'], Fields extends Parameters<typeof object>[0]>(type: Type, fields: Fields) =>
  object({ type: one(type), ...every, plan: text, ...fields });

const attempt = { run: text, task: text, attempt: text };
const fenced = { ...attempt, token: count };
const money = {
  mostUsd: maybe(described(amount, 'What it may cost.')),
  sharesBudget: maybe(described(yes, 'That is what is left for all: nothing is reserved for it.')),
};
const steered = { task: text, by: text };
/** The caller's key for the call. */
const keyed = { request: maybe(text) };
const byHand = { task: text, attempt: text, token: count, by: text };

/** An attempt of ours, or an agent by the name that it gave itself. */
const party = {
  owner: text,
  run: maybe(text),
  task: maybe(text),
  attempt: maybe(text),
  token: maybe(count),
  agent: maybe(text),
};
const lockMode = one('exclusive', 'shared');

export const events = {
  'plan-loaded': event('plan-loaded', {
    revision: text,
    tasks: count,
    anew: maybe(described(yes, 'What is at work goes by it too: the plan had come with state that was trusted.')),
  }),
  'plan-edited': event('plan-edited', {
    run: text,
    revision: text,
    result: one('taken', 'waits', 'refused'),
    because: maybe(text),
    by: maybe(text),
    ...optionalDifference,
  }),
  'plan-paused': event('plan-paused', { by: text, reason: maybe(text) }),
  'plan-resumed': event('plan-resumed', { by: text }),
  'plan-reset': event('plan-reset', {
    by: text,
    round: described(count, 'How often the plan was started over, this time included.'),
    results: maybe(
      object({
        branch: text,
        tip: text,
        kept: maybe(described(text, 'The branch that keeps them; absent: the person had them all.')),
      }),
    ),
  }),
  'clock-stepped': event('clock-stepped', { byMs: described(signedAmount, 'Negative: the clock was set back.') }),
  'plan-stuck': event('plan-stuck', { run: text, blocked: count, causes: list(defined('cause')) }),

  'run-started': event('run-started', {
    run: text,
    runner: defined('process'),
    limits: defined('limits'),
    selection: maybe(defined('selection')),
    deadlock: maybe(object({ detect: flag, victim: one('youngest', 'least-progress') })),
    takesOver: maybe(yes),
    onFailure: maybe(defined('on-failure')),
    escalationAgent: maybe(text),
    reviewAgent: maybe(text),
    carriesOn: maybe(described(yes, 'What the run before it has spent counts for this one: its process died.')),
    livelock: maybe(defined('livelock-rules')),
    decideWithinMs: maybe(amount),
    stopsAtQuota: maybe(yes),
    waitsPaused: maybe(described(yes, 'It waits while the plan is paused; absent: it ends with 6.')),
    isolation: maybe(defined('isolation')),
  }),
  'run-stopping': event('run-stopping', {
    run: text,
    mode: one('drain', 'stop', 'kill'),
    by: text,
    exitCode: one(130, 143),
  }),
  'run-handed-over': event('run-handed-over', { run: text, to: text, by: text }),
  'run-took-over': event('run-took-over', { run: text, adopted: count }),
  'run-ended': event('run-ended', {
    run: text,
    outcome: defined('outcome-word'),
    exitCode: count,
    summary: defined('summary'),
  }),

  'attempt-scheduled': event('attempt-scheduled', {
    ...fenced,
    host: text,
    passes: maybe(texts),
    agent: maybe(text),
    escalated: maybe(yes),
    account: maybe(text),
    ...money,
    warnings: maybe(list(object({ task: text, status: one('failed', 'skipped', 'blocked', 'suspended') }))),
  }),
  'attempt-started': event('attempt-started', { ...fenced, supervisor: defined('process') }),
  'attempt-doomed': event('attempt-doomed', { ...fenced, doom: defined('doom') }),
  'attempt-ended': event('attempt-ended', {
    ...fenced,
    end: defined('attempt-end'),
    evidence: maybe(defined('attempt-evidence')),
  }),
  'quota-paused': event('quota-paused', {
    ...attempt,
    account: text,
    until: instant,
    guessed: maybe(described(yes, 'Nobody said until when.')),
  }),
  'quota-resumed': event('quota-resumed', { account: text }),
  'retry-scheduled': event('retry-scheduled', {
    ...attempt,
    because: one(
      'failed',
      'rejected',
      'lost',
      'stopped',
      'deadlock',
      'quota',
      'budget',
      'conversation',
      'conflict',
      'red',
      'silent',
      'edited',
      'setup',
    ),
    failure: maybe(defined('failure')),
    notBefore: instant,
  }),
  'backoff-ended': event('backoff-ended', { task: text }),

  'task-completed': event('task-completed', {
    run: maybe(text),
    task: text,
    attempt: maybe(text),
    by: maybe(text),
    notes: maybe(text),
    ...keyed,
  }),
  'task-failed': event('task-failed', {
    run: maybe(text),
    task: text,
    attempt: maybe(text),
    failure: defined('failure'),
    optional: maybe(yes),
    by: maybe(text),
    stuck: maybe(yes),
    ...keyed,
  }),
  'task-skipped': event('task-skipped', { ...steered, reason: maybe(text), treatAsDone: maybe(yes) }),
  'task-suspended': event('task-suspended', { ...steered, reason: maybe(text) }),
  'task-resumed': event('task-resumed', { ...steered, note: maybe(text) }),
  'task-retried': event('task-retried', {
    ...steered,
    note: maybe(text),
    agent: maybe(text),
    escalated: maybe(yes),
    left: maybe(yes),
    reopened: maybe(yes),
    notBefore: maybe(instant),
  }),

  'lock-acquired': event('lock-acquired', {
    ...party,
    resource: text,
    mode: lockMode,
    ticket: maybe(count),
    passes: maybe(list(count)),
    until: maybe(amount),
    process: maybe(defined('process')),
  }),
  'lock-waiting': event('lock-waiting', {
    ...party,
    resource: text,
    wants: list(object({ key: text, mode: lockMode })),
    blockedBy: texts,
    process: defined('process'),
    until: maybe(amount),
    boundTo: maybe(defined('process')),
  }),
  'lock-wait-ended': event('lock-wait-ended', {
    ...party,
    ticket: count,
    because: one('timeout', 'died', 'ended', 'deadlock', 'given-up'),
  }),
  'lock-released': event('lock-released', {
    ...party,
    resource: text,
    because: one('released', 'ended', 'deadlock', 'expired', 'died', 'forced'),
    by: maybe(text),
    reason: maybe(text),
  }),
  'lock-renewed': event('lock-renewed', { ...party, until: amount }),
  'lock-refused': event('lock-refused', { ...party, resource: text, ticket: maybe(count), cycle: texts, words: text }),
  'lock-tried': event('lock-tried', {
    ...party,
    resource: text,
    wants: list(object({ key: text, mode: lockMode })),
    blockedBy: texts,
  }),
  'deadlock-detected': event('deadlock-detected', {
    run: text,
    cycle: texts,
    words: text,
    victim: text,
    victimTask: text,
    token: count,
    blockedOn: text,
    blocker: text,
    blockerTask: maybe(text),
    reason: text,
  }),
  'work-saved': event('work-saved', { ...fenced, saved: orNull(text), files: count }),
  'files-put-back': event('files-put-back', { ...fenced, left: maybe(texts) }),
  'write-found': event('write-found', { ...fenced, files: writeFindings }),
  'need-added': event('need-added', { task: text, on: text, onTask: maybe(text), owner: text, resource: text }),
  'deadlock-resolved': event('deadlock-resolved', { run: text, victim: text, victimTask: text, token: count }),

  'check-scheduled': event('check-scheduled', { ...fenced, host: text, check: count }),
  'review-scheduled': event('review-scheduled', { ...fenced, host: text, account: maybe(text), ...money }),
  'merge-scheduled': event('merge-scheduled', { ...fenced, host: text }),
  'job-started': event('job-started', { ...fenced, supervisor: defined('process') }),
  'job-doomed': event('job-doomed', { ...fenced, doom: defined('doom') }),
  'check-ended': event('check-ended', {
    ...fenced,
    check: count,
    command: text,
    end: defined('attempt-end'),
    result: one('passed', 'failed', 'interrupted'),
    failure: maybe(defined('failure')),
  }),
  'review-ended': event('review-ended', {
    run: maybe(text),
    task: text,
    attempt: text,
    token: maybe(count),
    by: text,
    end: maybe(defined('attempt-end')),
    result: one('approved', 'rejected', 'unreadable', 'interrupted'),
    severity: maybe(defined('severity')),
    issues: maybe(list(defined('issue'))),
    fingerprint: maybe(text),
    problem: maybe(text),
    agent: maybe(defined('agent-report')),
  }),
  'merge-ended': event('merge-ended', {
    ...fenced,
    end: defined('attempt-end'),
    result: one('merged', 'nothing', 'conflict', 'red'),
    commit: maybe(text),
    files: maybe(texts),
    command: maybe(text),
    problem: maybe(text),
    flaky: maybe(described(texts, 'Checks that were red at first and green when they were run once more.')),
  }),
  'merge-interrupted': event('merge-interrupted', { ...fenced, end: defined('attempt-end'), problem: maybe(text) }),
  'merge-held': event('merge-held', { ...fenced, end: defined('attempt-end'), because: defined('merge-obstacle') }),
  'baseline-recorded': event('baseline-recorded', { failed: texts, passed: count }),
  'decision-opened': event('decision-opened', { run: maybe(text), decision: text, ...question }),
  'decision-answered': event('decision-answered', {
    run: maybe(text),
    decision: text,
    task: maybe(text),
    choice: defined('choice'),
    by: text,
    reason: maybe(text),
    note: maybe(text),
    agent: maybe(text),
    affected: texts,
    policy: maybe(defined('on-failure')),
  }),
  'decision-overdue': event('decision-overdue', { decision: text, task: maybe(text) }),
  'decision-closed': event('decision-closed', { decision: text, task: maybe(text) }),

  'task-started': event('task-started', { ...byHand, ...keyed }),
  'task-seen': event('task-seen', byHand),
  'task-handed-in': event('task-handed-in', { ...byHand, checks: count, notes: maybe(text), ...keyed }),
  'hand-run-started': event('hand-run-started', { run: text, by: text }),
  'hand-run-ended': event('hand-run-ended', { run: text, by: text, completed: count, failed: count }),
  'status-imported': event('status-imported', {
    from: text,
    tasks: list(
      object({
        task: text,
        status: one('pending', 'completed', 'failed', 'skipped', 'suspended'),
        startedAt: amount,
        endedAt: amount,
        notes: orNull(text),
        error: orNull(text),
        errorAt: amount,
        failures: count,
        attempts: count,
        treatAsDone: flag,
        by: orNull(text),
        reason: orNull(text),
      }),
    ),
    runs: list(object({ run: text, startedAt: amount, endedAt: amount, completed: count, failed: count })),
  }),
};

export const recordedEvent = described(
  object({ type: text, ...every, plan: text }),
  'What every event has; the rest depends on its type, and is in schema/output.json.',
);

/** By type: what an event is when it is printed. */
type Printed = { readonly [E in Event as E['type']]: PrintedAs<Stored<E>> };
type PrintedAs<E> = {
  readonly [Field in keyof E as Field extends 'v' | 'clock'
    ? never
    : Field extends 'definition'
      ? 'tasks'
      : Field]: Field extends 'definition' ? number : E[Field];
};

export type Checked = None<Differing<typeof events, Printed>>;
