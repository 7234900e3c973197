import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineStarts } from './line-starts.ts';

test('knows every line, in whatever order it is asked', () => {
  const text = fc.array(fc.constantFrom('', 'a', 'bc'), { maxLength: 200 }).map((lines) => lines.join('\n'));
  const questions = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 250 })), { maxLength: 5 });
  fc.assert(
    fc.property(text, questions, (content, asked) => {
      const starts = new LineStarts(content);
      for (const [isLine, n] of asked) {
        const before = content.split('\n').slice(0, n - 1);
        const start = before.join('\n').length + (n > 1 ? 1 : 0);
        if (!isLine) expect(starts.lineOf(n)).toBe(content.slice(0, n).split('\n').length);
        else if (n >= 1) expect(starts.of(n)).toBe(n > content.split('\n').length ? undefined : start);
      }
    }),
  );
});
