import fc from 'fast-check';
import { expect, test } from 'vitest';
import { howMany } from '../../../../test/how-many.ts';
import { formatYaml } from './format-yaml.ts';

const formatted = (text: string): string | null => formatYaml(text).next().value ?? null;

test('is done after once', () => {
  const value = fc.constantFrom(
    ...[
      'x',
      'x y',
      '"q"',
      "'s'",
      "''",
      '',
      '[a, b]',
      '[ a,b ,]',
      '{a: 1, b: [c]}',
      '{}',
      '[a,\n      b]',
      '&x a',
      '*x',
    ],
    ...['|\n      one\n\n        two', '|-\n      x', '|+\n      x\n\n', '>\n      x\n      y', '"a\n      b"'],
    ...['\n      - a\n      - b: c\n        d: e', '\n      x: y', '\n    - a', 'x\n      y', 'x # c', '# c'],
  );
  const key = fc.constantFrom('a:', 'b:', '"c":', '-', '- a:', '', 'a :', '# c');
  const line = fc
    .tuple(fc.nat({ max: 3 }), key, value)
    .map(([depth, name, given]) => `${'  '.repeat(depth)}${name} ${given}`);
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
      // The package is called for texts with mistakes nowhere but here, and cannot write some of them.
      let once: string | null = null;
      try {
        once = formatted(`t:\n${lines.join('\n')}\n`);
      } catch {
        return;
      }
      if (once !== null && !once.includes('#')) expect(formatted(once)).toBe(once);
    }),
    { numRuns: howMany(2000) },
  );
});

test.each(['\u00a0', '\u2028', 'a\u3000b', '\ufeff'])(
  'leaves a name that the package reads but never writes: %j',
  (name) => {
    expect(formatted(`tasks:\n n: &${name}\n`)).toBe(null);
    expect(formatted(`tasks:\n n: &${name} {title: x}\n`)).toBe(null);
    expect(formatted(`tasks:\n n: {title: &${name} x}\n m: {title: *${name} }\n`)).toBe(null);
  },
);
