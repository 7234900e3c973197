import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { gitDiff } from './git-diff.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function folder(...commands: string[][]) {
  const root = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
  folders.push(root);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' });
  for (const args of commands) git(...args);
  const write = (name: string, text: string | Buffer) => writeFileSync(join(root, name), text);
  const commit = () => {
    git('add', '-A');
    git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-m', 'x');
  };
  return { root, git, write, commit };
}

const environment = { PATH: process.env.PATH ?? '', HOME: '/nonexistent' };
const diff = (root: string, most = 100_000) => gitDiff({ root, environment }, most);

describe('gitDiff', () => {
  it('is not known where there is no repository', async () => {
    expect(await diff(folder().root)).toBeNull();
  });

  it('has what was changed since the last commit, staged or not, and what is new', async () => {
    const { root, git, write, commit } = folder(['init']);
    write('a', 'one\n');
    write('b', 'one\n');
    commit();
    write('a', 'two\n');
    write('b', 'three\n');
    git('add', 'b');
    write('new', 'hello\n');
    write('binary', Buffer.from([0, 1, 2]));
    symlinkSync('/etc/passwd', join(root, 'link'));
    mkdirSync(join(root, '.signalbox'));
    write('.signalbox/state', 'private');
    const { text, cut } = (await diff(root))!;
    for (const part of [
      '-one\n+two',
      '+three',
      'new file: new\n+hello',
      'new file: binary\n(3 bytes, no text)',
      'new file: link\n',
    ])
      expect(text).toContain(part);
    expect([cut, /private|root:/.test(text)]).toEqual([false, false]);
  });

  it('works before the first commit', async () => {
    const { root, git, write } = folder(['init']);
    write('a', 'one\n');
    git('add', 'a');
    expect((await diff(root))!.text).toContain('+one');
  });

  it('is cut, and says so', async () => {
    const { root, write, commit } = folder(['init']);
    write('a', '');
    commit();
    write('a', 'line\n'.repeat(50_000));
    const found = (await diff(root, 1_000))!;
    expect([found.cut, found.text.length]).toEqual([true, 1_000]);
    write('a', '');
    for (let i = 0; i < 20; i++) write(`new-${i}`, 'x'.repeat(100));
    expect((await diff(root, 1_000))!.cut).toBe(true);
  });

  it('runs nothing that the repository names', async () => {
    const { root, git, write, commit } = folder(['init']);
    write('a', 'one\n');
    write('.gitattributes', 'a diff=evil\n');
    commit();
    write('a', 'two\n');
    git('config', 'diff.external', 'touch ran1');
    git('config', 'diff.evil.textconv', 'touch ran2;cat');
    git('config', 'core.fsmonitor', 'touch ran3');
    const { text } = (await diff(root))!;
    expect(text).toContain('+two');
    expect(text).not.toContain('ran');
  });
});
