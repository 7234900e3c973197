// How a mistake is printed.
import { expect, test } from 'vitest';
import { readDuration } from '../keys/duration.ts';
import { keys } from '../keys/keys.ts';
import { printable, quoted } from './diagnostic.ts';
import { nearest } from './nearest.ts';

test('nothing that a terminal would obey comes through', () => {
  expect(printable('a\u001b[31mb\tc\u009b\u202e')).toBe('a\ufffd[31mb c\ufffd\ufffd');
  expect(quoted('x'.repeat(100))).toHaveLength(63);
});

test.each([
  ['500ms', 500],
  ['10s', 10_000],
  ['5m', 300_000],
  ['2h', 7_200_000],
  ['1.5', 1500],
  ['0', 0],
  ['', null],
  ['-1', null],
  ['5 d', null],
  ['1e3', null],
  ['9999h', null],
])('duration %j', (text, ms) => {
  expect(readDuration(text)).toBe(ms);
});

test.each([
  ['apo', ['api', 'web'], 'api'],
  ['retires', ['retries', 'reads'], 'retries'],
  ['API', ['api'], 'api'],
  ['x', ['y'], undefined],
  ['something', ['else'], undefined],
])('nearest to %s', (word, known, meant) => {
  expect(nearest(word, known)).toBe(meant);
});

test('every key is in the table once', () => {
  expect(new Set(keys.map((key) => key.name)).size).toBe(keys.length);
});
