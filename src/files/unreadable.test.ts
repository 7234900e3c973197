// Files that the user may not read: root may read all, so this runs as somebody else where it can.
import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { removeScratchTrees, ScratchTree } from '../../test/rigs/scratch-tree.ts';

afterAll(removeScratchTrees);

const here = (name: string) => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)));

it.skipIf(process.getuid?.() !== 0)('what may not be read is told and stays, and nothing else waits for it', () => {
  const tree = new ScratchTree();
  chmodSync(tree.root, 0o777);
  rmSync(tree.folder, { recursive: true });
  const script = `
    const { takeBeforeImage } = await import(${here('./take-before-image.ts')});
    const { saveWork } = await import(${here('./save-work.ts')});
    const { putBack } = await import(${here('./put-back.ts')});
    const fs = await import('node:fs');
    process.setgid(65534);
    process.setuid(65534);
    const [root] = process.argv.slice(1);
    process.chdir(root);
    fs.mkdirSync('src/d', { recursive: true });
    for (const name of ['a', 'b', 'c', 'd/x', 'e']) fs.writeFileSync('src/' + name, name);
    for (const name of ['b', 'e']) fs.chmodSync('src/' + name, 0);
    const place = { root, folder: root + '/.signalbox', token: 1 };
    const save = () =>
      saveWork({ ...place, about: { attempt: 'p#1', task: 'p', plan: 'p.md', at: 0, reason: 'deadlock' } });
    const taken = await takeBeforeImage({ ...place, keys: ['src'] });
    fs.writeFileSync('src/a', 'A');
    fs.chmodSync('src/a', 0);
    fs.chmodSync('src/b', 0o600);
    fs.writeFileSync('src/b', 'B');
    fs.rmSync('src/c');
    fs.chmodSync('src/d', 0);
    const hindered = await save().catch(({ kind }) => kind);
    fs.chmodSync('src/d', 0o755);
    console.log(JSON.stringify([taken.notKept, hindered, await save(), await putBack(place)]));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script, tree.root], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual([
    [
      { path: 'src/b', why: 'unreadable' },
      { path: 'src/e', why: 'unreadable' },
    ],
    'read-only',
    { id: 'p-1', files: 3, notPutBack: ['src/b'] },
    {
      restored: ['src/c'],
      deleted: [],
      left: [
        { path: 'src/a', why: 'may not be read, so it could not be saved and stays as it is' },
        { path: 'src/b', why: 'was not kept before it was changed, so it stays as it is' },
      ],
    },
  ]);
  expect(readFileSync(join(tree.root, 'src/a'), 'utf8')).toBe('A');
  expect(lstatSync(join(tree.root, 'src/c')).mode & 0o777).toBe(0o644);
});
