import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { howMany } from '../../test/how-many.ts';
import { ownNow } from '../../test/own-time.ts';
import { overlaps } from './overlap.ts';
import { parseResource, type Resource } from './resource.ts';
import { ResourceIndex } from './resource-index.ts';

function resource(text: string): Resource {
  const read = parseResource(text);
  if (!read.ok) throw new Error(`${text} ${read.problem}`);
  return read.resource;
}

const some = fc.constantFrom(
  ...[
    'a',
    'b',
    'a/b',
    'a/b/c',
    'a/b.ts',
    'a/*',
    'a/**',
    '**/c',
    '*',
    '**',
    '{a,b}/c',
    '{a,a/*}',
    'db:x',
    'db:y',
    'b/*/c',
  ],
);

describe('the index of resources', () => {
  it('finds what asking each would find, after any additions and removals', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(some, fc.boolean())), some, (changes, request) => {
        const index = new ResourceIndex<number>();
        let filed: { readonly text: string; readonly entry: number }[] = [];
        changes.forEach(([text, isRemoval], entry) => {
          if (isRemoval) {
            const gone = filed.find((filing) => filing.text === text)?.entry ?? -1;
            index.remove(resource(text), gone);
            filed = filed.filter((filing) => filing.entry !== gone);
          } else {
            index.add(resource(text), entry);
            filed.push({ text, entry });
          }
        });
        const wanted = resource(request);
        const found = [...index.overlapping(wanted)];
        expect(new Set(found).size).toBe(found.length);
        const expected = filed.filter(({ text }) => overlaps(resource(text), wanted)).map(({ entry }) => entry);
        expect(found.sort((x, y) => x - y)).toEqual(expected);
        for (const { text, entry } of filed) index.remove(resource(text), entry);
        expect(index.isEmpty).toBe(true);
      }),
      { numRuns: howMany(1000) },
    );
  });

  it('keeps other filings of the same key and of the same entry', () => {
    const index = new ResourceIndex<string>();
    index.add(resource('a/*'), 'x');
    index.add(resource('a/?'), 'x');
    index.add(resource('a/*'), 'y');
    index.remove(resource('a/*'), 'x');
    index.remove(resource('z'), 'x');
    expect([...index.overlapping(resource('a/b'))].sort()).toEqual(['x', 'y']);
    expect([...index.overlapping(resource('a/bc'))]).toEqual(['y']);
  });

  it.each([
    ['in folders of their own', (i: number) => `src/part${i}/**/*.ts`],
    ['all in one folder', (i: number) => `src/**/a*${i}.ts`],
    ['with names that are hard to tell apart', (i: number) => `**/*a*a*a*${i}b`],
  ])('a path is tested against 1,000 globs without anybody noticing: %s', (_, keyOf) => {
    const index = new ResourceIndex<number>();
    for (let i = 0; i < 1000; i++) index.add(resource(keyOf(i)), i);
    const times: number[] = [];
    for (let round = 0; round < 60; round++) {
      const started = ownNow();
      for (const _ of index.overlapping(resource(`src/part7/deep/aaa${round}.ts`)));
      times.push(ownNow() - started);
    }
    // It takes a fifth of a millisecond, and ten times that while coverage is counted. The quickest round, for a busy machine.
    expect(Math.min(...times)).toBeLessThan(4);
  });
});
