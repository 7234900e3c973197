// What somebody changes in the tree of a task between two attempts, with real git: nothing of it is lost, and the next attempt goes on with it.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { removeRepositories, TestRepository } from '../../../test/rigs/repository.ts';
import type { WorkOnBranch } from '../../core/model/failure.ts';
import { markTree } from '../../git/trees/tree-marker.ts';
import { beginTree } from './attempt-tree.ts';
import { endTree } from './attempt-work.ts';
import { noteLeftBehind } from './notes-of-trees.ts';

afterAll(removeRepositories);

const results = 'signalbox/plan';
const isApart = (path: Buffer) => path.toString().startsWith('apart');

class Place {
  readonly repository = new TestRepository({ 'a.txt': 'one\n', 'b.txt': 'two\n', '.gitignore': 'ignored\n' });
  readonly folder = join(this.repository.beside, 'a');
  /** The first attempt since the plan was last started over. */
  first = 1;

  constructor() {
    this.repository.git('branch', results);
  }

  begin(n: number, earlier: WorkOnBranch | null = null, prepare: () => Promise<void> = () => Promise.resolve()) {
    const { repository, folder } = this;
    const isOfRound = (branch: string) => Number(/^tries\/a\.(\d+)$/.exec(branch)?.[1] ?? 0) >= this.first;
    const beginning = { folder, branch: `tries/a.${n}`, results, earlier, message: 'along\n', keeping: 'keep\n' };
    return beginTree(repository.caller, { ...beginning, isOfRound, isApart }, async () => {
      markTree(folder, repository.root);
      await prepare();
    });
  }

  end(n: number, base: string) {
    const branch = `tries/a.${n}`;
    const { folder, repository } = this;
    const ending = { folder, branch, checkedOut: branch, base, message: 'a: work\n', isApart, judgedBy: [] };
    return endTree(repository.caller, ending);
  }

  /** An attempt that wrote this, and failed. */
  async tried(n = 1, text = 'mine\n', earlier: WorkOnBranch | null = null): Promise<WorkOnBranch> {
    const { base } = await this.begin(n, earlier);
    this.write('a.txt', text);
    return (await this.end(n, base)).work!;
  }

  checked() {
    return noteLeftBehind(this.repository.caller, { folder: this.folder, isApart });
  }

  write(name: string, text: string): void {
    this.repository.write(name, text, this.folder);
  }

  merged(name: string, text: string): void {
    const { repository } = this;
    const tree = join(repository.beside, 'other');
    if (!existsSync(tree)) repository.git('worktree', 'add', '-q', '--detach', tree, results);
    repository.write(name, text, tree);
    repository.git('update-ref', `refs/heads/${results}`, repository.commit('other', tree));
  }

  read(name: string): string | null {
    return existsSync(join(this.folder, name)) ? readFileSync(join(this.folder, name), 'utf8') : null;
  }

  git(...args: string[]): string {
    return this.repository.gitIn(this.folder, ...args);
  }

  get branches(): string[] {
    return this.repository.git('branch', '--format=%(refname:short)', '--list', 'tries/*').split('\n');
  }
}

