import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ownWrites, wroteThere } from './own-writes.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'own-writes-')));
afterAll(() => rmSync(folder, { recursive: true }));
const top = join(folder, 'top');
mkdirSync(join(top, 'sub'), { recursive: true });
symlinkSync(top, join(folder, 'link'));
const isApart = (path: Buffer) => path.toString().startsWith('.signalbox/');

it.each<[string, string[], string[]]>([
  ['a file of the checkout', [`${top}/a.txt`], ['a.txt']],
  ['behind a link', [`${folder}/link/sub/a.txt`, `${top}/sub/a.txt`], ['sub/a.txt']],
  ['in a folder that is gone', [`${top}/gone/a.txt`], ['gone/a.txt']],
  ['in its own tree', ['a.txt', 'sub/a.txt'], []],
  ['beside the checkout', [`${folder}/a.txt`, `${top}-2/a.txt`, '/tmp/a.txt', top], []],
  ['of Signalbox', [`${top}/.signalbox/a`], []],
])('%s', (_, writes, expected) => expect(ownWrites(writes, top, isApart)).toEqual(expected));

it('is one incident, or none', () => {
  expect(wroteThere([])).toEqual([]);
  expect(wroteThere(['a', 'b'])).toEqual([
    { kind: 'wrote', what: 'it wrote to files in your checkout: a and b', texts: [] },
  ]);
});
