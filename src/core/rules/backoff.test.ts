import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs } from './backoff.ts';

describe('backoffMs', () => {
  const attempt = fc.string({ maxLength: 20 });
  const nth = fc.integer({ min: 1, max: 2_000 });

  it('one second doubled each time, five minutes at most, ±20 %', () => {
    fc.assert(
      fc.property(attempt, nth, (name, n) => {
        const base = Math.min(1_000 * 2 ** (n - 1), 300_000);
        const wait = backoffMs(name, n);
        expect(wait).toBeGreaterThanOrEqual(base * 0.8);
        expect(wait).toBeLessThanOrEqual(base * 1.2);
        expect(wait).toBe(Math.round(wait));
      }),
    );
  });

  it('doubles exactly for the same attempt, until the cap', () => {
    const waits = [1, 2, 3, 9, 10, 11].map((n) => backoffMs('a#1', n));
    const [one, two, three, nine, ten, eleven] = waits as [number, number, number, number, number, number];
    expect(
      [Math.abs(two - 2 * one), Math.abs(three - 4 * one), Math.abs(nine - 256 * one)].map((d) => d <= 256),
    ).toEqual([true, true, true]);
    expect(ten).toBeGreaterThan(nine);
    expect(eleven).toBe(ten);
  });

  it('the jitter is a hash: the same for the same attempt, spread over the range for others', () => {
    const waits = Array.from({ length: 1_000 }, (_, i) => backoffMs(`task-${i}#1`, 1));
    expect(waits).toEqual(Array.from({ length: 1_000 }, (_, i) => backoffMs(`task-${i}#1`, 1)));
    expect(Math.min(...waits)).toBeLessThan(820);
    expect(Math.max(...waits)).toBeGreaterThan(1_180);
    const mean = waits.reduce((a, b) => a + b) / waits.length;
    expect(mean).toBeGreaterThan(980);
    expect(mean).toBeLessThan(1_020);
    for (const fifth of [0, 1, 2, 3, 4]) {
      const from = 800 + fifth * 80;
      expect(waits.filter((wait) => wait >= from && wait < from + 80).length).toBeGreaterThan(120);
    }
  });
});
