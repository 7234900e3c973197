// Hooks and filters of a repository: nobody runs them until a person says so, and what says so is not in the repository.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GitRecord } from '../../../src/api/trust/git-record.ts';
import { usesLfs } from '../../../src/git/ground/lfs.ts';
import { Workspace } from '../rig.ts';

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], { cwd, stdio: 'ignore' });

function repository(files: Readonly<Record<string, string>> = { a: '' }): Workspace {
  const w = new Workspace(files);
  git(w.folder, 'init', '-q');
  git(w.folder, 'add', '-A');
  git(w.folder, 'commit', '-qm', 'x');
  return w;
}

const gitOf = async (w: Workspace, ...args: string[]) => (await w.run('trust', ...args, '--json')).json.git;

describe('trust in a repository', () => {
  it('is said, holds, and is taken back', async () => {
    const w = repository();
    const before = readdirSync(join(w.folder, '.git')).sort();
    expect((await w.run('trust')).out).toContain(
      'Hooks and filters of the git repository do not run. If you trust it: signalbox trust --git\n',
    );
    expect((await w.run('trust', '--git')).out).toBe(
      'Hooks and filters of the git repository run when Signalbox makes trees and commits. To take it back: signalbox trust --git --revoke\n',
    );
    expect([await gitOf(w), readdirSync(join(w.folder, '.git')).sort(), w.has('.signalbox')]).toEqual([
      'trusted',
      before,
      false,
    ]);
    expect(await gitOf(w, '--git', '--revoke')).toBe('untrusted');
    expect([await gitOf(w, '--git', '--revoke'), await gitOf(w)]).toEqual(['untrusted', 'untrusted']);
  });

  it('is not that of another clone in its place, nor of a copy', async () => {
    const w = repository();
    await w.run('trust', '--git');
    const copy = new Workspace();
    cpSync(join(w.folder, '.git'), join(copy.folder, '.git'), { recursive: true });
    expect(await gitOf(copy)).toBe('untrusted');
    renameSync(join(w.folder, '.git'), join(w.folder, 'old'));
    git(w.folder, 'init', '-q');
    expect(await gitOf(w)).toBe('untrusted');
    rmSync(join(w.folder, '.git'), { recursive: true });
    renameSync(join(w.folder, 'old'), join(w.folder, '.git'));
    expect(await gitOf(w)).toBe('trusted');
  });

  it('holds for the workspace by each of its names, and in a folder of the repository', async () => {
    const w = repository({ 'in/signalbox.yaml': 'max-parallel: 1\n' });
    const link = `${w.folder}-link`;
    symlinkSync(w.folder, link);
    const { json } = await w.startIn(join(link, 'in'), {}, 'trust', '--git', '--json').ended;
    expect(json).toMatchObject({ git: 'trusted' });
    const again = await w.startIn(join(w.folder, 'in'), {}, 'trust', '--json').ended;
    expect(again.json.git).toBe('trusted');
    rmSync(link);
  });

  it('is not asked for where there is no repository', async () => {
    const w = new Workspace();
    expect(await gitOf(w)).toBe('none');
    expect(await w.run('trust', '--git')).toMatchObject({
      code: 2,
      err: expect.stringContaining('there is nothing to trust'),
    });
    expect(await w.run('trust', '--revoke')).toMatchObject({
      code: 2,
      err: expect.stringContaining('trust --git --revoke'),
    });
  });

  it('is not believed in a folder that others can write to', async () => {
    const w = repository();
    const userFolder = join(w.folder, 'user');
    mkdirSync(userFolder, { mode: 0o700 });
    const record = new GitRecord({ root: w.folder, userFolder });
    record.trust();
    expect(record.standing()).toBe('trusted');
    execFileSync('chmod', ['777', userFolder]);
    expect(record.standing()).toBe('untrusted');
    expect(new GitRecord({ root: w.folder, userFolder: null }).standing()).toBe('untrusted');
  });
});

describe('files in Git LFS', () => {
  const environment = { PATH: process.env.PATH ?? '', HOME: '/nonexistent' };
  it.each<[boolean, Record<string, string>]>([
    [false, { a: '' }],
    [false, { '.gitattributes': '*.txt text\n# filter=lfsx\n*.bin filter=lfsx\n' }],
    [true, { '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n' }],
    [true, { 'deep/down/.gitattributes': '*.bin -text filter=lfs' }],
  ])('%s: %j', async (expected, files) => {
    expect(await usesLfs({ root: repository(files).folder, environment })).toBe(expected);
  });

  it('are said to be pointers', async () => {
    const w = repository({ '.gitattributes': '*.bin filter=lfs\n' });
    expect((await w.run('trust')).out).toContain(
      'Its LFS files are pointers in worktrees. If you trust it: signalbox trust --git',
    );
    expect(readFileSync(join(w.folder, '.gitattributes'), 'utf8')).toBe('*.bin filter=lfs\n');
  });
});
