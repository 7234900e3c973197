import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HostileRepository, removeHostileRepositories } from '../../test/rigs/hostile-repository.ts';
import { type GitCall, git } from './git.ts';
import { switchedOff } from './switched-off.ts';

afterAll(removeHostileRepositories);

const own = { PATH: process.env.PATH ?? '', HOME: '/nonexistent' };

describe('git in a repository that names programs everywhere', () => {
  let repository: HostileRepository;
  beforeAll(() => {
    repository = new HostileRepository().arm();
  });
  const call = (...args: string[]) =>
    git({ root: repository.root, environment: { ...own, ...repository.environment } }, { args });

  it('would run them, if it were asked by anybody else', () => {
    const other = new HostileRepository().arm();
    expect(() => other.git('status')).toThrow('git status');
    expect(other.ran.join(' ')).toMatch(/core\.fsmonitor.*filter\.evil\.process/);
  });

  it.each([
    ['status', '--porcelain'],
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    ['diff', '--no-ext-diff', '--no-textconv', 'HEAD'],
    ['log', '-p', '--no-ext-diff', '--no-textconv'],
    ['update-index', '-q', '--refresh'],
    ['add', '-A'],
    ['-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '-m', 'y'],
    ['checkout', '-q', '-f', 'HEAD~1'],
    ['merge', '-q', 'HEAD'],
    ['gc', '--auto'],
    ['rev-parse', 'HEAD'],
  ])('git %s runs none of them', async (...args) => {
    expect(await call(...args)).toMatchObject({ ok: true });
    expect(repository.ran).toEqual([]);
  });

  it('starts neither a transport that is a command nor one of the repository', async () => {
    for (const url of ['ext::sh -c "touch ran"', 'ssh://127.0.0.1/x']) {
      expect(await call('ls-remote', '--', url)).toMatchObject({ ok: false });
    }
    expect(repository.ran).toEqual([]);
  });

  it('refuses what it could not switch off', async () => {
    const odd = new HostileRepository();
    writeFileSync(join(odd.root, '.git/config'), Buffer.from('[filter "\xff"]\n\tclean = touch ran\n', 'latin1'), {
      flag: 'a',
    });
    expect(await git({ root: odd.root, environment: own }, { args: ['status'] })).toEqual({
      ok: false,
      why: 'the configuration of git has a name that is no UTF-8',
    });
  });
});

describe('git', () => {
  const repository = new HostileRepository();
  const answer = (call: GitCall, environment = own) => git({ root: repository.root, environment }, call);

  it('answers with what it prints, and says when that was cut', async () => {
    expect(await answer({ args: ['cat-file', 'blob', 'HEAD:a.txt'] })).toEqual({
      ok: true,
      bytes: Buffer.from('one\n'),
      cut: false,
      code: 0,
    });
    expect(await answer({ args: ['cat-file', 'blob', 'HEAD:a.txt'], mostBytes: 2 })).toEqual({
      ok: true,
      bytes: Buffer.from('on'),
      cut: true,
      code: 0,
    });
  });

  it('reads what it is given', async () => {
    const given = await answer({ args: ['hash-object', '--stdin'], input: Buffer.from('one\n') });
    expect(given.ok && given.bytes.toString()).toBe('5626abf0f72e58d7a153368ba57db4c673c0e171\n');
  });

  it('says why it failed', async () => {
    expect(await answer({ args: ['cat-file', 'blob', 'HEAD:nothing'] })).toMatchObject({
      ok: false,
      why: expect.stringMatching(/^git cat-file ended with code 128 \(fatal: .*nothing/),
    });
    const slow = mkdtempSync(join(tmpdir(), 'signalbox-slow-'));
    writeFileSync(join(slow, 'git'), '#!/bin/sh\nexec /bin/sleep 60\n', { mode: 0o755 });
    const late = await answer({ args: ['status'], limitMs: 50 }, { ...own, PATH: slow });
    expect(late).toMatchObject({ ok: false, why: expect.stringContaining('took longer') });
    expect(await answer({ args: ['status'] }, { ...own, PATH: '/nonexistent' })).toEqual({
      ok: false,
      why: 'there is no git on the PATH',
    });
  });

  it('is not taken from the workspace or from a relative entry of the PATH', async () => {
    mkdirSync(join(repository.root, 'bin'));
    writeFileSync(join(repository.root, 'bin/git'), '#!/bin/sh\ntouch ran-planted\n');
    chmodSync(join(repository.root, 'bin/git'), 0o755);
    const path = `${join(repository.root, 'bin')}:bin:./bin:${repository.root}/bin/../bin:${own.PATH}`;
    const found = await answer({ args: ['cat-file', 'blob', 'HEAD:a.txt'] }, { ...own, PATH: path });
    expect(found.ok && found.bytes.toString()).toBe('one\n');
  });
});

it('overrides only what names a program', () => {
  const named = switchedOff(['user.name', 'core.bare', 'filter.a=b.clean', 'filter.a.b.process', 'hook.x.y.command']);
  const fixed = switchedOff([]).length;
  expect(named.slice(fixed)).toEqual([
    ['filter.a=b.clean', ''],
    ['filter.a.b.process', ''],
    ['hook.x.y.enabled', 'false'],
  ]);
});
