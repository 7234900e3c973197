// Trees of a repository with 5,000 files, beside plain git: made as attempts get them and removed as `clean` does; a merge as the runner
// starts it; and what a run with worktrees costs around each attempt. Bundled by run.mjs.
//
// Ceilings: a tree is made and removed in 3 × the time of `git worktree add` and `remove`. Git is called several times for each: the
// configuration is read before each call, and a tree is judged by its state.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { GitCaller } from '../src/git/git-caller.ts';
import { removeTree, whyKept } from '../src/git/trees/remove-tree.ts';
import { markTree } from '../src/git/trees/tree-marker.ts';
import { beginTree } from '../src/runner/trees/attempt-tree.ts';

const quick = process.argv.includes('--quick');
const ceiling = 3;
const results = 'signalbox/plan';
const launcher = resolve('bin/signalbox.cjs');
const median = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
const row = (what: string, text: string) => console.log(`${what.padEnd(48)} ${text}`);

class Repository {
  readonly folder: string;
  readonly root: string;
  readonly environment: Record<string, string>;

  constructor(folder: string, files: Readonly<Record<string, string>> = {}) {
    this.folder = folder;
    this.root = join(folder, 'repository');
    this.environment = { PATH: process.env.PATH!, HOME: folder, SIGNALBOX_STATE: join(folder, 'state') };
    for (let i = 0; i < 5_000; i++) {
      const inside = join(this.root, 'src', String(i % 100));
      mkdirSync(inside, { recursive: true });
      writeFileSync(join(inside, `${i}.txt`), `${i}\n`.repeat(20));
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.root, name), text);
    this.git('init', '-q', '-b', 'main');
    this.git('add', '-A');
    this.git('commit', '-q', '-m', 'begin');
  }

  git(...args: string[]): string {
    const who = ['-c', 'user.name=t', '-c', 'user.email=t@t'];
    return execFileSync('git', [...who, ...args], { cwd: this.root, encoding: 'utf8', stdio: 'pipe' }).trim();
  }

  signalbox(...args: string[]): void {
    const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...args], {
      ...{ cwd: this.root, env: this.environment, encoding: 'utf8' },
    });
    if (status !== 0) throw new Error(`signalbox ${args.join(' ')}: ${stdout}${stderr}`);
  }
}

async function timed(work: () => unknown): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** All at once, as in a large run; turn by turn with plain git, so that the disk is as slow for one as for the other. */
async function trees(folder: string, count: number): Promise<boolean> {
  const repository = new Repository(folder);
  repository.git('branch', results);
  const caller = new GitCaller({ root: repository.root, environment: repository.environment });
  const [own, plain] = [join(folder, 'own'), join(folder, 'plain')];
  const times = { made: [] as number[], removed: [] as number[], add: [] as number[], remove: [] as number[] };
  for (let i = 0; i < count; i++) {
    const tree = join(own, String(i));
    const beginning = { folder: tree, branch: `tries/${i}`, results, earlier: null, message: 'x\n', keeping: 'x\n' };
    const all = { ...beginning, isOfRound: () => true, isApart: () => false };
    times.made.push(
      await timed(async () => {
        await beginTree(caller, all, async () => markTree(tree, repository.root));
      }),
    );
    const add = ['worktree', 'add', '-q', '-b', `plain/${i}`, join(plain, String(i)), results];
    times.add.push(await timed(() => repository.git(...add)));
  }
  for (let i = 0; i < count; i++) {
    const tree = join(own, String(i));
    times.removed.push(
      await timed(async () => {
        const why = (await whyKept(caller, tree, own)) ?? (await removeTree(caller, tree));
        if (why !== null) throw new Error(why);
      }),
    );
    times.remove.push(await timed(() => repository.git('worktree', 'remove', join(plain, String(i)))));
  }
  const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
  const told = (mine: number[], theirs: number[], what: string) =>
    `${median(mine).toFixed(0)} ms each, ${(sum(mine) / sum(theirs)).toFixed(2)} × git worktree ${what} (${median(theirs).toFixed(0)} ms)`;
  row(`${count} trees of 5,000 files made`, told(times.made, times.add, 'add'));
  row(`${count} trees of 5,000 files removed`, told(times.removed, times.remove, 'remove'));
  const ratio = (sum(times.made) + sum(times.removed)) / (sum(times.add) + sum(times.remove));
  row('', `${ratio.toFixed(2)} × together, ceiling ${ceiling} ×`);
  return ratio <= ceiling;
}

