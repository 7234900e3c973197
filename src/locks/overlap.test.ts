import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { howMany } from '../../test/how-many.ts';
import { ownNow } from '../../test/own-time.ts';
import { overlaps } from './overlap.ts';
import { parseResource, type Resource } from './resource.ts';

function resource(text: string): Resource {
  const read = parseResource(text);
  if (!read.ok) throw new Error(`${text} ${read.problem}`);
  return read.resource;
}

describe('two resources', () => {
  it.each<[string, string, boolean]>([
    ['src/a.ts', 'src/a.ts', true],
    ['src/a.ts', './src/b/../a.ts', true],
    ['src/a.ts', 'src/b.ts', false],
    ['src/a.ts', 'src/A.ts', false],
    // A folder and what is in it, either way round.
    ['src', 'src/a.ts', true],
    ['src', 'src/b/c/d.ts', true],
    ['src', 'src2/a.ts', false],
    ['src', 'src/*.ts', true],
    ['src', 'src/**', true],
    ['src', '**/*.ts', true],
    ['src/api', 'src/*/a.ts', true],
    ['v1.2', 'v1.2/a', true],
    ['v1.2', 'v1.2/*.md', true],
    ['v1.2', '*/*.md', false],
    ['.github', '**/*.yml', true],
    // A file is not a folder with styles in it.
    ['src/a.ts', '**/*.css', false],
    ['src/a.ts', '**/*.ts', true],
    ['src/a.ts', 'src/*', true],
    ['src/a.ts', 'src/?.ts', true],
    ['src/ab.ts', 'src/?.ts', false],
    ['src/😀.ts', 'src/?.ts', true],
    ['src/b/c.ts', 'src/*', false],
    ['src/b/c.ts', 'src/', true],
    ['src/b/c.ts', 'src/**/c.ts', true],
    ['src/c.ts', 'src/**/c.ts', true],
    ['src/c.ts', 'test/**', false],
    // Alternatives are keys of their own.
    ['{src,test}', 'src/a.ts', true],
    ['{src,test}', 'docs/a.ts', false],
    ['{a,b}.ts', '{b,c}.ts', true],
    ['{a,b}.ts', '{c,d}.ts', false],
    // Patterns.
    ['*.ts', 'a*', true],
    ['*.ts', '*.js', false],
    ['a*b', 'ab*', true],
    ['a*b', 'b*', false],
    ['*', '*/*', false],
    ['**', 'a/b/c', true],
    ['a/**/z', 'a/z', true],
    ['a/**/z', '**/b/*', true],
    ['a/**/z', '**/b/y', false],
    ['src/*', 'src/sub/*', false],
    ['src/**/a/**', 'src/**/b/**', true],
    // Names.
    ['db:test', 'db:test', true],
    ['db:test', 'db:prod', false],
    ['db:test', './db:test', false],
    ['db:*', 'db:test', false],
    ['**', 'db:test', false],
    ['a\\*', 'ab', false],
    ['a\\*', 'a?', true],
  ])('%s and %s: %s', (a, b, expected) => {
    expect(overlaps(resource(a), resource(b))).toBe(expected);
    expect(overlaps(resource(b), resource(a))).toBe(expected);
  });

  it.each([
    [`${'*a'.repeat(200)}*b`, `${'a*'.repeat(200)}c`],
    [`${'*a'.repeat(500)}*`, 'a'.repeat(2000)],
    [`${'**/a/'.repeat(400)}b`, `${'a/**/'.repeat(400)}c`],
    [`${'**/*a*a*a*a*b/'.repeat(100)}x`, `${'*a*a*a*/**/'.repeat(100)}y`],
    [`{${'*a*a*a*a*b/**,'.repeat(60)}z}`, `{${'**/*a*a*a*a*c,'.repeat(60)}y}`],
  ])('hostile patterns take their time, and not more', (a, b) => {
    const [one, other] = [resource(a), resource(b)];
    const started = ownNow();
    overlaps(one, other);
    expect(ownNow() - started).toBeLessThan(500);
  });
});

/** Every path of up to three names of up to three letters: enough to tell the short patterns below apart. */
const letters = ['a', 'b'];
const pairs = letters.flatMap((x) => letters.map((y) => x + y));
const names = [...letters, ...pairs, ...pairs.flatMap((x) => letters.map((y) => x + y))];
const twoNames = names.flatMap((x) => names.map((y) => `${x}/${y}`));
const paths = [...names, ...twoNames, ...twoNames.flatMap((x) => names.map((y) => `${x}/${y}`))];

/** Written another way than the code: as regular expressions over whole paths. Names without a dot may be folders. */
function naive(text: string): RegExp {
  const alternatives = /^(.*?)\{(.*?),(.*?)\}(.*)$/.exec(text);
  if (alternatives) {
    const [, before, one, other, after] = alternatives;
    return new RegExp(`${naive(`${before}${one}${after}`).source}|${naive(`${before}${other}${after}`).source}`);
  }
  if (!/[*?]/.test(text)) return new RegExp(`^${text}/(.*/)?$`);
  const parts = text
    .split('/')
    .map((part) => (part === '**' ? '(?:[^/]+/)*' : `${part.replace(/\*+/g, '[^/]*').replace(/\?/g, '[^/]')}/`));
  return new RegExp(`^${parts.join('')}$`);
}

const segment = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('a', 'b', 'ab') },
  { weight: 1, arbitrary: fc.constant('**') },
  { weight: 3, arbitrary: fc.stringMatching(/^[ab*?]{1,3}$/) },
  { weight: 1, arbitrary: fc.constantFrom('{a,b}', 'a{a,b}', '{ab,b}*') },
);
const pattern = fc
  .array(segment, { minLength: 1, maxLength: 3 })
  .map((segments) => segments.join('/').replace(/\*{3,}/g, '**'));

describe('overlaps, compared with trying every short path', () => {
  it('never says no where a path has both, and yes only where some path could', () => {
    fc.assert(
      fc.property(pattern, pattern, (a, b) => {
        const [one, other] = [naive(a), naive(b)];
        const common = paths.find((path) => one.test(`${path}/`) && other.test(`${path}/`));
        const [x, y] = [resource(a), resource(b)];
        expect(overlaps(y, x)).toBe(overlaps(x, y));
        if (common !== undefined) expect(overlaps(x, y), `${a} and ${b} have ${common}`).toBe(true);
        // Short paths are witness enough where no name has to be longer than those above.
        else if (!`${a}${b}`.includes('**') && !/[*?].*[*?]/.test(`${a}${b}`))
          expect(overlaps(x, y), `${a} and ${b}`).toBe(false);
      }),
      { numRuns: howMany(2000) },
    );
  });

  it('a resource overlaps itself, and its canonical spelling', () => {
    fc.assert(
      fc.property(pattern, (text) => {
        const one = resource(text);
        expect(overlaps(one, one)).toBe(true);
        expect(overlaps(one, resource(one.key))).toBe(true);
        expect(resource(one.key)).toEqual(resource(one.key));
      }),
    );
  });
});
