import { expect, it } from 'vitest';
import type { WriteFinding } from '../../core/model/failure.ts';
import { type LockedFiles, type Reviewed, reviewerChanges } from './reviewer-changes.ts';

const nothing: Reviewed = {
  locked: [[], []],
  found: [],
  writes: [],
  tree: { paths: [], ignored: [], isCommitted: false },
};
const tree = (paths: string[]) => ({ tree: { paths, ignored: [], isCommitted: false } });
const found = (finding: WriteFinding['finding']) => ({ found: [{ path: 'b.txt', finding }] });
const file = (name: string, after: string): LockedFiles[number] => ({ file: name, before: 'x', after });

it.each<[string[], string, Partial<Reviewed>]>([
  [[], 'nothing', {}],
  [['a.txt'], 'a file of its attempt', { locked: [[file('a.txt', '1')], [file('a.txt', '2')]] }],
  [['a.txt'], 'one that the attempt had not changed', { locked: [[], [file('a.txt', '2')]] }],
  [['a.txt'], 'one that it made what it was before the attempt', { locked: [[file('a.txt', '1')], []] }],
  [[], 'no file of its attempt', { locked: [[file('a.txt', '1')], [file('a.txt', '1')]] }],
  [[], 'nobody looked, and nothing is known', { locked: null, tree: null }],
  [['b.txt'], 'a free file by a command', { ...found('unlocked'), ...tree(['b.txt', 'c.txt']) }],
  [['b.txt'], 'a file of another by a command', { ...found('foreign'), ...tree(['b.txt']) }],
  [[], 'perhaps a file by a command', { ...found('suspect'), ...tree(['b.txt']) }],
  [[], 'a file by a command, and it undid that', { ...found('unlocked'), ...tree(['c.txt']) }],
  [['b.txt'], 'a file by a command, and nobody can tell about the rest', { ...found('unlocked'), tree: null }],
  [['b.txt'], 'a file that it says it wrote', { writes: ['b.txt'], ...tree(['b.txt']) }],
  [[], 'a file that it says it wrote, and that is the same', { writes: ['b.txt'], ...tree(['c.txt']) }],
  [[], 'something beside others', tree(['c.txt'])],
  [
    ['a.txt', 'b.txt'],
    'both',
    { locked: [[], [file('a.txt', '2')]], ...found('unlocked'), ...tree(['a.txt', 'b.txt']) },
  ],
])('%j: %s', (wanted, _, seen) => {
  expect(reviewerChanges({ ...nothing, ...seen })).toEqual(wanted);
});