/** Without checks, from the order to the answer, as a process of its own; beside the three calls of git that it cannot do without. */
async function merging(folder: string, rounds: number): Promise<void> {
  const repository = new Repository(folder);
  repository.git('branch', results);
  const base = repository.git('rev-parse', results);
  const heads = Array.from({ length: 2 * rounds }, (_, i) => {
    repository.git('switch', '-q', '-c', `tries/${i}`, base);
    writeFileSync(join(repository.root, `new-${i}.txt`), `${i}\n`);
    repository.git('add', '-A');
    repository.git('commit', '-q', '-m', `work ${i}`);
    return repository.git('rev-parse', 'HEAD');
  });
  repository.git('switch', '-q', 'main');
  const times = { own: [] as number[], plain: [] as number[], start: [] as number[] };
  const file = join(folder, 'order.json');
  for (let i = 0; i < rounds; i++) {
    const order = {
      ...{ repository: repository.root, branch: results, head: heads[2 * i], base, message: `merge ${i}\n` },
      ...{ queueTree: join(folder, 'queue'), prefix: '', include: [], setup: null, generated: {}, isTrusted: false },
      ...{ checks: [], accepted: [] },
    };
    writeFileSync(file, JSON.stringify(order));
    times.own.push(await timed(() => repository.signalbox('merge-work', file)));
    times.plain.push(
      await timed(() => {
        const head = heads[2 * i + 1]!;
        const tree = repository.git('merge-tree', '--write-tree', results, head);
        const commit = repository.git('commit-tree', '-p', results, '-p', head, '-m', 'merge', tree);
        repository.git('update-ref', `refs/heads/${results}`, commit);
      }),
    );
    times.start.push(await timed(() => repository.signalbox('--version')));
  }
  const [own, plain, start] = [median(times.own), median(times.plain), median(times.start)];
  row('a merge without checks, 5,000 files', `${own.toFixed(0)} ms from the order to the answer`);
  row('', `${(own / plain).toFixed(1)} × three bare calls of git (${plain.toFixed(0)} ms)`);
  row('', `${start.toFixed(0)} ms of it are the start of the program`);
}

/** One task after the other whose agent does next to nothing, with worktrees and without. */
async function attempts(folder: string, tasks: number): Promise<void> {
  const ids = Array.from({ length: tasks }, (_, i) => `t${i}`);
  const plan = `max-parallel: 1\ntasks:\n${ids.map((id) => `  ${id}: {prompt: x}\n`).join('')}`;
  const agent = '{kind: command, command: [sh, -c, "echo $SIGNALBOX_TASK > $SIGNALBOX_TASK.txt"]}';
  const repository = new Repository(folder, {
    'plan.yaml': plan,
    'other.yaml': plan,
    'signalbox.yaml': `agent: worker\nagents:\n  worker: ${agent}\n`,
    '.gitignore': 'docs/plan-outputs/\n',
  });
  const apart = await timed(() => repository.signalbox('run', 'plan.yaml', '--isolation', 'worktree'));
  const shared = await timed(() => repository.signalbox('run', 'other.yaml', '--isolation', 'shared'));
  row('an attempt in a tree, 5,000 files', `${((apart - shared) / tasks).toFixed(0)} ms more than in the workspace`);
  row('', 'new tree, fingerprints, commit, merge and the tree of results included');
}

const home = realpathSync(mkdtempSync(join(tmpdir(), 'sb-bench-')));
const inside = (name: string) => {
  mkdirSync(join(home, name));
  return join(home, name);
};
try {
  await merging(inside('merging'), quick ? 3 : 15);
  await attempts(inside('attempts'), quick ? 5 : 20);
  if (!(await trees(inside('trees'), quick ? 5 : 100))) process.exitCode = 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}