describe('what somebody changes in a tree between two attempts', () => {
  it('is committed on the branch of the last attempt, and the next one begins with it', async () => {
    const place = new Place();
    const work = await place.tried();
    place.write('a.txt', 'repaired\n');
    place.write('new.txt', 'new\n');
    rmSync(join(place.folder, 'b.txt'));
    place.merged('c.txt', 'theirs\n');
    const begun = await place.begin(2, work);
    expect(begun).toMatchObject({ merging: [], keptOn: null, byHand: ['a.txt', 'b.txt', 'new.txt'] });
    expect(['a.txt', 'b.txt', 'c.txt', 'new.txt'].map((name) => place.read(name))).toEqual([
      'repaired\n',
      null,
      'theirs\n',
      'new\n',
    ]);
    expect(place.repository.git('show', 'tries/a.1:new.txt')).toBe('new');
    expect(place.branches).toEqual(['tries/a.1', 'tries/a.2']);
  });

  it.each([
    ['committed', (place: Place) => void place.repository.commit('by hand', place.folder)],
    ['staged', (place: Place) => void place.git('add', '-A')],
  ])('goes along when it was %s', async (_, act) => {
    const place = new Place();
    const work = await place.tried();
    place.write('a.txt', 'repaired\n');
    act(place);
    expect((await place.begin(2, work)).byHand).toEqual(['a.txt']);
    expect(place.read('a.txt')).toBe('repaired\n');
  });

  it('is in conflict with the results like earlier work', async () => {
    const place = new Place();
    const work = await place.tried(1, 'one\n');
    place.write('a.txt', 'repaired\n');
    place.merged('a.txt', 'theirs\n');
    expect(await place.begin(2, work)).toMatchObject({ merging: ['a.txt'], byHand: ['a.txt'] });
    expect(place.read('a.txt')).toContain('repaired\n');
  });

  it.each([
    ['in the files', () => undefined],
    ['with a commit', (place: Place) => void place.repository.commit('resolved', place.folder)],
  ])('resolves the merge that an attempt has not resolved, %s', async (_, act) => {
    const place = new Place();
    const work = await place.tried();
    place.merged('a.txt', 'theirs\n');
    const { base } = await place.begin(2, work);
    expect((await place.end(2, base)).unfit).toContain('marks of a merge');
    place.write('a.txt', 'both\n');
    act(place);
    const begun = await place.begin(3, work);
    expect([begun.merging, place.read('a.txt')]).toEqual([[], 'both\n']);
    expect((await place.end(3, begun.base)).work).toBeDefined();
  });

  it('resolves a merge also where nothing is left of the attempt', async () => {
    const place = new Place();
    const work = await place.tried();
    place.merged('a.txt', 'theirs\n');
    const { base } = await place.begin(2, work);
    await place.end(2, base);
    place.git('checkout', '-q', '--ours', 'a.txt');
    place.git('add', 'a.txt');
    expect([(await place.begin(3, work)).merging, place.read('a.txt')]).toEqual([[], 'theirs\n']);
  });

  it('is carried on where the attempt after it leaves nothing that can be merged, or never starts', async () => {
    const place = new Place();
    const work = await place.tried();
    place.write('a.txt', 'repaired\n');
    await place.begin(2, work);
    expect(await place.begin(3, work)).toMatchObject({ byHand: [] });
    const { base } = await place.begin(4, work);
    place.git('switch', '-q', '-c', 'own');
    expect((await place.end(4, base)).unfit).toContain('own');
    await place.begin(5, work);
    expect(place.read('a.txt')).toBe('repaired\n');
  });

  it('stays on its branch in a new round, and does not go along', async () => {
    const place = new Place();
    await place.tried();
    place.write('a.txt', 'repaired\n');
    place.first = 2;
    expect(await place.begin(2, null)).toMatchObject({ byHand: [] });
    expect([place.read('a.txt'), place.repository.git('show', 'tries/a.1:a.txt')]).toEqual(['one\n', 'repaired']);
  });

  it('is kept beside the branch where it cannot be committed, once', async () => {
    const place = new Place();
    const work = await place.tried();
    const spoil = () => {
      place.git('checkout', '-q', '--detach', 'tries/a.1');
      place.write('a.txt', 'repaired\n');
    };
    spoil();
    expect((await place.begin(2, work)).keptOn).toBe('tries/a.1.left');
    expect(place.repository.git('show', 'tries/a.1.left:a.txt')).toBe('repaired');
    expect(place.read('a.txt')).toBe('mine\n');
    const { base } = await place.begin(3, work);
    spoil();
    expect((await place.end(3, base)).unfit).toContain('on no branch');
    expect((await place.begin(4, work)).keptOn).toBeNull();
    expect(place.branches.filter((name) => name.endsWith('.left'))).toEqual(['tries/a.1.left', 'tries/a.3.left']);
  });

  it('overwrites no branch that is there already', async () => {
    const place = new Place();
    const work = await place.tried();
    place.repository.git('branch', 'tries/a.1.left', 'main');
    place.git('checkout', '-q', '--detach', 'tries/a.1');
    place.write('a.txt', 'repaired\n');
    expect((await place.begin(2, work)).keptOn).toBe('tries/a.1.left-2');
    expect(place.repository.git('rev-parse', 'tries/a.1.left')).toBe(place.repository.git('rev-parse', 'main'));
    expect(place.repository.git('show', 'tries/a.1.left-2:a.txt')).toBe('repaired');
  });
});

