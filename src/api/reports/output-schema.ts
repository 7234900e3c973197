// What `--json` prints, as one published JSON Schema: under `$defs` an entry for every command, one line of a stream for those that
// have many, and `error` for what any of them prints when it refuses. A test runs every command and holds its output against this.
import Type, { type TSchema } from 'typebox';
import { codeReport, completion, error, logChunk } from './answers.ts';
import { coreSchemas } from './core-schemas.ts';
import { costReport } from './cost.ts';
import {
  decisionAnswerReport,
  decisionHistoryReport,
  decisionListReport,
  decisionShowReport,
  printedAttempts,
  restructureReport,
} from './decisions.ts';
import { defined } from './defined.ts';
import { events } from './events.ts';
import { graphReport, waitGraphReport } from './graph.ts';
import { findingsReport, handRunReport, markReport, stuckReport } from './hand.ts';
import { doctorReport, validateReport } from './health.ts';
import { initReport, undoReport } from './init.ts';
import { lockCheckReport, lockListReport, lockReport, releaseReport } from './locks.ts';
import {
  approvalReport,
  checkReport,
  planReport,
  printedFormat,
  printedImport,
  reloadReport,
  setReport,
  syncReport,
} from './plan-files.ts';
import { hookReport, promptReport } from './prompt.ts';
import { registerReport, unregisterReport } from './register.ts';
import { cleanReport, diffReport, landReport } from './results.ts';
import { detachReport, dryRunReport, runReport } from './run.ts';
import { savedListReport, savedRestoreReport, savedShowReport } from './saved.ts';
import { either, object, one } from './schema-words.ts';
import { nextReport, plansReport, progressReport, statusReport } from './status.ts';
import { resetReport, steerReport } from './steering.ts';
import { trustReport } from './trust.ts';
import { verifyReport } from './verify.ts';
import { whyReport } from './why.ts';

/** The last line of `run --json`. */
const outcome = object({ type: one('outcome'), ...runReport.properties });

export const commandSchemas: Readonly<Record<string, TSchema>> = {
  run: either(defined('event'), Type.Ref('#/$defs/outcome'), Type.Ref('#/$defs/dry-run'), detachReport),
  attach: either(defined('event'), Type.Ref('#/$defs/outcome')),
  /** With `--undo`, what is taken back. */
  init: either(initReport, undoReport, registerReport, unregisterReport),
  check: checkReport,
  fmt: printedFormat,
  import: printedImport,
  plan: planReport,
  explain: codeReport,
  status: statusReport,
  progress: progressReport,
  graph: either(graphReport, waitGraphReport),
  next: nextReport,
  why: whyReport,
  cost: costReport,
  prompt: promptReport,
  hook: hookReport,
  verify: verifyReport,
  events: defined('event'),
  logs: logChunk,
  plans: plansReport,
  set: setReport,
  retry: steerReport,
  skip: steerReport,
  suspend: steerReport,
  resume: steerReport,
  pause: steerReport,
  stop: steerReport,
  reset: resetReport,
  reload: reloadReport,
  land: landReport,
  diff: diffReport,
  clean: cleanReport,
  saved: savedListReport,
  'saved list': savedListReport,
  'saved show': savedShowReport,
  'saved restore': savedRestoreReport,
  doctor: doctorReport,
  trust: trustReport,
  validate: validateReport,
  'sync-check': syncReport,
  'lock try': lockReport,
  'lock wait': lockReport,
  'lock release': releaseReport,
  'lock release-all': releaseReport,
  'lock check': lockCheckReport,
  'lock list': lockListReport,
  /** Without an id: what is open; with one: the question; with a choice: the answer, or the new shape; `--history`: all of them. */
  decide: either(
    decisionListReport,
    decisionShowReport,
    decisionAnswerReport,
    decisionHistoryReport,
    restructureReport,
  ),
  /** Of an attempt, or of a plan. */
  approve: either(decisionAnswerReport, approvalReport),
  reject: decisionAnswerReport,
  retryable: printedAttempts,
  exhausted: printedAttempts,
  'mark-started': markReport,
  'mark-complete': markReport,
  'mark-failed': markReport,
  'mark-skipped': markReport,
  'write-findings': findingsReport,
  'read-findings': findingsReport,
  'start-run': handRunReport,
  'complete-run': handRunReport,
  'detect-stuck': stuckReport,
  completion,
  /** With and without `--json`. */
  mcp: Type.Object({ jsonrpc: one('2.0') }, { description: 'A message of the Model Context Protocol.' }),
};

/** Commands have a prefix, because some are called like what they print. */
export const outputSchema = () => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'What signalbox --json prints',
  description: 'command:NAME is one object, or one line of a stream; error is what any command prints when it refuses',
  $defs: {
    ...coreSchemas,
    event: either(...Object.values(events)),
    outcome,
    'dry-run': dryRunReport,
    error,
    ...Object.fromEntries(Object.entries(commandSchemas).map(([name, schema]) => [`command:${name}`, schema])),
  },
});
