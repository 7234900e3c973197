// `status.json` as a published JSON Schema.
import { amount, count, flag, type JsonSchema, list, object, one, orNull, text, texts, time, yes } from './shape.ts';

const status = one('pending', 'in_progress', 'completed', 'failed', 'blocked', 'suspended', 'skipped');
const counts = ['totalTasks', 'completed', 'pending', 'in_progress', 'failed', 'blocked', 'suspended', 'skipped'];

export const statusSchema = (): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'status.json of Signalbox',
  description: 'the state of one plan, written from the log; replaced as a whole, by newer ones only',
  ...object({
    schemaVersion: one(1),
    seq: count,
    log: text,
    planPath: text,
    planName: text,
    createdAt: time,
    lastUpdatedAt: time,
    currentPhase: orNull(text),
    planStatus: status,
    outcome: orNull(one('complete', 'failed', 'stuck', 'waiting', 'paused', 'aborted')),
    summary: object(Object.fromEntries(counts.map((word) => [word, count]))),
    tasks: list(
      object({
        id: text,
        phase: text,
        description: text,
        status,
        startedAt: orNull(time),
        completedAt: orNull(time),
        duration: orNull(amount),
        notes: orNull(text),
        lastError: orNull(text),
        lastErrorAt: orNull(time),
        retryCount: count,
        stuckDetected: flag,
        attempts: count,
        blockedBy: texts,
        blockedAt: orNull(time),
        'optional?': yes,
        'treatAsDone?': yes,
        'by?': text,
        'reason?': text,
      }),
    ),
    runs: list(
      object({
        runId: text,
        startedAt: time,
        completedAt: orNull(time),
        tasksCompleted: count,
        tasksFailed: count,
        'outcome?': text,
      }),
    ),
    decisions: list(
      object({ id: text, kind: text, task: orNull(text), openedAt: time, options: texts, blocks: texts }),
    ),
    cascades: list(object({ task: text, blocked: texts })),
    savedWork: texts,
  }),
});
