// Where a plan stands, in a few words: running, paused, the outcome of its last run, or its state without a run.

import { numberWords } from '../../core/model/count-words.ts';
import type { Outcome, Summary } from '../../core/rules/outcome.ts';
import type { LastRun } from '../../core/state/plan-status.ts';
import type { Status } from '../../core/state/state.ts';
import type { Paint } from '../terminal/paint.ts';

export interface Standing {
  readonly outcome: Outcome | null;
  readonly running: boolean;
  readonly paused: boolean;
  readonly planStatus: Status;
  readonly lastRun: LastRun;
  readonly summary: Pick<Summary, 'totalTasks' | 'completed' | 'skipped'>;
}

export function standingOf(standing: Standing): string {
  const { outcome, running, paused, lastRun } = standing;
  if (running) return paused ? 'pausing' : 'running';
  if (paused) return 'paused';
  if (isFinished(standing)) return outcome === 'complete' ? outcome : 'completed';
  if (outcome === 'complete') return `last run complete, ${doneOf(standing)}`;
  return outcome ?? withoutOutcome[lastRun];
}

const isFinished = ({ planStatus }: Standing): boolean => planStatus === 'completed';

/** The last run was complete, but the plan has tasks that were not part of it. */
const doneOf = ({ summary: { completed, skipped, totalTasks } }: Standing): string =>
  `${numberWords(completed + skipped)} of ${numberWords(totalTasks)}`;

const withoutOutcome: Readonly<Record<LastRun, string>> = {
  none: 'not run yet',
  running: 'running',
  ended: 'not finished',
  'cut-off': 'process died',
  'by-hand': 'driven by hand',
};

export function standingColor(standing: Standing, paint: Paint): (text: string) => string {
  if (standing.running) return paint.cyan;
  if (standing.paused) return paint.yellow;
  if (isFinished(standing)) return paint.green;
  if (standing.outcome === null) return standing.lastRun === 'cut-off' ? paint.yellow : paint.dim;
  return paint[colors[standing.outcome]];
}

const colors: Readonly<Record<Outcome, 'green' | 'red' | 'yellow'>> = {
  complete: 'yellow',
  failed: 'red',
  stuck: 'red',
  waiting: 'yellow',
  paused: 'yellow',
  aborted: 'yellow',
};
