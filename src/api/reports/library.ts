// The reports that the library returns, by the names under which programs know them.
import { coreSchemas } from './core-schemas.ts';
import { recordedEvent } from './events.ts';
import { handRunReport, markReport } from './hand.ts';
import type { Shown } from './schema-words.ts';
import { nextTask, progressReport, statusReport } from './status.ts';
import { statusFile } from './status-file.ts';

export const libraryReports = {
  MarkReport: markReport,
  NextTask: nextTask,
  Progress: progressReport,
  StatusSummary: statusReport,
  RunReport: handRunReport,
  PlanStatus: statusFile,
};

type Reports = typeof libraryReports;
export type MarkReport = Shown<Reports['MarkReport']>;
export type NextTask = Shown<Reports['NextTask']>;
export type Progress = Shown<Reports['Progress']>;
export type StatusSummary = Shown<Reports['StatusSummary']>;
export type RunReport = Shown<Reports['RunReport']>;
export type PlanStatus = Shown<Reports['PlanStatus']>;

/** There are many kinds of events: of these, only what all of them have. */
export const partSchemas = { ...coreSchemas, event: recordedEvent };

/** What stands in them under a name of its own, by its name in the published schema. */
export const libraryParts: Readonly<Partial<Record<keyof typeof partSchemas, string>>> = {
  status: 'Status',
  'outcome-word': 'Outcome',
  summary: 'Summary',
  event: 'RecordedEvent',
  failure: 'Failure',
  'merge-obstacle': 'MergeObstacle',
  severity: 'Severity',
  issue: 'Issue',
  decision: 'OpenDecision',
  'decision-kind': 'DecisionKind',
  choice: 'Choice',
  'task-names': 'Names',
  evidence: 'Evidence',
  diagnostic: 'Diagnostic',
};
