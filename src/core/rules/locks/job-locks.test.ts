// A check or a review is one party with its attempt: what the attempt has locked is not in its way, and a circle through the one is a
// circle through the other.
import { describe, expect, it } from 'vitest';
import { type VerifyScenario, verifying } from '../../../../test/verify-scenario.ts';
import { taskId } from '../../model/ids.ts';

const keys = { a: { run: 'x', files: ['src/**'], check: ['c'], review: 'agent' as const }, b: { run: 'x' } };
/** `a` has ended, holds src/** and is being checked; `b` runs. */
const checking = () => verifying('a, b', keys).ends('a');

describe('a check or a review of an attempt', () => {
  it.each([
    ['check', checking, (s: VerifyScenario) => s.ends('a')],
    [
      'review',
      () => checking().ends('a'),
      (s: VerifyScenario) => s.says('a', { verdict: 'unreadable', problem: 'no words' }),
    ],
  ])('gets what its attempt holds, and what overlaps it, until it ends: %s', (_, begin, end) => {
    const s = begin();
    expect(s.ask('a', 'src/**').kind).toBe('granted');
    expect(s.locks()).toBe('a#1 src/**');
    expect(s.ask('a', 'src/a.ts ~docs', false).kind).toBe('granted');
    expect(s.ask('b', 'docs', false).kind).toBe('busy');
    end(s);
    expect(s.locks()).toBe('a#1 src/**');
  });

  it('is refused what another holds', () => {
    const s = checking().lock('b', 'docs');
    expect(s.ask('a', 'docs', false).kind).toBe('busy');
  });

  it('closes a circle with an attempt that waits for the files under check, which then gives way', () => {
    const s = checking().lock('b', 'docs').lock('b', 'src/a.ts');
    expect(s.ask('a', 'docs').kind).toBe('waiting');
    expect(s.events.find(({ type }) => type === 'deadlock-detected')).toMatchObject({
      victim: 'b#1',
      words: 'a#1 holds src/** and waits for docs, held by b#1, which waits for src/a.ts (which overlaps src/**)',
    });
  });

  it('closes it also where the attempt asks last', () => {
    const s = checking().lock('b', 'docs').lock('a', 'docs');
    expect(s.ask('b', 'src/a.ts').kind).toBe('victim');
  });

  it('is itself never stopped: who closes the circle is refused', () => {
    const s = checking().lock('ann', 'docs').lock('ann', 'src/a.ts');
    expect(s.ask('a', 'docs').kind).toBe('deadlock');
    expect(s.going()).toContain('a#1 check 0');
  });

  it('closes no circle that lasts while it is being stopped', () => {
    const s = checking().lock('b', 'docs').lock('a', 'docs').dooms('a', { kind: 'stop' });
    expect(s.ask('b', 'src/a.ts').kind).toBe('waiting');
  });

  it('polls like an attempt', () => {
    const s = checking().lock('b', 'docs').lock('b', 'src/a.ts');
    s.ask('a', 'docs', false);
    expect(s.ask('a', 'docs', false).kind).toBe('busy');
    expect(s.state.victims.size).toBe(1);
  });

  it('of a task that was taken out of the plan stands alone', () => {
    const s = checking();
    const { plan } = s.plan;
    s.load({ ...plan, tasks: plan.tasks.filter(({ id }) => id !== taskId('a')) }, 'r2');
    expect(s.state.jobs.size).toBe(1);
    expect(s.ask('b', 'docs').kind).toBe('granted');
  });
});
