// Everything that the issue of a hostile repository names: git itself runs it, and ours does not.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { HostileRepository, removeHostileRepositories } from '../../test/rigs/hostile-repository.ts';
import { commitTree, commitWork } from './commits/commit-work.ts';
import { advanceBranch, mergeInto } from './commits/merge.ts';
import { git } from './git.ts';
import { GitCaller } from './git-caller.ts';
import { compareFingerprints } from './ground/compare-fingerprints.ts';
import { takeFingerprint } from './ground/fingerprint.ts';
import { changedSince, changesSince, takeSnapshot } from './snapshots/snapshot.ts';
import { includedFiles } from './trees/included-files.ts';
import { beginAnew, commitOf, makeTree } from './trees/trees.ts';

const made: string[] = [];
afterAll(removeHostileRepositories);
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

const environment = { PATH: process.env.PATH ?? '', HOME: '/nonexistent' };
const who = ['-c', 'user.name=t', '-c', 'user.email=t@t'];

interface Place {
  /** Of the places, those that this one needs. */
  readonly only: RegExp;
  /** What makes git run it, seen from the repository. */
  readonly args: (repository: HostileRepository) => readonly string[];
  readonly input?: string;
}

const places: Record<string, Place> = {
  fsmonitor: { only: /^config\.core\.fsmonitor/, args: () => ['status'] },
  'fsmonitor of a worktree': { only: /^config\.worktree\.core\.fsmonitor/, args: () => ['status'] },
  'fsmonitor of an included file': { only: /^included\.core\.fsmonitor/, args: () => ['status'] },
  'fsmonitor of a file that is included at times': { only: /^included-if\.core\.fsmonitor/, args: () => ['status'] },
  'external diff': { only: /^config\.diff\.external/, args: () => ['diff'] },
  'diff driver': { only: /^config\.diff\.evil\.command/, args: () => ['diff'] },
  textconv: { only: /^config\.diff\.evil\.textconv/, args: () => ['diff'] },
  'clean filter': { only: /^config\.filter\.evil\.clean/, args: () => ['add', '-A'] },
  'smudge filter': { only: /^config\.filter\.evil\.smudge/, args: () => ['checkout', '-q', '-f', 'HEAD'] },
  'filter process': { only: /^config\.filter\.evil\.process/, args: () => ['add', '-A'] },
  'filter with an equals sign': { only: /^config\.filter\.ev=il\.dotted\.clean/, args: () => ['add', '-A'] },
  'merge driver': { only: /^config\.merge\.evil/, args: () => ['merge-tree', '--write-tree', 'main', 'other'] },
  'credential helper': {
    only: /^config\.credential\.helper/,
    args: () => ['credential', 'fill'],
    input: 'protocol=https\nhost=evil\n',
  },
  'signing program': {
    only: /^config\.(?:gpg\.program|commit\.gpgSign)/,
    args: () => [...who, 'commit', '--allow-empty', '-m', 'x'],
  },
  'ssh command': { only: /^config\.core\.sshCommand/, args: () => ['ls-remote', 'ssh://127.0.0.1/x'] },
  'proxy of git': { only: /^config\.core\.gitProxy/, args: () => ['ls-remote', 'git://127.0.0.1:1/x'] },
  'refs of alternates': { only: /^config\.core\.alternateRefsCommand/, args: (r) => ['fetch', r.alternate] },
  'upload-pack of a remote': { only: /^config\.remote\.evil\.u/, args: () => ['ls-remote', 'evil'] },
  'upload-pack of a remote that has missing objects': {
    only: /^config\.remote\.evil\.(?:u|promisor)/,
    args: () => ['cat-file', '-p', '0123456789012345678901234567890123456789'],
  },
  'ext protocol': { only: /^none/, args: (r) => ['ls-remote', `ext::touch ${r.markFor('ext')}`] },
  editor: { only: /^config\.core\.editor/, args: () => [...who, 'commit', '--allow-empty'] },
  'trailer command': {
    only: /^config\.trailer\.x\.command/,
    args: () => ['interpret-trailers', '--trailer', 'x=1'],
    input: 'x\n',
  },
  'hook post-checkout': { only: /^hook-post-checkout/, args: () => ['checkout', '-q', '-f', 'other'] },
  'hook reference-transaction': { only: /^hook-reference/, args: () => ['update-ref', 'refs/heads/x', 'HEAD'] },
  'hook post-index-change': { only: /^hook-post-index-change/, args: () => ['add', '-A'] },
  'hook elsewhere': {
    only: /^(?:hook-pre-commit|config\.core\.hooksPath)/,
    args: () => [...who, 'commit', '-qam', 'x'],
  },
};

