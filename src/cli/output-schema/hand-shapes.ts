// Events of work by hand, as they are printed.
import type { HandEvent } from '../../core/hand-event.ts';
import { amount, count, flag, type JsonSchema, list, object, one, orNull, text } from './shape.ts';

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
