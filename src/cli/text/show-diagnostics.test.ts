// How a mistake is printed.
import { expect, test } from 'vitest';
import { paintFor } from '../terminal/paint.ts';
import { type Diagnostic, showDiagnostics } from './show-diagnostics.ts';

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
const shown = (diagnostic: Diagnostic) => showDiagnostics([diagnostic], paintFor(false), 80).split('\n');

test('place, code, message, the line with a caret under the mistake, the way out', () => {
  expect(shown(mistake)).toEqual([
    'plan.md:12:14: error[unknown-id]: there is no task `bb`',
    '  12 | - [ ] a: x → bb',
    '     |              ^^',
    '     = help: did you mean `b`?',
    '',
  ]);
});

test('a line of a megabyte shows as the part around the mistake', () => {
  const excerpt = `${'x'.repeat(500_000)}bb${'y'.repeat(500_000)}`;
  const [, line, carets] = shown({ ...mistake, excerpt, column: 500_001 });
  expect(line!.length).toBeLessThan(100);
  expect(line!.slice(carets!.indexOf('^'), carets!.lastIndexOf('^') + 1)).toBe('bb');
});