describe('a place where a repository names a program', () => {
  it.each(Object.entries(places))('%s: git runs it, and ours does not', async (_, { only, args, input = '' }) => {
    const theirs = new HostileRepository().arm(only);
    try {
      execFileSync('git', args(theirs), { cwd: theirs.root, input, stdio: 'pipe', env: environment });
    } catch {
      // What a program does to git does not matter here.
    }
    expect(theirs.ran).not.toEqual([]);
    const ours = new HostileRepository().arm(only);
    await git({ root: ours.root, environment }, { args: args(ours), input: Buffer.from(input) });
    expect(ours.ran).toEqual([]);
  });

  it.each(Object.entries(places))(
    '%s: with trust, only hooks and filters run',
    async (name, { only, args, input = '' }) => {
      const repository = new HostileRepository().arm(only);
      const place = { root: repository.root, environment, isTrusted: true };
      await git(place, { args: args(repository), input: Buffer.from(input) });
      expect(repository.ran.length > 0).toBe(/hook|filter/.test(name));
    },
  );
});

/** Everything that a run does with a repository. `between` stands for whoever works there. */
async function drive(repository: HostileRepository, between: (step: number, tree: string) => void): Promise<void> {
  const place = { root: realpathSync.native(repository.root), environment };
  const caller = new GitCaller(place);
  const beside = realpathSync.native(mkdtempSync(join(tmpdir(), 'signalbox-beside-')));
  made.push(beside);
  const folder = join(beside, 'tree');
  const step = (
    (n) => () =>
      between(n++, folder)
  )(0);
  const base = (await commitOf(caller, 'HEAD'))!;
  const before = await takeFingerprint({ ...place, isApart: () => false });
  const snapshots = { ...place, folder: join(beside, 'state'), isApart: () => false };
  await takeSnapshot(snapshots, 'x/1');
  step();
  const branch = 'signalbox-attempts/p/a.1';
  await makeTree(caller, { folder, commit: base, branch });
  await makeTree(caller, { folder, commit: base, branch });
  step();
  for (const name of ['a.txt', 'b.odd']) writeFileSync(join(folder, name), 'work\n');
  const work = { folder, branch, message: 'work', isApart: () => false };
  const committed = await commitWork(caller, work);
  if (committed.kind !== 'committed') throw new Error(JSON.stringify(committed));
  step();
  await caller.run({ args: ['update-ref', 'refs/heads/signalbox/p', base] });
  expect(await mergeInto(caller, (await commitOf(caller, 'other'))!, committed.head)).toMatchObject({
    kind: 'conflict',
  });
  const merged = await mergeInto(caller, base, committed.head);
  if (merged.kind !== 'clean') throw new Error(JSON.stringify(merged));
  const parents = [base, committed.head];
  const commit = await commitTree(caller, { tree: merged.tree, parents, message: 'merge' });
  expect(await advanceBranch(caller, { branch: 'signalbox/p', tip: base, commit })).toMatchObject({ kind: 'landed' });
  step();
  await beginAnew(caller, { folder, commit: base, branch: 'signalbox-attempts/p/a.2' });
  step();
  await changedSince(snapshots, 'x/1');
  await changesSince(snapshots, 'x/1', { isLeftOut: () => false, mostBytes: 1_000 });
  await includedFiles(place, ['*']);
  compareFingerprints(before, await takeFingerprint({ ...place, isApart: () => false }));
}

describe('a hostile repository', () => {
  it('runs nothing while trees are made, work is committed and merged, and files are compared', async () => {
    const repository = new HostileRepository().arm();
    await drive(repository, () => undefined);
    expect(repository.ran).toEqual([]);
  });

  it('runs nothing that is named while we work', async () => {
    const repository = new HostileRepository();
    await drive(repository, (step, tree) => {
      if (step === 0) repository.arm();
      const mark = repository.markFor(`late-${step}`);
      for (const key of ['clean', 'smudge', 'process'])
        appendFileSync(
          join(repository.root, '.git/config'),
          `[filter "late${step}"]\n\t${key} = "touch '${mark}'; cat"\n`,
        );
      appendFileSync(join(repository.root, '.git/info/attributes'), `* filter=late${step}\n`);
      if (step === 1) appendFileSync(join(tree, '.gitattributes'), `* filter=late${step}\n`);
    });
    expect(repository.ran).toEqual([]);
  });
});
