import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { impossible } from './impossible.ts';

it('dies with the value it was given', () => {
  expect(() => impossible({ type: 'from-the-future' } as never)).toThrow('impossible: {"type":"from-the-future"}');
});

it('nothing but the closing never of a switch is exempt from coverage', () => {
  const files = globSync('src/core/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
  expect(files.length).toBeGreaterThan(20);
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const closings = text.matchAll(
      /\/\* v8 ignore start \*\/\s+default:\s+(?:return )?impossible\(\w+\);\s+\/\* v8 ignore stop \*\//g,
    );
    expect([...text.matchAll(/ignore/g)].length, file).toBe(2 * [...closings].length);
  }
});
