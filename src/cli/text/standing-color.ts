// The colour of the words that tell where a plan stands.

import { isFinished, type Standing } from '../../core/explain/standing.ts';
import type { Outcome } from '../../core/rules/outcome.ts';
import type { Paint } from '../terminal/paint.ts';

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
