// Events of checks, reviews and decisions, and the decisions themselves, as they are printed.
import type { VerifyEvent } from '../../core/verify-event.ts';
import { count, defined, flag, type JsonSchema, list, object, one, text, time, yes } from './shape.ts';

const plan = { plan: text };
const job = { ...plan, run: text, task: text, attempt: text, token: count };

const severity = one('low', 'medium', 'high');
const policy = one('ask', 'retry', 'skip', 'escalate', 'abort');

/** `--json` tells times as text, also inside a question. */
const question = {
  kind: one('failure', 'rejection', 'review', 'soft-failure', 'livelock', 'batch', 'stuck', 'override'),
  'task?': text,
  'attempt?': text,
  blocks: defined('task-names'),
  goesOn: defined('task-names'),
  options: list(defined('choice')),
  'default?': defined('choice'),
  'deadline?': time,
  'evidence?': defined('evidence'),
};

export const verifyEventFields: Readonly<Record<VerifyEvent['type'], Readonly<Record<string, JsonSchema>>>> = {
  'check-scheduled': { ...job, host: text, check: count },
  'review-scheduled': { ...job, host: text },
  'job-started': { ...job, supervisor: defined('process') },
  'job-doomed': { ...job, doom: defined('doom') },
  'check-ended': {
    ...job,
    check: count,
    command: text,
    end: defined('attempt-end'),
    result: one('passed', 'failed', 'interrupted'),
    'failure?': defined('failure'),
  },
  'review-ended': {
    ...plan,
    'run?': text,
    task: text,
    attempt: text,
    'token?': count,
    by: text,
    'end?': defined('attempt-end'),
    result: one('approved', 'rejected', 'unreadable', 'interrupted'),
    'severity?': severity,
    'issues?': list(defined('issue')),
    'fingerprint?': text,
    'problem?': text,
  },
  'baseline-recorded': { ...plan, failed: list(text), passed: count },
  'decision-opened': { ...plan, 'run?': text, decision: text, ...question },
  'decision-answered': {
    ...plan,
    'run?': text,
    decision: text,
    'task?': text,
    choice: defined('choice'),
    by: text,
    'reason?': text,
    affected: list(text),
    'policy?': policy,
  },
  'decision-overdue': { ...plan, decision: text, 'task?': text },
  'decision-closed': { ...plan, decision: text, 'task?': text },
};

export const verifyShapes: Readonly<Record<string, JsonSchema>> = {
  choice: one(
    'retry',
    'retry-with-note',
    'other-agent',
    'fix',
    'skip-all',
    'treat-as-done',
    'restructure',
    'escalate',
    'accept',
    'go-on',
    'approve',
    'reject',
    'skip-blocked',
    'details',
    'abort',
  ),
  'task-names': object({ count, tasks: list(text) }),
  issue: object({ message: text, 'file?': text, 'task?': text }),
  evidence: {
    anyOf: [
      object({ kind: one('rejected'), severity, issues: list(defined('issue')) }),
      object({ kind: one('same-rejection'), times: count, issues: list(defined('issue')) }),
      object({ kind: one('circular-rejection'), circle: list(text), times: count }),
      object({ kind: one('no-progress'), attempts: list(text) }),
      object({ kind: one('same-calls'), call: text, times: count }),
      object({ kind: one('undoing'), file: text, tasks: list(text), times: count }),
      object({ kind: one('preferred'), tasks: list(text) }),
      object({ kind: one('batch'), phase: text, completed: defined('task-names'), rest: defined('task-names') }),
    ],
  },
  decision: object({ id: text, openedAt: time, ...question }),
  'attempt-evidence': object({
    'toolCalls?': count,
    'changed?': flag,
    'output?': flag,
    'files?': list(object({ file: text, before: text, after: text })),
    'finding?': text,
    'repeated?': object({ call: text, times: count }),
  }),
  'livelock-rules': object({
    sameRejections: count,
    circularRejections: count,
    noProgress: count,
    sameCalls: count,
    undoing: count,
  }),
  'on-failure': policy,
  'check-failures': {
    anyOf: [
      object({
        kind: one('check'),
        command: text,
        code: { anyOf: [count, { type: 'null' }] },
        token: count,
        'before?': yes,
      }),
      object({ kind: one('nothing-done') }),
      object({ kind: one('rejected'), severity, times: count, 'issue?': text }),
      object({ kind: one('review', 'said'), message: text }),
    ],
  },
};
