import { describe, expect, it } from 'vitest';
import { ownNow } from '../../../test/own-time.ts';
import { cutToWidth, displayWidth, padToWidth } from './display-width.ts';

describe('displayWidth', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['日本', 4],
    ['한국어', 6],
    ['ｆｕｌｌ', 8],
    ['é', 1],
    ['e\u0301', 1],
    ['🚆', 2],
    ['👩‍🚀', 2],
    ['🇩🇪', 2],
    ['✔ a', 3],
    ['a\u200bb', 2],
    ['━━─', 3],
  ])('of %j is %i columns', (text, width) => expect(displayWidth(text)).toBe(width));
});

describe('cutToWidth', () => {
  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 5, 'abcd…'],
    ['ab cdef', 4, 'ab…'],
    ['abc', 1, '…'],
    ['abc', 0, ''],
    ['日本語', 6, '日本語'],
    ['日本語', 5, '日本…'],
    ['日本語', 4, '日…'],
    ['日', 1, '…'],
    ['👩‍🚀👩‍🚀', 3, '👩‍🚀…'],
  ])('%j to %i columns is %j', (text, columns, cut) => {
    expect(cutToWidth(text, columns)).toBe(cut);
    expect(displayWidth(cut)).toBeLessThanOrEqual(columns);
  });

  it('reads no further than it has to', () => {
    const before = ownNow();
    expect(cutToWidth('é'.repeat(5_000_000), 40)).toHaveLength(40);
    expect(ownNow() - before).toBeLessThan(500);
  });
});

it('pads by columns, not by characters', () => {
  expect(padToWidth('日', 4)).toBe('日  ');
  expect(padToWidth('abcdef', 4)).toBe('abcdef');
});
