// The trees of attempts with real git: where they begin, what earlier work becomes, and that nothing is lost at their end.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { removeRepositories, TestRepository } from '../../../test/rigs/repository.ts';
import { kindOf } from '../../agents/kind.ts';
import type { WorkOnBranch } from '../../core/model/failure.ts';
import { markTree } from '../../git/trees/tree-marker.ts';
import { noteBeginning } from '../../git/trees/tree-note.ts';
import { beginTree } from './attempt-tree.ts';
import { endTree } from './attempt-work.ts';
import { noteLeftBehind } from './notes-of-trees.ts';
import { followResults } from './results-tree.ts';
import { withLitter } from './tree-places.ts';

afterAll(removeRepositories);

const results = 'signalbox/plan';

class Place {
  readonly repository = new TestRepository({ 'a.txt': 'one\n', 'b.txt': 'two\n', '.gitignore': 'ignored\n' });
  readonly folder = join(this.repository.beside, 'a');
  readonly integration = join(this.repository.beside, 'integration');

  constructor() {
    this.repository.git('branch', results);
  }

  begin(n: number, earlier: WorkOnBranch | null = null) {
    const { repository, folder } = this;
    const beginning = { folder, branch: `tries/a.${n}`, results, earlier, message: 'along\n', keeping: 'keep\n' };
    const any = { isOfRound: () => true, isApart: () => false };
    return beginTree(repository.caller, { ...beginning, ...any }, () => Promise.resolve());
  }

  follow() {
    const { repository, integration: folder } = this;
    const about = { results, keepOn: 'tries/integration_tree', message: 'kept\n', isApart: () => false };
    return followResults(repository.caller, { folder, ...about });
  }

  end(n: number, base: string, isApart = (_: Buffer) => false) {
    const branch = `tries/a.${n}`;
    const { folder, repository } = this;
    return endTree(repository.caller, {
      folder,
      branch,
      checkedOut: branch,
      base,
      message: 'a: work\n',
      isApart,
      judgedBy: ['plan.md'],
    });
  }

  write(name: string, text: string, folder = this.folder): void {
    writeFileSync(join(folder, name), text);
  }

  /** What others merged meanwhile. */
  merged(name: string, text: string): string {
    const { repository } = this;
    const tree = join(repository.beside, 'other');
    if (!existsSync(tree)) repository.git('worktree', 'add', '-q', '--detach', tree, results);
    repository.gitIn(tree, 'checkout', '-q', '--detach', results);
    repository.write(name, text, tree);
    const commit = repository.commit('other', tree);
    repository.git('update-ref', `refs/heads/${results}`, commit);
    return commit;
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }
}

describe('the tree of an attempt', () => {
  it('begins where the results are, on a branch of its own, and leaves the checkout alone', async () => {
    const place = new Place();
    const tip = place.merged('c.txt', 'three\n');
    const begun = await place.begin(1);
    expect(begun).toEqual({ base: tip, merging: [], byHand: [], keptOn: null, movedTo: null });
    expect([place.read('c.txt'), place.repository.gitIn(place.folder, 'branch', '--show-current')]).toEqual([
      'three\n',
      'tries/a.1',
    ]);
    expect(place.repository.git('status', '--porcelain')).toBe('');
    expect(existsSync(join(place.repository.root, 'c.txt'))).toBe(false);
  });

  it('is begun again by another runner as if nothing had been', async () => {
    const place = new Place();
    await place.begin(1);
    place.write('a.txt', 'half\n');
    await place.begin(1);
    expect(place.read('a.txt')).toBe('one\n');
  });

  it('brings earlier work along that is not merged, together with what was merged meanwhile', async () => {
    const place = new Place();
    const { base } = await place.begin(1);
    place.write('a.txt', 'mine\n');
    const { work } = await place.end(1, base);
    const tip = place.merged('b.txt', 'theirs\n');
    expect(await place.begin(2, work)).toEqual({ base: tip, merging: [], byHand: [], keptOn: null, movedTo: null });
    expect([place.read('a.txt'), place.read('b.txt')]).toEqual(['mine\n', 'theirs\n']);
    expect(await place.end(2, tip)).toMatchObject({ changed: true, files: [{ file: 'a.txt' }] });
  });

  it('has the merge in progress where earlier work is in conflict, and its end resolves it', async () => {
    const place = new Place();
    const { base } = await place.begin(1);
    place.write('a.txt', 'mine\n');
    const { work } = await place.end(1, base);
    const tip = place.merged('a.txt', 'theirs\n');
    expect(await place.begin(2, work)).toEqual({
      base: tip,
      merging: ['a.txt'],
      byHand: [],
      keptOn: null,
      movedTo: null,
    });
    expect(place.read('a.txt')).toContain('<<<<<<<');
    expect(await place.end(2, tip)).toEqual({ unfit: 'a.txt still has marks of a merge' });
    expect(place.repository.git('show', 'tries/a.2.left:a.txt')).toContain('<<<<<<<');
    await place.begin(3, work);
    place.write('a.txt', 'both\n');
    const third = await place.end(3, tip);
    expect(place.repository.git('rev-list', '--parents', '-n1', third.work!.head).split(' ')).toHaveLength(3);
  });

  it('begins anew when earlier work was merged', async () => {
    const place = new Place();
    const { base } = await place.begin(1);
    place.write('a.txt', 'mine\n');
    const { work } = await place.end(1, base);
    place.repository.git('update-ref', `refs/heads/${results}`, work!.head);
    expect(await place.begin(2, work)).toEqual({
      base: work!.head,
      merging: [],
      byHand: [],
      keptOn: null,
      movedTo: null,
    });
  });

  it('keeps ignored files over attempts, and drops what checks left behind', async () => {
    const place = new Place();
    const { base } = await place.begin(1);
    place.write('ignored', 'packages\n');
    await place.end(1, base);
    place.write('report', 'by a check\n');
    await place.begin(2);
    expect([existsSync(join(place.folder, 'ignored')), existsSync(join(place.folder, 'report'))]).toEqual([
      true,
      false,
    ]);
  });

  it('is made anew when somebody has deleted its folder', async () => {
    const place = new Place();
    await place.begin(1);
    rmSync(place.folder, { recursive: true });
    await place.begin(2);
    expect(place.read('a.txt')).toBe('one\n');
  });
});

