// A workspace in a real repository, and a log that says what a run with worktrees did there.
import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Event } from '../../../src/core/model/event.ts';
import type { WorkOnBranch } from '../../../src/core/model/failure.ts';
import { attemptId, hostId, planPath, runId, taskId } from '../../../src/core/model/ids.ts';
import type { Isolation } from '../../../src/core/model/run-event.ts';
import type { MergeEnded } from '../../../src/core/model/verify-event.ts';
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts';
import { Workspace } from '../rig.ts';

const plan = planPath('plan.md');
const run = runId('r1');
const host = hostId('boot:ns');
/** Of no living process. */
const runner = { host, pid: 4_000_000, startTime: '1' };
const base = { v: 1, plan, run } as const;

export class ResultsWorkspace extends Workspace {
  readonly root: string;
  readonly trees: string;
  readonly begin: string;
  #token = 0;

  constructor(files: Readonly<Record<string, string>> = {}) {
    const text = '# Build it\n\n- [ ] api: Build\n  - run: `true`\n- [ ] docs: Write\n  - run: `true`\n';
    super({ 'plan.md': text, '.gitignore': '.signalbox/\n.claude/\ndocs/plan-outputs/\n', 'a.txt': 'one\n', ...files });
    this.root = realpathSync.native(this.folder);
    this.trees = join(new Workspace().folder, 'trees');
    this.git('init', '-q', '-b', 'main');
    this.begin = this.commit('begin');
    this.git('branch', 'signalbox/plan');
  }

  git(...args: string[]): string {
    return this.gitIn(this.root, ...args);
  }

  gitIn(cwd: string, ...args: string[]): string {
    const who = ['-c', 'user.name=t', '-c', 'user.email=t@t'];
    return execFileSync('git', [...who, ...args], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trimEnd();
  }

  writeIn(folder: string, name: string, text: string): void {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }

  commit(message: string, folder = this.root): string {
    this.gitIn(folder, 'add', '-A');
    this.gitIn(folder, 'commit', '-q', '-m', message);
    return this.gitIn(folder, 'rev-parse', 'HEAD');
  }

  get head(): string {
    return this.git('rev-parse', 'HEAD');
  }

  get isolation(): Isolation {
    return { branch: 'signalbox/plan', base: this.begin, trees: this.trees, prefix: '', onto: 'main' };
  }

  /** The store is this user's own: a command makes it. */
  async begun(isolation: Isolation | undefined = this.isolation): Promise<this> {
    await this.run('set', 'plan.md');
    await this.record({
      ...{ ...base, type: 'run-started', runner, limits: { plan: 3, pools: {} } },
      ...(isolation === undefined ? {} : { isolation }),
    });
    return this;
  }

  async record(...events: readonly Event[]): Promise<void> {
    const folder = join(this.root, '.signalbox');
    const store = (await openSqlite({ folder, create: false, programVersion: '0.2.0' }))!;
    await store.transact((tx) => {
      for (const event of events) tx.record(event);
    });
    await store.close();
  }

  async scheduled(task: string, n = 1): Promise<void> {
    await this.record({ ...this.#about(task, n, ++this.#token), type: 'attempt-scheduled', host });
  }

  async ended(task: string, n: number, work: WorkOnBranch | null, result: MergeEnded['result'] | null): Promise<void> {
    const about = this.#about(task, n, this.#token);
    const end = { kind: 'exited', code: 0 } as const;
    await this.record({
      ...about,
      type: 'attempt-ended',
      end,
      evidence: work === null ? { unfit: 'it was not resolved' } : { work },
    });
    if (result === null) return;
    const token = ++this.#token;
    await this.record(
      { ...about, token, type: 'merge-scheduled', host },
      { ...about, token, type: 'merge-ended', end, result },
    );
    if (result === 'merged')
      await this.record({ ...base, type: 'task-completed', task: taskId(task), attempt: about.attempt });
  }

  async runEnded(): Promise<void> {
    const summary = {
      totalTasks: 2,
      completed: 2,
      pending: 0,
      in_progress: 0,
      failed: 0,
      blocked: 0,
      suspended: 0,
      skipped: 0,
    };
    await this.record({ ...base, type: 'run-ended', outcome: 'complete', exitCode: 0, summary });
  }

  /** A tree of an attempt, on a branch of its own from the results. */
  tree(task: string, n = 1): string {
    const folder = join(this.trees, 'tasks', task);
    this.git('worktree', 'add', '-q', '-b', `signalbox-attempts/plan/${task}.${n}`, folder, 'signalbox/plan');
    return realpathSync.native(folder);
  }

  /** What the attempt committed comes to the branch of results. */
  merge(branch: string): void {
    const tip = this.git('rev-parse', 'signalbox/plan');
    const head = this.git('rev-parse', branch);
    const tree = this.git('merge-tree', '--write-tree', tip, head);
    const commit = this.git('commit-tree', tree, '-p', tip, '-p', head, '-m', `merge ${branch}`);
    this.git('update-ref', 'refs/heads/signalbox/plan', commit);
  }

  #about(task: string, n: number, token: number) {
    return { ...base, task: taskId(task), attempt: attemptId(taskId(task), n), token };
  }
}
