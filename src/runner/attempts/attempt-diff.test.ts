import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { takeBeforeImage } from '../../files/take-before-image.ts';
import { attemptDiff } from './attempt-diff.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function place(files: Record<string, string>, keys: readonly string[]) {
  const root = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
  folders.push(root);
  const folder = join(root, '.signalbox');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  if (keys.length > 0) await takeBeforeImage({ root, folder, token: 't', keys });
  return { root, folder, image: 't', environment: { PATH: process.env.PATH ?? '' } };
}

describe('attemptDiff', () => {
  it('shows what became of locked files', async () => {
    const at = await place({ a: 'one\n', b: 'gone\n', c: 'same\n' }, ['a', 'b', 'c', 'd']);
    writeFileSync(join(at.root, 'a'), 'two\n');
    rmSync(join(at.root, 'b'));
    writeFileSync(join(at.root, 'd'), 'new\n');
    const { text, cut, from } = await attemptDiff(at);
    expect([cut, from]).toEqual([false, 'locked files']);
    for (const part of ['--- a\n+++ a', '-one\n+two', '+++ b (deleted)', '-gone', '--- d (was not there)', '+new'])
      expect(text).toContain(part);
    expect(text).not.toContain('same');
  });

  it('is cut, and says so; what is no text is only named', async () => {
    const at = await place({ a: '', b: '' }, ['a', 'b']);
    writeFileSync(join(at.root, 'a'), '\0\0');
    writeFileSync(join(at.root, 'b'), 'line\n'.repeat(100_000));
    const { text, cut } = await attemptDiff(at);
    expect([cut, text!.length]).toEqual([true, 100_000]);
    expect(text).toContain('+++ a\n(no text');
  });

  it('is not known without locks and without git', async () => {
    expect(await attemptDiff(await place({ a: 'x' }, []))).toEqual({ text: null, cut: false, from: 'nothing' });
  });
});
