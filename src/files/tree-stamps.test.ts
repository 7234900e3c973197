import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { differing, treeStamps } from './tree-stamps.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function tree(): { root: string; write: (path: string, text?: string) => void } {
  const root = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
  folders.push(root);
  const write = (path: string, text = 'x') => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const path of ['a.txt', 'src/deep/b.txt', '.git/HEAD', '.signalbox/x', 'node_modules/m/i.js']) write(path);
  return { root, write };
}

describe('the stamps of a tree', () => {
  it.each<[string, string, (t: ReturnType<typeof tree>) => void]>([
    ['a new file', 'src/new.txt', ({ write }) => write('src/new.txt')],
    ['other contents', 'src/deep/b.txt', ({ write }) => write('src/deep/b.txt', 'yy')],
    ['a deleted file', 'a.txt', ({ root }) => rmSync(join(root, 'a.txt'))],
    ['a touched file', 'a.txt', ({ root }) => utimesSync(join(root, 'a.txt'), 1, 1)],
    ['another mode', 'a.txt', ({ root }) => chmodSync(join(root, 'a.txt'), 0o755)],
    ['an empty folder', 'empty', ({ root }) => mkdirSync(join(root, 'empty'))],
    ['a link', 'link', ({ root }) => symlinkSync('/nowhere', join(root, 'link'))],
    ['a commit', '.git/logs/HEAD', ({ write }) => write('.git/logs/HEAD')],
  ])('tell of %s', async (_, path, change) => {
    const t = tree();
    const before = await treeStamps(t.root);
    expect(before).not.toBeNull();
    change(t);
    expect(differing(before!, (await treeStamps(t.root))!)).toEqual([path]);
  });

  it.each(['.signalbox/new', 'node_modules/m/new.js', '.git/index', 'docs/plan-outputs/p/status.json'])(
    'tell of nothing after %s was written',
    async (path) => {
      const t = tree();
      mkdirSync(join(t.root, 'docs'));
      const before = await treeStamps(t.root);
      t.write(path, 'new');
      expect(differing(before!, (await treeStamps(t.root))!)).toEqual([]);
    },
  );

  it('are not known of a tree that is too large, or not there', async () => {
    const { root } = tree();
    expect(await treeStamps(root, 3)).toBeNull();
    expect(await treeStamps(join(root, 'nowhere'))).toBeNull();
  });
});
