import { describe, expect, it } from 'vitest';
import { compareVersions } from './compare-versions.ts';

describe('compare versions', () => {
  it.each([
    ['1.2.3', '1.2.3', 0],
    ['1.2.3', '1.2.10', -1],
    ['1.10.0', '1.9.9', 1],
    ['2', '1.99', 1],
    ['1.0', '1.0.0', 0],
    ['v1.0.1', '1.0.0', 1],
    ['1.0.0-beta.1', '1.0.0', -1],
    ['1.0.0', '1.0.0-beta.1', 1],
    ['1.0.0-beta.2', '1.0.0-beta.10', -1],
    ['1.0.0+build', '1.0.0', 0],
  ])('%s and %s', (a, b, order) => {
    expect(Math.sign(compareVersions(a, b))).toBe(order);
  });
});
