// A disk of a megabyte, for real: only root may mount one.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { about, ScratchTree } from '../../test/rigs/scratch-tree.ts';
import { readBeforeImage } from './before-image.ts';
import { putBack } from './put-back.ts';
import { saveWork } from './save-work.ts';
import { listSaved } from './saved-manifest.ts';
import { takeBeforeImage } from './take-before-image.ts';

const mount = (...args: string[]) => spawnSync('mount', args).status === 0;

describe.skipIf(!canMount())('a full disk (needs root to mount one)', () => {
  let disk: string;
  let tree: ScratchTree;
  const full = { name: 'Outage', kind: 'disk-full', message: expect.stringContaining('free some space') };
  const fill = () => {
    // Until not even a small file fits.
    for (const size of [512, 64, 8, 4]) {
      for (
        let i = 0;
        spawnSync('dd', ['if=/dev/zero', `of=${disk}/ballast-${size}-${i}`, `bs=${size}k`, 'count=1']).status === 0;
        i++
      );
    }
  };
  const empty = () => {
    for (const name of readdirSync(disk)) if (name.startsWith('ballast')) rmSync(join(disk, name));
  };

  beforeEach(() => {
    disk = mkdtempSync(join(tmpdir(), 'signalbox-disk-'));
    expect(mount('-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk)).toBe(true);
    tree = new ScratchTree({ 'src/a': 'a'.repeat(50_000), 'src/b': 'b'.repeat(50_000), 'src/c': 'c' }, disk);
  });
  afterEach(() => {
    spawnSync('umount', [disk]);
    rmdirSync(disk);
  });

  it('takes no half of an image, and a whole one when there is space again', async () => {
    const take = () => takeBeforeImage({ ...tree, token: 7, keys: ['src'] });
    fill();
    await expect(take()).rejects.toMatchObject(full);
    expect(readBeforeImage(tree.folder, 7)?.grants ?? []).toEqual([]);
    empty();
    expect(await take()).toMatchObject({ files: 3, notKept: [] });
  });

  it('saves nothing by half, changes no file, and loses nothing', async () => {
    const before = tree.all();
    await takeBeforeImage({ ...tree, token: 7, keys: ['src'] });
    tree.write('src/a', 'A'.repeat(50_000));
    tree.write('src/new', 'N'.repeat(60_000));
    rmSync(tree.at('src/b'));
    const after = tree.all();
    const save = () => saveWork({ ...tree, token: 7, about: about() });
    const put = () => putBack({ ...tree, token: 7 });
    fill();
    await expect(save()).rejects.toMatchObject(full);
    expect(listSaved(tree.folder)).toEqual([]);
    empty();
    expect(tree.all()).toEqual(after);
    expect(await save()).toMatchObject({ id: 'api-1', files: 3 });
    fill();
    // What was new is deleted first, which makes place for the rest; where that is taken, too, it stops.
    spawnSync('cp', [join(disk, 'src/new'), join(disk, 'src/c2')]);
    await put().catch((error) => expect(error).toMatchObject(full));
    empty();
    rmSync(join(disk, 'src/c2'), { force: true });
    await put();
    expect(tree.all()).toEqual(before);
    expect(listSaved(tree.folder)).toHaveLength(1);
  });

  it('puts back nothing by half', async () => {
    await takeBeforeImage({ ...tree, token: 7, keys: ['src'] });
    const before = tree.all();
    tree.write('src/a', 'A');
    tree.write('src/b', 'B');
    const after = tree.all();
    await saveWork({ ...tree, token: 7, about: about() });
    fill();
    await expect(putBack({ ...tree, token: 7 })).rejects.toMatchObject(full);
    expect(tree.all()).toEqual({
      ...after,
      ...Object.fromEntries(
        readdirSync(disk)
          .filter((n) => n.startsWith('ballast'))
          .map((n) => [n, expect.anything()]),
      ),
    });
    empty();
    await putBack({ ...tree, token: 7 });
    expect(tree.all()).toEqual(before);
  });
});

function canMount(): boolean {
  const place = mkdtempSync(join(tmpdir(), 'signalbox-probe-'));
  const mounted = mount('-t', 'tmpfs', 'tmpfs', place);
  if (mounted) spawnSync('umount', [place]);
  rmdirSync(place);
  return mounted;
}
