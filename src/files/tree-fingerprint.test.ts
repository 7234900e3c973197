import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { treeFingerprint } from './tree-fingerprint.ts';

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

describe('treeFingerprint', () => {
  it.each<[string, (t: ReturnType<typeof tree>) => void]>([
    ['a new file', ({ write }) => write('src/new.txt')],
    ['other contents', ({ write }) => write('src/deep/b.txt', 'yy')],
    ['a deleted file', ({ root }) => rmSync(join(root, 'a.txt'))],
    ['a touched file', ({ root }) => utimesSync(join(root, 'a.txt'), 1, 1)],
    ['another mode', ({ root }) => chmodSync(join(root, 'a.txt'), 0o755)],
    ['an empty folder', ({ root }) => mkdirSync(join(root, 'empty'))],
    ['a link', ({ root }) => symlinkSync('/nowhere', join(root, 'link'))],
    ['a commit', ({ write }) => write('.git/logs/HEAD')],
  ])('is another after %s', async (_, change) => {
    const t = tree();
    const before = await treeFingerprint(t.root);
    expect(before).not.toBeNull();
    change(t);
    expect(await treeFingerprint(t.root)).not.toBe(before);
  });

  it.each(['.signalbox/new', 'node_modules/m/new.js', '.git/index', 'docs/plan-outputs/p/status.json'])(
    'is the same after %s was written',
    async (path) => {
      const t = tree();
      mkdirSync(join(t.root, 'docs'));
      const before = await treeFingerprint(t.root);
      t.write(path, 'new');
      expect(await treeFingerprint(t.root)).toBe(before);
    },
  );

  it('is not known of a tree that is too large, or not there', async () => {
    const { root } = tree();
    expect(await treeFingerprint(root, 3)).toBeNull();
    expect(await treeFingerprint(join(root, 'nowhere'))).toBeNull();
  });
});
