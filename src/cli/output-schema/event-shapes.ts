// Every event as `run --json`, `events --json` and the steering commands print it. The compiler sees to it that none is missing.
import type { Event } from '../../core/event.ts';
import { handEventFields } from './hand-shapes.ts';
import { amount, count, defined, flag, type JsonSchema, list, object, one, orNull, text, time, yes } from './shape.ts';
import { verifyEventFields, verifyShapes } from './verify-shapes.ts';

const plan = { plan: text };
const attempt = { ...plan, run: text, task: text, attempt: text };
const fenced = { ...attempt, token: count };
const steered = { ...plan, task: text, by: text };

/** An attempt of ours, or an agent by the name that it gave itself. */
const party = {
  ...plan,
  owner: text,
  'run?': text,
  'task?': text,
  'attempt?': text,
  'token?': count,
  'agent?': text,
};
const lockMode = one('exclusive', 'shared');

const fields: Readonly<Record<Event['type'], Readonly<Record<string, JsonSchema>>>> = {
  'plan-loaded': { ...plan, revision: text, tasks: count },
  'plan-paused': { ...plan, by: text, 'reason?': text },
  'plan-resumed': { ...plan, by: text },
  'plan-stuck': { ...plan, run: text, blocked: count, causes: list(defined('cause')) },
  'run-started': {
    ...plan,
    run: text,
    runner: defined('process'),
    limits: defined('limits'),
    'selection?': defined('selection'),
    'deadlock?': object({ detect: flag, victim: one('youngest', 'least-progress') }),
    'takesOver?': yes,
    'onFailure?': defined('on-failure'),
    'escalationAgent?': text,
    'livelock?': defined('livelock-rules'),
    'decideWithinMs?': amount,
  },
  'run-stopping': { ...plan, run: text, mode: one('drain', 'stop', 'kill'), by: text, exitCode: one(130, 143) },
  'run-handed-over': { ...plan, run: text, to: text, by: text },
  'run-took-over': { ...plan, run: text, adopted: count },
  'run-ended': { ...plan, run: text, outcome: defined('outcome-word'), exitCode: count, summary: defined('summary') },
  'attempt-scheduled': {
    ...fenced,
    host: text,
    'passes?': list(text),
    'agent?': text,
    'escalated?': yes,
    'warnings?': list(object({ task: text, status: one('failed', 'skipped', 'blocked', 'suspended') })),
  },
  'attempt-started': { ...fenced, supervisor: defined('process') },
  'attempt-doomed': { ...fenced, doom: defined('doom') },
  'attempt-ended': { ...fenced, end: defined('attempt-end'), 'evidence?': defined('attempt-evidence') },
  'retry-scheduled': {
    ...attempt,
    because: one('failed', 'rejected', 'lost', 'stopped', 'deadlock'),
    'failure?': defined('failure'),
    notBefore: time,
  },
  'backoff-ended': { ...plan, task: text },
  'task-completed': { ...plan, 'run?': text, task: text, 'attempt?': text, 'by?': text, 'notes?': text },
  'task-failed': {
    ...plan,
    'run?': text,
    task: text,
    'attempt?': text,
    failure: defined('failure'),
    'optional?': yes,
    'by?': text,
    'stuck?': yes,
  },
  'task-skipped': { ...steered, 'reason?': text, 'treatAsDone?': yes },
  'task-suspended': { ...steered, 'reason?': text },
  'task-resumed': steered,
  'task-retried': { ...steered, 'note?': text, 'agent?': text, 'escalated?': yes, 'left?': yes, 'reopened?': yes },
  'lock-acquired': {
    ...party,
    resource: text,
    mode: lockMode,
    'ticket?': count,
    'passes?': list(count),
    'until?': amount,
    'process?': defined('process'),
  },
  'lock-waiting': {
    ...party,
    resource: text,
    wants: list(object({ key: text, mode: lockMode })),
    blockedBy: list(text),
    process: defined('process'),
    'until?': amount,
    'boundTo?': defined('process'),
  },
  'lock-wait-ended': { ...party, ticket: count, because: one('timeout', 'died', 'ended', 'deadlock', 'given-up') },
  'lock-released': {
    ...party,
    resource: text,
    because: one('released', 'ended', 'deadlock', 'expired', 'died', 'forced'),
    'by?': text,
    'reason?': text,
  },
  'lock-renewed': { ...party, until: amount },
  'lock-refused': { ...party, resource: text, 'ticket?': count, cycle: list(text), words: text },
  'deadlock-detected': {
    ...plan,
    run: text,
    cycle: list(text),
    words: text,
    victim: text,
    victimTask: text,
    token: count,
    blockedOn: text,
    blocker: text,
    'blockerTask?': text,
    reason: text,
  },
  'work-saved': { ...fenced, saved: orNull(text), files: count },
  'files-put-back': { ...fenced, 'left?': list(text) },
  'need-added': { ...plan, task: text, on: text, 'onTask?': text, owner: text, resource: text },
  'deadlock-resolved': { ...plan, run: text, victim: text, victimTask: text, token: count },
  ...verifyEventFields,
  ...handEventFields,
};

const limited = { limitMs: amount };

export const eventShapes: Readonly<Record<string, JsonSchema>> = {
  event: {
    anyOf: Object.entries(fields).map(([type, own]) => object({ type: one(type), seq: count, at: time, ...own })),
  },
  process: object({ host: text, pid: count, startTime: text }),
  limits: object({
    'workspace?': count,
    plan: count,
    pools: { type: 'object', additionalProperties: count },
    'maxAttempts?': count,
  }),
  selection: { anyOf: [object({ only: list(text) }), object({ from: text })] },
  cause: object({ task: text, status: one('failed', 'suspended', 'skipped', 'pending'), 'limit?': text }),
  doom: {
    anyOf: [
      object({ kind: one('timeout'), ...limited }),
      object({ kind: one('idle'), ...limited, 'last?': text }),
      object({ kind: one('stop', 'withdrawn') }),
      object({ kind: one('looping'), call: text, times: count }),
      object({ kind: one('deadlock'), words: text, blocker: object({ owner: text, name: text, resource: text }) }),
    ],
  },
  'attempt-end': {
    anyOf: [
      object({ kind: one('exited'), code: count }),
      object({ kind: one('killed'), code: orNull(count) }),
      object({ kind: one('lost', 'never-started') }),
      object({ kind: one('unstartable'), message: text, permanent: flag }),
    ],
  },
  failure: {
    anyOf: [
      object({ kind: one('exit'), code: count }),
      object({ kind: one('timeout'), ...limited }),
      object({ kind: one('idle'), ...limited, 'last?': text }),
      object({ kind: one('lost'), times: count }),
      object({ kind: one('unstartable'), message: text }),
      defined('check-failures'),
    ],
  },
  ...verifyShapes,
};
