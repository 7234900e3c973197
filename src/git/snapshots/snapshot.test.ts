// What is seen of the work in a workspace, whatever was done there with git.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { HostileRepository, removeHostileRepositories } from '../../../test/rigs/hostile-repository.ts';
import { changesSince, forgetSnapshots, GitTrouble, takeSnapshot } from './snapshot.ts';

const folders: string[] = [];
afterAll(() => {
  removeHostileRepositories();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const environment = { PATH: process.env.PATH ?? '', HOME: '/nonexistent' };

class Place {
  readonly root: string;

  constructor(root = mkdtempSync(join(tmpdir(), 'signalbox-snapshot-'))) {
    this.root = root;
    folders.push(root);
    mkdirSync(join(root, '.signalbox'), { recursive: true });
  }

  static repository(files: Record<string, string> = { 'a.txt': 'one\n' }): Place {
    const place = new Place();
    place.git('init', '-q');
    for (const [name, text] of Object.entries(files)) place.write(name, text);
    place.commit();
    return place;
  }

  write(name: string, text: string | Buffer): void {
    mkdirSync(dirname(join(this.root, name)), { recursive: true });
    writeFileSync(join(this.root, name), text);
  }

  git(...args: string[]): string {
    const env = { ...process.env, HOME: '/nonexistent' };
    return execFileSync('git', args, { cwd: this.root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  }

  commit(): void {
    this.git('add', '-A', '-f', '--', '.', ':(exclude).signalbox');
    this.git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', 'x');
  }

  get #place() {
    const isApart = (path: Buffer) =>
      /(?:^|\/)(?:\.git|\.signalbox|node_modules)(?:\/|$)/.test(path.toString('latin1'));
    return { root: this.root, folder: join(this.root, '.signalbox'), environment, isApart };
  }

  take = (name = 'x-1') => takeSnapshot(this.#place, name);
  since = (name = 'x-1', mostBytes = 100_000, isLeftOut: (path: Buffer) => boolean = () => false) =>
    changesSince(this.#place, name, { isLeftOut, mostBytes });
  forget = (isNeeded: (name: string) => boolean) => forgetSnapshots(this.#place, isNeeded);
  text = async () => (await this.since()).text;
}

describe('what changed since a moment', () => {
  it('is what is another in the files, and nothing that was before', async () => {
    const place = Place.repository({ 'a.txt': 'one\n', 'dirty.txt': 'committed\n', 'gone.txt': 'gone\n' });
    place.write('dirty.txt', 'dirty before\n');
    place.write('untracked.txt', 'there before\n');
    await place.take();
    const nothing = { ignored: [], touched: [], allTouched: true, inGit: [], unread: [] };
    expect(await place.since()).toEqual({ text: '', cut: false, ...nothing });
    place.write('a.txt', 'two\n');
    place.write('new.txt', 'new\n');
    rmSync(join(place.root, 'gone.txt'));
    const text = await place.text();
    for (const part of ['-one\n+two', '+++ b/new.txt', '+new', '+++ /dev/null', '-gone']) expect(text).toContain(part);
    expect(text).not.toMatch(/before|signalbox/);
  });

  const hiding: readonly (readonly [string, (place: Place) => void])[] = [
    ['committed', (place) => place.commit()],
    [
      'committed, and the commit amended into an old one',
      (place) => place.git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qa', '--amend', '--no-edit'),
    ],
    ['staged', (place) => place.git('add', '-A')],
    ['assumed to be unchanged', (place) => place.git('update-index', '--assume-unchanged', 'a.txt')],
    ['left out of the work tree', (place) => place.git('update-index', '--skip-worktree', 'a.txt')],
    ['excluded', (place) => place.write('.git/info/exclude', '*\n')],
    ['ignored', (place) => place.write('.gitignore', 'a.txt\n')],
    ['said to be no text', (place) => place.write('.gitattributes', '* filter=f -diff -text ident\n')],
    ['filtered', (place) => place.git('config', 'filter.f.clean', 'false')],
    ['hidden by stat', (place) => place.git('config', 'core.trustctime', 'false')],
    ['configured out', (place) => place.git('config', 'core.ignoreStat', 'true')],
    ['another work tree', (place) => place.git('config', 'core.worktree', '/')],
  ];
  // What hides the work by itself hides it also among the others: `npm run prove -- hidden-work` tells which one it is.
  const together = [['all of that', (place: Place) => hiding.forEach(([, hide]) => void hide(place))]] as const;

  it.each<readonly [string, (place: Place) => void]>([
    ...(process.env.SIGNALBOX_LONG === '1' ? hiding : together),
    ['the repository broken', (place) => place.write('.git/config', '[broken\n')],
  ])('is seen when the work was %s', async (_, hide) => {
    const place = Place.repository({ 'a.txt': 'one\n', '.gitattributes': '* filter=f\n' });
    await place.take();
    place.write('a.txt', 'two\n');
    hide(place);
    expect(await place.text()).toContain('-one\n+two');
  });

  it('is not known when the repository was removed with what was there before; the next is', async () => {
    const place = Place.repository();
    await place.take();
    rmSync(join(place.root, '.git'), { recursive: true });
    place.write('a.txt', 'two\n');
    await expect(place.since()).rejects.toThrow(GitTrouble);
    await place.take('x-2');
    place.write('a.txt', 'three\n');
    expect((await place.since('x-2')).text).toContain('-two\n+three');
  });

  it('names new files that a new rule ignores, and those of the old rules too', async () => {
    const place = Place.repository({ '.gitignore': 'dist/\n*.log\n', 'src/a.ts': 'a\n' });
    place.write('old.log', 'old\n');
    await place.take();
    place.write('hidden/.gitignore', '*\n');
    place.write('hidden/evil.ts', 'evil\n');
    place.write('src/.gitignore', '*\n');
    place.write('src/b.ts', 'b\n');
    place.write('dist/out.js', 'out\n');
    place.write('.git/info/exclude', 'excluded.ts\n');
    place.write('excluded.ts', 'seen\n');
    const { text, ignored } = await place.since();
    expect(text).toContain('+seen');
    expect(ignored.map(String).sort()).toEqual(['dist/', 'hidden/', 'src/.gitignore', 'src/b.ts']);
  });

  it('names ignored files that were there and were written, removed, or came into their folders', async () => {
    const place = Place.repository({
      '.gitignore': '.env\n*.key\nold/\nnode_modules/\nbuilt/\n',
      'packages/q/a.txt': 'a\n',
    });
    const there = ['.env', 'my.key', 'same.key', 'old/deep/in.js', 'old/deep/gone.js', 'old/same.js', 'built/0'];
    const packages = [
      'node_modules/p/index.js',
      'packages/q/node_modules/r/index.js',
      'packages/q/node_modules/r/same.js',
    ];
    for (const name of [...there, ...packages]) place.write(name, 'one\n');
    await place.take();
    place.write('.env', 'two\n');
    // As long, and with its old time.
    place.write('old/deep/in.js', 'two\n');
    utimesSync(join(place.root, 'old/deep/in.js'), 1, 1);
    for (const name of ['my.key', 'old/deep/gone.js']) rmSync(join(place.root, name));
    place.write('node_modules/p/index.js', 'two\n');
    rmSync(join(place.root, 'packages/q/node_modules/r/index.js'));
    for (let i = 0; i < 20; i++) place.write(`built/${i}`, 'two\n');
    const { text, ignored, touched, allTouched } = await place.since();
    expect({ text, ignored, allTouched }).toEqual({ text: '', ignored: [], allTouched: true });
    expect(touched.map(String).sort()).toEqual([
      '.env',
      'built/',
      'my.key',
      'node_modules/p/index.js',
      'old/deep/in.js',
      'packages/q/node_modules/r/',
    ]);
  });

  it('names hooks and configuration of the repository that were written, also below its root', async () => {
    const above = Place.repository({ 'packages/p/a.txt': 'a\n' });
    above.write('.git/hooks/old', 'one\n');
    const below = new Place(join(above.root, 'packages/p'));
    await below.take();
    expect((await below.since()).inGit).toEqual([]);
    above.write('.git/hooks/pre-commit', 'evil\n');
    above.git('config', 'core.fsmonitor', 'evil');
    above.write('.git/info/attributes', '* filter=evil\n');
    const { inGit } = await below.since();
    expect(inGit.map(String).sort()).toEqual(['.git/config', '.git/hooks/pre-commit', '.git/info/attributes']);
  });

  it('keeps out what the person ignores outside of the tree', async () => {
    const place = Place.repository();
    place.write('.git/info/exclude', 'mine.txt\n');
    place.write('mine.txt', 'one\n');
    await place.take();
    place.write('mine.txt', 'two\n');
    expect(await place.since()).toMatchObject({ text: '', ignored: [] });
  });

  it('has files that are tracked although they are ignored', async () => {
    const place = Place.repository({ '.gitignore': 'dist/\n', 'dist/out.js': 'one\n' });
    await place.take();
    place.write('dist/out.js', 'two\n');
    expect(await place.text()).toContain('-one\n+two');
    expect(place.git('status', '--porcelain', '--', 'dist')).toContain('M dist/out.js');
  });

  it('has the files of repositories in the workspace, old and new', async () => {
    const place = Place.repository();
    const old = new Place(join(place.root, 'libs/old'));
    old.git('init', '-q');
    old.write('in.txt', 'one\n');
    await place.take();
    expect(await place.text()).toBe('');
    old.write('in.txt', 'two\n');
    old.commit();
    place.git('init', '-q', 'fresh');
    place.write('fresh/new.txt', 'new\n');
    const text = await place.text();
    for (const part of ['b/libs/old/in.txt', '-one\n+two', 'b/fresh/new.txt', '+new']) expect(text).toContain(part);
  });

  it('is known without a repository, and below the root of one', async () => {
    const plain = new Place();
    plain.write('a.txt', 'one\n');
    await plain.take();
    plain.write('a.txt', 'two\n');
    expect(await plain.text()).toContain('-one\n+two');
    const above = Place.repository({
      '.gitignore': '/packages/*/built\n',
      'packages/p/a.txt': 'one\n',
      other: 'one\n',
    });
    const below = new Place(join(above.root, 'packages/p'));
    await below.take();
    below.write('a.txt', 'two\n');
    below.write('built/x', 'x\n');
    above.write('other', 'two\n');
    const { text, ignored } = await below.since();
    expect(text).toContain('diff --git a/a.txt b/a.txt');
    expect([text.includes('other'), ignored.map(String)]).toEqual([false, ['built/']]);
  });

  it('has modes, symlinks, names that are no UTF-8, and folders where files were', async () => {
    const place = Place.repository({ 'a.txt': 'a\n', file: 'file\n', 'folder/x': 'x\n', 'linked/y': 'y\n' });
    const odd = Buffer.from(`${place.root}/odd\xff`, 'latin1');
    writeFileSync(odd, 'one\n');
    await place.take();
    chmodSync(join(place.root, 'a.txt'), 0o755);
    writeFileSync(odd, 'two\n');
    for (const name of ['file', 'folder', 'linked']) rmSync(join(place.root, name), { recursive: true });
    place.write('file/in', 'in\n');
    place.write('folder', 'now a file\n');
    symlinkSync('/etc', join(place.root, 'linked'));
    spawnSync('mkfifo', [join(place.root, 'pipe')]);
    const text = await place.text();
    for (const part of ['new mode 100755', '-one\n+two', '+in', '+now a file', '+/etc', '-y'])
      expect(text).toContain(part);
  });

  it('goes on where git gives up: a FIFO in the place of a file', async () => {
    const place = Place.repository({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
    await place.take();
    rmSync(join(place.root, 'a.txt'));
    spawnSync('mkfifo', [join(place.root, 'a.txt')]);
    place.write('b.txt', 'two\n');
    const text = await place.text();
    for (const part of ['deleted file mode', '-one\n+two']) expect(text).toContain(part);
  });

  it('leaves out what others tell about, and is cut', async () => {
    const place = Place.repository({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
    await place.take();
    place.write('a.txt', 'two\n');
    place.write('b.txt', 'three\n');
    const { text } = await place.since('x-1', 100_000, (path) => String(path) === 'a.txt');
    expect([text.includes('a.txt'), text.includes('+three')]).toEqual([false, true]);
    expect(await place.since('x-1', 20)).toMatchObject({ cut: true, text: expect.stringMatching(/^.{20}$/s) });
  });

  it('touches neither the index nor the objects of the repository', async () => {
    const place = Place.repository();
    place.write('new.txt', 'new\n');
    const seen = () => [readFileSync(join(place.root, '.git/index'), 'latin1'), place.git('count-objects', '-v')];
    const before = seen();
    await place.take();
    await place.since();
    expect(seen()).toEqual(before);
  });
});

it('several at once do not disturb each other', async () => {
  const place = Place.repository();
  await Promise.all(['x-1', 'x-2', 'x-3'].map((name) => place.take(name)));
  place.write('a.txt', 'two\n');
  const all = await Promise.all(['x-1', 'x-2', 'x-3'].map((name) => place.since(name)));
  expect(all.map(({ text }) => text.includes('+two'))).toEqual([true, true, true]);
});

it('is not known when nobody looked, or when it was forgotten', async () => {
  const place = Place.repository();
  const nobody = 'nobody looked at the files when it began';
  await expect(place.since()).rejects.toThrow(nobody);
  await place.take('x-1');
  await place.take('x-2');
  await place.forget((name) => name === 'x-2');
  await expect(place.since('x-1')).rejects.toThrow(nobody);
  expect(await place.since('x-2')).toMatchObject({ text: '' });
});

it('runs nothing that the repository names, and nothing that its own was made to name', async () => {
  const repository = new HostileRepository().arm();
  const place = new Place(repository.root);
  await place.take();
  repository.write('a.txt', 'three\n');
  writeFileSync(join(place.root, '.signalbox/git/config'), readFileSync(join(place.root, '.git/config')), {
    flag: 'a',
  });
  expect(await place.text()).toContain('-two\n+three');
  await place.forget(() => false);
  expect(repository.ran).toEqual([]);
});
