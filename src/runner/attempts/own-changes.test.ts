import { describe, expect, it } from 'vitest';
import { kindOf } from '../../agents/kind.ts';
import type { WriteFinding } from '../../core/model/failure.ts';
import { type OwnChange, ownChange, type Seen, withoutLitter } from './own-changes.ts';

const nothing: Seen = {
  isIdle: false,
  isAccompanied: false,
  hasLocked: false,
  found: [],
  writes: [],
  tree: { paths: [], ignored: [], isCommitted: false },
};
const tree = (...paths: string[]) => ({ paths, ignored: [], isCommitted: paths.length === 0 });
const ignored = (...came: string[]) => ({ paths: ['b.txt'], ignored: came, isCommitted: false });
const found = (finding: WriteFinding['finding'], path = 'a.txt'): Pick<Seen, 'found'> => ({
  found: [{ path, finding }],
});

describe('an agent that works alone', () => {
  it.each<[OwnChange, string, Partial<Seen>]>([
    ['none', 'nothing changed', {}],
    ['own', 'something changed', { tree: tree('a.txt') }],
    ['own', 'a commit without a file', { tree: tree() }],
    ['own', 'only an ignored file that it had locked', { hasLocked: true }],
    ['unknown', 'nobody can tell', { tree: null }],
    ['none', 'it made no call, and a person wrote a file', { isIdle: true, tree: tree('a.txt') }],
    ['none', 'it says that it wrote, and nothing changed', { writes: ['a.txt'] }],
  ])('%s: %s', (wanted, _, seen) => {
    expect(ownChange({ ...nothing, ...seen })).toBe(wanted);
  });
});

describe('an agent beside others', () => {
  it.each<[OwnChange, string, Partial<Seen>]>([
    ['none', 'nothing changed at all', {}],
    ['none', 'it made no call', { isIdle: true, tree: tree('b.txt') }],
    ['none', 'it made no call, and another wrote its file', { isIdle: true, hasLocked: true, tree: tree('a.txt') }],
    ['own', 'its locked file changed', { hasLocked: true, tree: tree('a.txt', 'b.txt') }],
    ['own', 'its locked file changed, and nobody can tell about the rest', { hasLocked: true, tree: null }],
    ['unclear', 'only what nobody attributes to it changed', { tree: tree('b.txt') }],
    ['unclear', 'a commit that may be anybody’s', { tree: tree() }],
    ['unclear', 'nobody can tell', { tree: null }],
    ['own', 'its command wrote a free file', { ...found('late'), tree: tree('a.txt', 'b.txt') }],
    ['own', 'its command did, and nobody can tell about the rest', { ...found('late'), tree: null }],
    ['unclear', 'its command wrote a file that is what it was', { ...found('late'), tree: tree('b.txt') }],
    ['none', 'and nothing else changed either', found('late')],
    ['unclear', 'its command may have written it', { ...found('suspect'), tree: tree('a.txt') }],
    ['unclear', 'its command wrote to what another holds', { ...found('foreign'), tree: tree('a.txt') }],
    ['own', 'it says that it wrote a file that changed', { writes: ['a.txt'], tree: tree('a.txt') }],
    ['own', 'or an ignored one that came', { writes: ['a.log'], tree: ignored('a.log') }],
    ['own', 'or one in a folder that came whole', { writes: ['dist/a.js'], tree: ignored('dist/') }],
    ['unclear', 'but no other', { writes: ['dist.js'], tree: ignored('dist/') }],
    ['unclear', 'it says that it wrote a file that did not change', { writes: ['a.txt'], tree: tree('b.txt') }],
    ['unclear', 'it says so, and nobody can tell', { writes: ['a.txt'], tree: null }],
  ])('%s: %s', (wanted, _, seen) => {
    expect(ownChange({ ...nothing, isAccompanied: true, ...seen })).toBe(wanted);
  });
});

describe('what the program itself left', () => {
  const isLitter = kindOf({ kind: 'opencode' })!.known!.isLitter!;
  const left = ['.opencode/.gitignore', '.opencode/package.json', 'sub/.opencode/package-lock.json'];

  it.each<[OwnChange, string, string[]]>([
    ['none', 'is no work', []],
    ['own', 'hides no work', ['a.txt']],
    ['own', 'is not all in its folder', ['.opencode/agent/helper.md']],
    ['own', 'is not what is called alike', ['package.json', 'my.opencode/package.json']],
  ])('%s: %s', (wanted, _, work) => {
    const tree = { paths: [...left, ...work], ignored: ['.opencode/node_modules/'], isCommitted: false };
    expect(ownChange({ ...nothing, tree: withoutLitter(tree, isLitter) })).toBe(wanted);
  });
});
