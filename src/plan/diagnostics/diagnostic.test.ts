// How a mistake is printed.
import { expect, test } from 'vitest';
import { readDuration } from '../keys/duration.ts';
import { keys } from '../keys/keys.ts';
import { type Diagnostic, formatDiagnostic, plainText, quoted } from './diagnostic.ts';
import { nearest } from './nearest.ts';

const mistake: Diagnostic = {
  severity: 'error',
  code: 'unknown-id',
  message: 'there is no task `bb`',
  file: 'plan.md',
  line: 12,
  column: 14,
  length: 2,
  excerpt: '- [ ] a: x → bb',
  help: 'did you mean `b`?',
};

test('place, code, message, the line with a caret under the mistake, the way out', () => {
  expect(formatDiagnostic(mistake)).toBe(
    [
      'plan.md:12:14: error[unknown-id]: there is no task `bb`',
      '  12 | - [ ] a: x → bb',
      '     |              ^^',
      '     = help: did you mean `b`?',
    ].join('\n'),
  );
});

test('a line of a megabyte shows as the part around the mistake', () => {
  const excerpt = `${'x'.repeat(500_000)}bb${'y'.repeat(500_000)}`;
  const [, line, carets] = formatDiagnostic({ ...mistake, excerpt, column: 500_001 }).split('\n');
  expect(line!.length).toBeLessThan(200);
  expect(line!.slice(carets!.indexOf('^'), carets!.lastIndexOf('^') + 1)).toBe('bb');
});

test('nothing that a terminal would obey comes through', () => {
  expect(plainText('a\u001b[31mb\tc\u009b\u202e')).toBe('a\ufffd[31mb c\ufffd\ufffd');
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
