// Where a plan stands, in a few words: running, paused, the outcome of its last run, or its state without a run.
import { numberWords } from '../model/count-words.ts';
import type { Outcome, Summary } from '../rules/outcome.ts';
import type { LastRunKind } from '../state/questions/plan-status.ts';
import type { Status } from '../state/state.ts';

export interface Standing {
  readonly outcome: Outcome | null;
  readonly running: boolean;
  readonly paused: boolean;
  readonly planStatus: Status;
  readonly lastRun: LastRunKind;
  readonly summary: Pick<Summary, 'totalTasks' | 'completed' | 'skipped'>;
}

export function standingOf(standing: Standing): string {
  const { outcome, running, paused, lastRun } = standing;
  if (running) return paused ? 'pausing' : 'running';
  if (paused) return 'paused';
  if (isFinished(standing)) return 'complete';
  if (outcome === 'complete') return `last run complete, ${doneOf(standing)}`;
  return outcome ?? withoutOutcome[lastRun];
}

export const isFinished = ({ planStatus }: Pick<Standing, 'planStatus'>): boolean => planStatus === 'completed';

/** The last run was complete, but the plan has tasks that were not part of it. */
const doneOf = ({ summary: { completed, skipped, totalTasks } }: Standing): string =>
  `${numberWords(completed + skipped)} of ${numberWords(totalTasks)}`;

const withoutOutcome: Readonly<Record<LastRunKind, string>> = {
  none: 'not run yet',
  running: 'running',
  ended: 'not finished',
  'cut-off': 'process died',
  'by-hand': 'driven by hand',
};
