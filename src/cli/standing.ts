// Where a plan stands, in one word: running, paused, how its last run ended, or that it never ran.
import type { Outcome } from '../core/outcome.ts';
import type { Paint } from './paint.ts';

export interface Standing {
  readonly outcome: Outcome | null;
  readonly running: boolean;
  readonly paused: boolean;
}

export function standingOf({ outcome, running, paused }: Standing): string {
  if (running) return paused ? 'pausing' : 'running';
  if (paused) return 'paused';
  return outcome ?? 'not run yet';
}

export function standingColor(standing: Standing, paint: Paint): (text: string) => string {
  if (standing.running) return paint.cyan;
  if (standing.paused) return paint.yellow;
  if (standing.outcome === null) return paint.dim;
  return paint[colors[standing.outcome]];
}

const colors: Readonly<Record<Outcome, 'green' | 'red' | 'yellow'>> = {
  complete: 'green',
  failed: 'red',
  stuck: 'red',
  waiting: 'yellow',
  paused: 'yellow',
  aborted: 'yellow',
};
