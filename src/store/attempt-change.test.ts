import { describe, expect, it } from 'vitest';
import { attemptChange } from './attempt-change.ts';
import { completed, doomed, ended, paused, planLoaded, runStarted, scheduled, started } from './sample-events.ts';

describe('attempt change', () => {
  it.each([
    [
      'scheduled',
      scheduled('t0', 7),
      { kind: 'added', row: expect.objectContaining({ token: 7, state: 'scheduled' }) },
    ],
    ['started', started('t0', 7), { kind: 'started', token: 7, supervisor: expect.objectContaining({ pid: 4711 }) }],
    ['doomed', doomed('t0', 7), { kind: 'doomed', token: 7 }],
    ['ended', ended('t0', 7), { kind: 'removed', token: 7 }],
    ['completed', completed('t0'), null],
    ['paused', paused('x'), null],
    ['loaded', planLoaded(), null],
    ['run', runStarted(), null],
  ])('%s', (_, event, change) => {
    expect(attemptChange(event)).toEqual(change);
  });
});
