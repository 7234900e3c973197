import { afterEach, expect, it, vi } from 'vitest';
import { describeDate, describeMoment, describeTime } from './clock-words.ts';

const noon = new Date(2026, 10, 15, 12, 3, 4).getTime();
afterEach(() => vi.restoreAllMocks());

it('shows the date of a moment only when it was another day', () => {
  expect(describeTime(noon, noon + 1000)).toBe('12:03:04');
  expect(describeTime(noon, noon + 86_400_000)).toBe('2026-11-15 12:03:04');
  expect(describeDate(noon)).toBe('2026-11-15 12:03:04');
});

it.each([
  [-330, '2026-11-15 12:03:04 +05:30'],
  [0, '2026-11-15 12:03:04 +00:00'],
  [210, '2026-11-15 12:03:04 -03:30'],
])('has the zone where everything must be clear: %i minutes', (minutes, words) => {
  vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(minutes);
  expect(describeMoment(noon)).toBe(words);
});
