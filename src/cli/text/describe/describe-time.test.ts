import { expect, it } from 'vitest';
import { describeAgo } from './describe-time.ts';

it('says how long ago a moment was', () => {
  const noon = new Date(2026, 10, 15, 12, 3, 4).getTime();
  expect(describeAgo(noon, noon + 10)).toBe('just now');
  expect(describeAgo(noon, noon + 185_500)).toBe('3 min 5 s ago');
});
