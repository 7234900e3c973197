import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { takeBeforeImage } from '../../files/take-before-image.ts';
import { takeSnapshot } from '../../git/snapshots/snapshot.ts';
import { attemptDiff } from './attempt-diff.ts';
import { snapshotPlace } from './attempt-snapshots.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function begun(files: Record<string, string>, keys: readonly string[] = [], path = process.env.PATH ?? '') {
  const root = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
  folders.push(root);
  const stateFolder = join(root, '.signalbox');
  mkdirSync(stateFolder);
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  if (keys.length > 0) await takeBeforeImage({ root, folder: stateFolder, token: 't-1', keys });
  const place = snapshotPlace({ root, stateFolder }, { PATH: path });
  const snapshot = await takeSnapshot(place, 't-1').catch((error: Error) => error.message);
  return { root, write, snapshot, diff: () => attemptDiff(place, 't-1') };
}

describe('what an attempt has changed', () => {
  it('is what became of its locked files, and of the others', async () => {
    const { root, write, diff } = await begun({ a: 'one\n', b: 'gone\n', c: 'same\n', e: 'one\n' }, [
      'a',
      'b',
      'c',
      'd',
    ]);
    expect(await diff()).toEqual({ text: '', cut: false, notes: [] });
    write('a', 'two\n');
    rmSync(join(root, 'b'));
    write('d', 'new\n');
    write('e', 'elsewhere\n');
    const { text, cut, notes } = await diff();
    expect(cut).toBe(false);
    for (const part of ['--- a\n+++ a\n', '-one\n+two', '+++ b (not there)', '-gone', '--- d (not there)', '+new'])
      expect(text).toContain(part);
    expect(text).toContain('+elsewhere');
    expect(text.match(/\+two/g)).toHaveLength(1);
    expect(text).not.toContain('same');
    expect(notes).toEqual(['Other tasks may have changed files in the same folder at the same time.']);
  });

  it('is known where a locked folder became a file, and a file a folder', async () => {
    const { root, write, diff } = await begun({ 'folder/a': 'in\n', file: 'was\n' }, ['folder', 'file']);
    renameSync(join(root, 'folder'), join(root, 'moved'));
    write('folder', 'now a file\n');
    rmSync(join(root, 'file'));
    write('file/b', 'now a folder\n');
    const { text } = await diff();
    for (const part of ['-in', '+now a file', '-was', '+now a folder']) expect(text).toContain(part);
  });

  it('has modes and symlinks of locked files in words, and follows no symlink', async () => {
    const { root, diff } = await begun({ a: 'a\n', b: 'b\n', 'd/x': 'x\n' }, ['a', 'b', 'd']);
    chmodSync(join(root, 'a'), 0o755);
    for (const name of ['b', 'd']) rmSync(join(root, name), { recursive: true });
    symlinkSync('/etc/passwd', join(root, 'b'));
    symlinkSync('/etc', join(root, 'd'));
    const { text } = await diff();
    expect(text).toContain('--- a (file, mode 644)\n+++ a (file, mode 755)\n');
    expect(text).toContain('+++ b (symlink to /etc/passwd)');
    expect(text).toContain('+++ d (symlink to /etc)');
    expect(text).not.toContain('root:');
  });

  it('is cut, and says so; what is no text is only named', async () => {
    const { write, diff } = await begun({ a: '', b: '' }, ['a', 'b']);
    write('a', '\0\0');
    write('b', 'line\n'.repeat(100_000));
    const { text, cut } = await diff();
    expect([cut, text.length]).toEqual([true, 100_000]);
    expect(text).toContain('+++ a\n(no text');
  });

  it('names what is new and hidden', async () => {
    const { write, diff } = await begun({ a: 'one\n' });
    write('hidden/.gitignore', '*\n');
    write('hidden/evil', 'evil\n');
    expect(await diff()).toEqual({
      text: '',
      cut: false,
      notes: ['New and ignored by git, so not shown: "hidden/". Look at the files themselves.'],
    });
  });

  it('names what was there, is ignored, and was written; and what steers git', async () => {
    const git = { '.git/HEAD': 'ref: refs/heads/main\n', '.git/objects/x': '', '.git/refs/x': '' };
    const { write, diff } = await begun({ ...git, a: 'one\n', '.gitignore': '.env\n', '.env': 'one\n' });
    write('.env', 'two\n');
    write('.git/hooks/pre-commit', 'evil\n');
    expect(await diff()).toEqual({
      text: '',
      cut: false,
      notes: [
        'Ignored by git and written or removed meanwhile, so not shown: ".env". Look at the files themselves.',
        'Configuration or hooks of git that were written: ".git/hooks/pre-commit". Look at the files themselves.',
      ],
    });
  });

  it('is not known without git; of locked files it is, and says that this is all', async () => {
    const without = await begun({ a: 'one\n' }, [], '/nonexistent');
    expect(without.snapshot).toBe('there is no git on the PATH');
    await expect(without.diff()).rejects.toThrow('there is no git on the PATH');
    const locked = await begun({ a: 'one\n' }, ['a'], '/nonexistent');
    locked.write('a', 'two\n');
    expect(await locked.diff()).toMatchObject({
      text: expect.stringContaining('+two'),
      notes: ['Only its locked files were compared: there is no git on the PATH.'],
    });
  });
});
