// How long tasks and runs took: work counts, and waiting for a person or a change of process does not change it.
import { describe, expect, it } from 'vitest';
import { begin, dawn, here, type Scenario } from '../../../test/scenario.ts';
import { runId } from '../model/ids.ts';

describe('a skipped task ends with its last attempt', () => {
  const ended = (scenario: Scenario) => scenario.after(60_000).skip('a').task('a').endedAt - dawn;
  const tried = () => begin('a').schedule('a').start('a').after(5);

  it.each<[string, Scenario, number]>([
    ['after it failed', tried().end('a', 1).fail('a'), 5],
    ['after it failed, while it waits for the next', tried().end('a', 1).again('a', 90_000, 'failed'), 5],
    ['after it was suspended', tried().suspend('a'), 5],
    ['while it runs: with the skip', tried(), 60_005],
    [
      'after it was stopped, which is no end of work: with the skip',
      tried().end('a', 1).again('a', 0, 'stopped'),
      60_005,
    ],
    ['never tried: with the skip', begin('a'), 60_000],
  ])('%s', (_, scenario, expected) => {
    expect(ended(scenario)).toBe(expected);
  });
});

describe('a run that goes on in another process', () => {
  const start = (scenario: Scenario, more: object) =>
    scenario.record({
      type: 'run-started',
      v: 1,
      plan: scenario.plan.path,
      run: runId('run-2'),
      runner: here,
      limits: { plan: 1, pools: {} },
      ...more,
    });

  it('began with the first one, and its attempts count together', () => {
    const scenario = start(begin('a, b').schedule('a').after(1_000), { takesOver: true });
    expect(scenario.plan.run).toMatchObject({ begunAt: dawn, startedAt: dawn + 1_000, attempts: 1 });
  });

  it('any other run begins by itself', () => {
    const scenario = start(begin('a, b').schedule('a').after(1_000), {});
    expect(scenario.plan.run).toMatchObject({ begunAt: dawn + 1_000, attempts: 0 });
  });
});
