import { expect, it } from 'vitest';
import { type Standing, standingOf } from './standing.ts';

const plan: Standing = {
  outcome: null,
  running: false,
  paused: false,
  planStatus: 'pending',
  lastRun: 'none',
  summary: { totalTasks: 4, completed: 1, skipped: 1 },
};

it.each<[string, Partial<Standing>]>([
  ['not run yet', {}],
  ['running', { running: true, lastRun: 'running' }],
  ['pausing', { running: true, paused: true }],
  ['paused', { paused: true, outcome: 'paused' }],
  ['complete', { planStatus: 'completed', outcome: 'complete' }],
  // By hand, or after a run that was not complete: the same word for the same thing.
  ['complete', { planStatus: 'completed', lastRun: 'by-hand' }],
  ['complete', { planStatus: 'completed', outcome: 'failed' }],
  ['last run complete, 2 of 4', { outcome: 'complete', lastRun: 'ended' }],
  ['stuck', { outcome: 'stuck', planStatus: 'failed', lastRun: 'ended' }],
  ['process died', { lastRun: 'cut-off', planStatus: 'in_progress' }],
  ['driven by hand', { lastRun: 'by-hand', planStatus: 'in_progress' }],
])('%s: %j', (words, more) => {
  expect(standingOf({ ...plan, ...more })).toBe(words);
});
