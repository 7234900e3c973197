// `status.json` as a published JSON Schema.
import Type from 'typebox';
import type { StatusFile } from '../../status/status-file.ts';
import { coreSchemas } from './core-schemas.ts';
import { type Differing, defined, type None } from './defined.ts';
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
  text,
  texts,
  time,
  yes,
} from './schema-words.ts';

export const statusFile = object({
  schemaVersion: Type.Unsafe<number>(one(1)),
  seq: described(count, 'Of the last event of the workspace that is in it.'),
  log: described(text, 'Which log that number belongs to: after a database was lost, the numbers begin again.'),
  planPath: text,
  planName: text,
  createdAt: time,
  lastUpdatedAt: time,
  currentPhase: orNull(text),
  planStatus: defined('status'),
  outcome: described(orNull(defined('outcome-word')), 'Of the last run; null while one goes on and before the first.'),
  summary: defined('summary'),
  tasks: list(
    object({
      id: text,
      phase: text,
      description: text,
      status: defined('status'),
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
      optional: maybe(yes),
      treatAsDone: maybe(yes),
      by: maybe(text),
      reason: maybe(text),
    }),
  ),
  runs: list(
    object({
      runId: text,
      startedAt: time,
      completedAt: orNull(time),
      tasksCompleted: count,
      tasksFailed: count,
      outcome: maybe(text),
    }),
  ),
  decisions: list(object({ id: text, kind: text, task: orNull(text), openedAt: time, options: texts, blocks: texts })),
  cascades: described(
    list(object({ task: text, blocked: texts })),
    'Failed tasks with what cannot run because of them.',
  ),
  savedWork: texts,
});

export type Checked = None<Differing<{ statusFile: typeof statusFile }, { statusFile: StatusFile }>>;

export const statusSchema = () => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'status.json of Signalbox',
  description: 'the state of one plan, written from the log; replaced as a whole, by newer ones only',
  ...statusFile,
  $defs: {
    status: coreSchemas.status,
    'outcome-word': coreSchemas['outcome-word'],
    summary: coreSchemas.summary,
  },
});