describe('the work of an attempt', () => {
  it('is committed without what the program of the agent writes by itself', async () => {
    const place = new Place();
    mkdirSync(join(place.repository.root, '.opencode'));
    place.repository.write('.opencode/package.json', '{}\n');
    place.repository.git('update-ref', `refs/heads/${results}`, place.repository.commit('config'));
    const { base } = await place.begin(1);
    for (const name of ['package.json', 'package-lock.json', '.gitignore']) place.write(`.opencode/${name}`, 'new\n');
    const isLitter = kindOf({ kind: 'opencode' })!.known!.isLitter!;
    const isApart = withLitter(() => false, isLitter);
    expect(await place.end(1, base, isApart)).toMatchObject({ changed: false });
    place.write('.opencode/helper.md', 'Help.\n');
    expect((await place.end(1, base, isApart)).files?.map(({ file }) => file)).toEqual(['.opencode/helper.md']);
  });

  it('is committed with what the agent committed itself, and never what is set apart', async () => {
    const place = new Place();
    const { base } = await place.begin(1);
    place.write('a.txt', 'mine\n');
    place.repository.commit('by the agent', place.folder);
    place.write('new.txt', 'new\n');
    place.write('apart', 'ours\n');
    const { work, changed, files } = await place.end(1, base, (path) => path.equals(Buffer.from('apart')));
    expect([changed, files?.map(({ file }) => file)]).toEqual([true, ['a.txt', 'new.txt']]);
    expect(place.repository.git('rev-parse', 'tries/a.1')).toBe(work!.head);
  });

  it.each([
    ['a test is deleted', (place: Place) => rmSync(join(place.folder, 'b.test.ts')), 'it deleted tests: b.test.ts'],
    ['a test is changed', (place: Place) => place.write('b.test.ts', 'more\n'), undefined],
    ['another file is deleted', (place: Place) => rmSync(join(place.folder, 'a.txt')), undefined],
    [
      'the plan is changed',
      (place: Place) => place.write('plan.md', '- [x] a\n'),
      'it changed what says how work is checked: plan.md',
    ],
  ])('is flagged or not when %s', async (_, change, flag) => {
    const place = new Place();
    place.merged('b.test.ts', 'test\n');
    const { base } = await place.begin(1);
    change(place);
    expect((await place.end(1, base)).flags?.[0]).toBe(flag);
  });

  it('names what is never committed', async () => {
    const place = new Place();
    const { base } = await place.begin(1);
    place.write('.env', 'KEY=1\n');
    const { left, changed } = await place.end(1, base);
    expect([left, changed]).toEqual([[{ path: '.env', because: 'secret' }], false]);
  });

  it('is none when nothing was changed, or everything was put back', async () => {
    const place = new Place();
    const { base } = await place.begin(1);
    expect(await place.end(1, base)).toEqual({ changed: false, work: { branch: 'tries/a.1', base, head: base } });
  });

  it.each([
    ['on another branch', (place: Place) => void place.repository.gitIn(place.folder, 'switch', '-q', '-c', 'own')],
    ['in a rebase', (place: Place) => mkdirSync(join(place.repository.root, '.git/worktrees/a/rebase-merge'))],
  ])('is kept beside its branch when it ends %s', async (_, spoil) => {
    const place = new Place();
    const { base } = await place.begin(1);
    place.write('a.txt', 'mine\n');
    spoil(place);
    expect((await place.end(1, base)).unfit).toMatch(/branch own|a rebase/);
    expect(place.repository.git('show', 'tries/a.1.left:a.txt')).toBe('mine');
    await place.begin(2);
    expect(place.read('a.txt')).toBe('one\n');
  });

  it('cannot be merged with a repository in it that has commits', async () => {
    const place = new Place();
    const { base } = await place.begin(1);
    mkdirSync(join(place.folder, 'inner'));
    place.repository.gitIn(join(place.folder, 'inner'), 'init', '-q');
    place.write('inner/x', 'x');
    place.repository.commit('inner', join(place.folder, 'inner'));
    expect((await place.end(1, base)).unfit).toContain('inner');
  });
});