describe('what is nobody’s work', () => {
  it('is kept where checks have left it behind, and no attempt goes on with it', async () => {
    const place = new Place();
    const work = await place.tried();
    place.write('report', 'by a check\n');
    await place.checked();
    expect(await place.begin(2, work)).toMatchObject({ byHand: [], keptOn: null });
    expect([place.read('report'), place.read('a.txt')]).toEqual([null, 'mine\n']);
    expect(place.repository.git('show', 'tries/a.1.left:report')).toBe('by a check');
  });

  it('is told from a repair of the same time', async () => {
    const place = new Place();
    const work = await place.tried();
    place.write('report', 'by a check\n');
    await place.checked();
    place.write('a.txt', 'repaired\n');
    expect(await place.begin(2, work)).toMatchObject({ byHand: ['a.txt'], keptOn: null });
    expect([place.read('report'), place.read('a.txt')]).toEqual([null, 'repaired\n']);
    expect(place.repository.git('show', 'tries/a.1.left:report')).toBe('by a check');
  });

  it('stays in the tree where it is never committed', async () => {
    const place = new Place();
    const work = await place.tried();
    place.write('.env', 'KEY=1\n');
    place.write('apart/x', 'ours\n');
    symlinkSync('../../elsewhere', join(place.folder, 'out'));
    mkdirSync(join(place.folder, 'inner'));
    place.repository.gitIn(join(place.folder, 'inner'), 'init', '-q');
    place.write('inner/x', 'x');
    place.repository.commit('inner', join(place.folder, 'inner'));
    place.write('a.txt', 'repaired\n');
    expect((await place.begin(2, work)).byHand).toEqual(['a.txt']);
    expect(['.env', 'apart/x', 'inner/x'].map((name) => place.read(name))).toEqual(['KEY=1\n', 'ours\n', 'x']);
    expect(place.git('status', '--porcelain', '--untracked-files=all').split('\n')).toEqual([
      '?? .env',
      '?? apart/x',
      '?? inner/',
      '?? out',
    ]);
    expect(place.branches).toEqual(['tries/a.1', 'tries/a.2']);
  });

  it('is kept where the end of an attempt could not be found out, and no attempt goes on with it', async () => {
    const place = new Place();
    await place.begin(1);
    place.write('a.txt', 'mine\n');
    await expect(place.end(1, 'f'.repeat(40))).rejects.toThrow('git diff-tree');
    place.write('b.txt', 'mine\n');
    await expect(place.end(1, 'f'.repeat(40))).rejects.toThrow('git diff-tree');
    expect(await place.begin(2)).toMatchObject({ byHand: [], keptOn: null });
    expect([place.read('a.txt'), place.read('b.txt')]).toEqual(['one\n', 'two\n']);
    expect(place.repository.git('show', 'tries/a.1:b.txt')).toBe('mine');
  });

  it('is dropped where a setup made it', async () => {
    const place = new Place();
    const setup = () => Promise.resolve(place.write('b.txt', 'by the setup\n'));
    await place.begin(1, null, setup);
    const failing = async () => {
      place.write('half', 'by the setup\n');
      throw new Error('the setup failed');
    };
    await expect(place.begin(2, null, failing)).rejects.toThrow('the setup failed');
    expect(await place.begin(3)).toMatchObject({ byHand: [], keptOn: null });
    expect([place.read('b.txt'), place.read('half'), place.branches]).toEqual([
      'two\n',
      null,
      ['tries/a.1', 'tries/a.2', 'tries/a.3'],
    ]);
  });
});

describe('a runner that is killed while it sets a tree up', () => {
  /** The commits between which the tree is switched, and half of the files. */
  async function half(): Promise<[Place, WorkOnBranch]> {
    const place = new Place();
    const work = await place.tried();
    place.merged('c.txt', 'theirs\n');
    const entry = join(place.repository.root, '.git/worktrees/a');
    await place
      .begin(2, work, async () => {
        const begun = readFileSync(join(entry, 'signalbox-beginning'), 'utf8');
        await Promise.resolve();
        throw new Error(begun);
      })
      .then(
        () => undefined,
        (error: Error) => {
          place.git('symbolic-ref', 'HEAD', 'refs/heads/tries/a.1');
          place.git('read-tree', 'tries/a.1');
          rmSync(join(place.folder, 'b.txt'));
          writeFileSync(join(entry, 'signalbox-beginning'), error.message);
        },
      );
    return [place, work];
  }

  it('leaves no half of a checkout to the next attempt', async () => {
    const [place, work] = await half();
    expect(await place.begin(2, work)).toMatchObject({ byHand: [], keptOn: null });
    expect(['a.txt', 'b.txt', 'c.txt'].map((name) => place.read(name))).toEqual(['mine\n', 'two\n', 'theirs\n']);
    expect(place.branches).toEqual(['tries/a.1', 'tries/a.2']);
  });

  it('loses nothing that somebody wrote there afterwards', async () => {
    const [place, work] = await half();
    place.write('d.txt', 'by hand\n');
    const { keptOn } = await place.begin(2, work);
    expect(place.repository.git('show', `${keptOn}:d.txt`)).toBe('by hand');
  });

  it('loses no commit that somebody made on the new branch, and goes on with it', async () => {
    const place = new Place();
    const work = await place.tried();
    await place.begin(2, work);
    place.write('a.txt', 'repaired\n');
    place.repository.commit('by hand', place.folder);
    place.merged('a.txt', 'theirs\n');
    expect(await place.begin(2, work)).toMatchObject({ merging: ['a.txt'], byHand: ['a.txt'] });
    expect(place.read('a.txt')).toContain('repaired\n');
    expect(place.repository.git('show', 'tries/a.2.left:a.txt')).toBe('repaired');
  });

  it('goes on with a repair that is committed already', async () => {
    const place = new Place();
    const work = await place.tried();
    place.write('a.txt', 'repaired\n');
    await place.begin(2, work);
    await place.begin(2, work);
    expect(place.read('a.txt')).toBe('repaired\n');
  });
});
