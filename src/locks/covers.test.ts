import { expect, it } from 'vitest';
import { covers } from './covers.ts';
import { parseResource } from './resource.ts';

const covered = (key: string, path: string) => {
  const read = parseResource(key);
  if (!read.ok) throw new Error(read.problem);
  return covers(read.resource, path);
};

it.each([
  ['src/a.ts', 'src/a.ts', true],
  ['src/a.ts', 'src/a.ts/b', true],
  ['src/a.ts', 'src', false],
  ['src/a.ts', 'src/b.ts', false],
  ['src', 'src/a/b.ts', true],
  ['src', 'srcs/a', false],
  ['src/*', 'src/a.ts', true],
  ['src/*', 'src/a/b.ts', false],
  ['src/*', 'src', false],
  ['src/*', 'lib/a.ts', false],
  ['src/**', 'src', true],
  ['src/**', 'src/a/b/c', true],
  ['src/**/*.ts', 'src/a.ts', true],
  ['src/**/*.ts', 'src/a/b.ts', true],
  ['src/**/*.ts', 'src/a/b.css', false],
  ['**/x/**/y', 'x/x/y/y', true],
  ['**/x/**/y', 'x/x/y/z', false],
  ['a*b*c', 'abbbc', true],
  ['a*b*c', 'abbbd', false],
  ['?.ts', '日.ts', true],
  ['?.ts', '💥.ts', true],
  ['?.ts', 'ab.ts', false],
  ['{a,b}.ts', 'b.ts', true],
  ['{a,b}.ts', 'c.ts', false],
  ['./', 'anything/at/all', true],
  ['db:test', 'db:test', false],
  ['\\*', '*', true],
  ['\\*', 'x', false],
])('%s and the file %s: %s', (key, path, expected) => {
  expect(covered(key, path)).toBe(expected);
});
