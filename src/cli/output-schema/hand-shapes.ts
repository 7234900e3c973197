// Events of work by hand, and what its commands answer, as they are printed.
import type { HandEvent } from '../../core/hand-event.ts';
import { amount, count, defined, flag, type JsonSchema, list, object, one, orNull, text, time } from './shape.ts';

const work = { plan: text, task: text, attempt: text, token: count, by: text };

export const handEventFields: Readonly<Record<HandEvent['type'], Readonly<Record<string, JsonSchema>>>> = {
  'task-started': work,
  'task-seen': work,
  'task-handed-in': { ...work, checks: count, 'notes?': text },
  'hand-run-started': { plan: text, run: text, by: text },
  'hand-run-ended': { plan: text, run: text, by: text, completed: count, failed: count },
  'status-imported': {
    plan: text,
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
  },
};

const mark = object({
  plan: text,
  task: text,
  ok: flag,
  status: one('pending', 'in_progress', 'completed', 'failed', 'blocked', 'suspended', 'skipped'),
  attempt: orNull(text),
  checks: list(
    object({
      command: text,
      green: flag,
      exitCode: orNull(count),
      because: one('ended', 'timeout', 'interrupted'),
      durationMs: amount,
      tail: text,
    }),
  ),
  events: list(defined('event')),
  running: flag,
});
const findings = object({ plan: text, task: text, file: text, text });
const run = object({
  plan: text,
  run: text,
  startedAt: time,
  completedAt: orNull(time),
  completed: count,
  failed: count,
});

export const handShapes: Readonly<Record<string, JsonSchema>> = {
  'mark-started': mark,
  'mark-complete': mark,
  'mark-failed': mark,
  'mark-skipped': mark,
  'write-findings': findings,
  'read-findings': findings,
  'start-run': run,
  'complete-run': run,
  'detect-stuck': object({
    plan: text,
    limitMs: amount,
    watched: count,
    stuck: list(
      object({
        task: text,
        attempt: text,
        kind: one('gone', 'host', 'silent', 'hand'),
        by: orNull(text),
        lastSign: time,
        silentMs: amount,
        message: text,
        waitsForRun: flag,
        marked: flag,
        filesLeft: flag,
      }),
    ),
  }),
};
