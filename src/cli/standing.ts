// Where a plan stands, in a few words: running, paused, how its last run ended, or what became of it without one.
import type { Outcome, Summary } from '../core/outcome.ts';
import type { LastRun } from '../core/plan-status.ts';
import type { Status } from '../core/state.ts';
import type { Paint } from './paint.ts';

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

/** The run was about a part of the plan, or something has joined since. */
const doneOf = ({ summary: { completed, skipped, totalTasks } }: Standing): string =>
  `${completed + skipped} of ${totalTasks}`;

const withoutOutcome: Readonly<Record<LastRun, string>> = {
  none: 'not run yet',
  running: 'running',
  ended: 'not finished',
  'cut-off': 'cut off',
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
