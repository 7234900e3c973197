import { describe, expect, it } from 'vitest';
import { ownNow } from '../../test/own-time.ts';
import { parseResource } from './resource.ts';

const keyOf = (text: string) => {
  const read = parseResource(text);
  return read.ok ? `${read.resource.kind} ${read.resource.key}` : `refused: ${text.slice(0, 10)} ${read.problem}`;
};

describe('a resource', () => {
  it.each([
    ['src/a.ts', 'path src/a.ts'],
    ['./a/../b.ts', 'path b.ts'],
    ['a//b/./c', 'path a/b/c'],
    ['a b/c,d}.ts', 'path a b/c,d\\}.ts'],
    ['src/', 'glob src/**'],
    ['src/**/', 'glob src/**'],
    ['.', 'glob **'],
    ['./', 'glob **'],
    ['a/..', 'glob **'],
    ['src/**', 'glob src/**'],
    ['a/**/**/***/b', 'glob a/**/b'],
    ['a**b?', 'glob a*b?'],
    ['*/b/..c', 'glob */b/..c'],
    ['a\\*b', 'path a\\*b'],
    ['\\*\\?\\{\\}\\\\', 'path \\*\\?\\{\\}\\\\'],
    ['\\~/x', 'path \\~/x'],
    ['a~', 'path a~'],
    ['{a,b}.ts', 'glob {a.ts,b.ts}'],
    ['{a,b/c}/*', 'glob {a/*,b/c/*}'],
    ['x{,.test}.ts', 'glob {x.ts,x.test.ts}'],
    ['{a,{b,{c,d}}}', 'glob {a,b,c,d}'],
    ['{a\\,b,c}', 'glob {a\\,b,c}'],
    ['{a}', 'path a'],
    ['{a,./a}', 'path a'],
    ['src/{,a/}b', 'glob {src/b,src/a/b}'],
    ['db:test', 'named db:test'],
    ['port:5432', 'named port:5432'],
    ['db:*', 'named db:*'],
    ['c:x\\y', 'named c:x\\y'],
    ['./db:test', 'path ./db:test'],
    ['./C:/x', 'path ./C:/x'],
    ['a/db:test', 'path a/db:test'],
    ['DB:test', 'path ./DB:test'],
    ['db:', 'path ./db:'],
    ['app/[id]/😀.tsx', 'path app/[id]/😀.tsx'],
  ])('%s is %s, and reads back as the same', (text, key) => {
    expect(keyOf(text)).toBe(key);
    expect(keyOf(key.slice(key.indexOf(' ') + 1))).toBe(key);
  });

  it.each([
    ['', 'is empty'],
    ['  ', 'is empty'],
    ['a'.repeat(4097), 'is longer than 4096 characters'],
    ['a\0b', 'has a control character in it'],
    ['a\nb', 'has a control character in it'],
    ['/etc/passwd', 'is absolute: paths start at the root of the workspace'],
    ['C:\\x', 'is absolute: paths start at the root of the workspace'],
    ['c:/x', 'is absolute: paths start at the root of the workspace'],
    ['~/x', 'starts in a home folder: paths start at the root of the workspace'],
    ['~', 'starts in a home folder: paths start at the root of the workspace'],
    ['..', 'is outside the workspace'],
    ['a/../../b', 'is outside the workspace'],
    ['{a,../b}', 'is outside the workspace'],
    ['a/*/../b', 'has a `..` behind a wildcard'],
    ['**/..', 'has a `..` behind a wildcard'],
    ['src\\a.ts', 'has a backslash in it: folders are separated by `/`'],
    ['src\\', 'ends with a backslash: folders are separated by `/`'],
    ['{a,b', 'has a `{` without its `}`'],
    ['{,a}', 'has an alternative that is empty'],
    ['{a,b}'.repeat(7), 'stands for more than 64 patterns'],
    [`{${'a,'.repeat(64)}a}`, 'stands for more than 64 patterns'],
    [`{a,b}{a,b}${'x'.repeat(4000)}`, 'stands for patterns of more than 8192 characters'],
  ])('%j is refused: %s', (text, problem) => {
    expect(keyOf(text)).toBe(`refused: ${text.slice(0, 10)} ${problem}`);
  });

  it('braces cost no more than their bounds, however deep and many they are', () => {
    const started = ownNow();
    expect(keyOf(`${'{'.repeat(2000)}a${'}'.repeat(2000)}`)).toContain('nested deeper than 16');
    expect(keyOf('{{a},{b}}'.repeat(400))).toContain('stands for patterns of more than');
    expect(keyOf('{a,'.repeat(1000) + '}'.repeat(1000))).toContain('nested deeper than 16');
    expect(ownNow() - started).toBeLessThan(1000);
  });
});