describe('the tree of results', () => {
  it('stands where the branch is, whatever a command left there', async () => {
    const place = new Place();
    const { repository, integration: folder } = place;
    await place.follow();
    place.write('a.txt', 'spoiled\n', folder);
    place.write('left', 'behind\n', folder);
    const tip = place.merged('b.txt', 'theirs\n');
    expect((await place.follow()).base).toBe(tip);
    expect(repository.gitIn(folder, 'status', '--porcelain', '-b')).toBe('## HEAD (no branch)');
    expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('theirs\n');
  });

  it('is put back only when what somebody changed there is on a branch of its own', async () => {
    const place = new Place();
    const { repository, integration: folder } = place;
    await place.follow();
    markTree(folder, repository.root);
    expect(await place.follow()).toMatchObject({ keptOn: null });
    place.write('a.txt', 'by hand\n', folder);
    place.write('new.txt', 'by hand\n', folder);
    expect(await place.follow()).toMatchObject({ keptOn: 'tries/integration_tree' });
    expect(repository.gitIn(folder, 'status', '--porcelain')).toBe('');
    expect(repository.git('show', 'tries/integration_tree:new.txt')).toBe('by hand');
    expect(await place.follow()).toMatchObject({ keptOn: null });
    place.write('a.txt', 'committed by hand\n', folder);
    repository.commit('by hand', folder);
    place.merged('b.txt', 'theirs\n');
    expect(await place.follow()).toMatchObject({ keptOn: 'tries/integration_tree-2' });
    expect(repository.git('show', 'tries/integration_tree-2:a.txt')).toBe('committed by hand');
  });

  it('takes for nobody’s what checks and commands left there, and what a killed runner has half written', async () => {
    const place = new Place();
    const { repository, integration: folder } = place;
    const { base } = await place.follow();
    markTree(folder, repository.root);
    place.write('a.txt', 'made\n', folder);
    const about = { checkedOut: null, base, message: 'make\n', isApart: () => false, judgedBy: [] };
    await endTree(repository.caller, { folder, branch: 'tries/make.1', ...about });
    place.write('report', 'by a check\n', folder);
    await noteLeftBehind(repository.caller, { folder, isApart: () => false });
    expect(await place.follow()).toMatchObject({ keptOn: null });
    const tip = place.merged('b.txt', 'theirs\n');
    noteBeginning(join(repository.root, '.git/worktrees/integration'), [tip]);
    place.write('b.txt', 'theirs\n', folder);
    rmSync(join(folder, 'a.txt'));
    expect(await place.follow()).toMatchObject({ base: tip, keptOn: null });
    noteBeginning(join(repository.root, '.git/worktrees/integration'), [tip]);
    place.write('b.txt', 'by hand\n', folder);
    expect(await place.follow()).toMatchObject({ keptOn: 'tries/integration_tree' });
  });

  it('gives what a command changed to the branch of its attempt', async () => {
    const place = new Place();
    const { repository, integration: folder } = place;
    const { base } = await place.follow();
    place.write('a.txt', 'made\n', folder);
    const branch = 'tries/make.1';
    const ending = {
      folder,
      branch,
      checkedOut: null,
      base,
      message: 'make\n',
      isApart: () => false,
      judgedBy: ['plan.md'],
    };
    const { work } = await endTree(repository.caller, ending);
    expect([repository.git('rev-parse', branch), repository.git('show', `${branch}:a.txt`)]).toEqual([
      work!.head,
      'made',
    ]);
  });
});
