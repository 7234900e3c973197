// For tests: a real repository with a commit, and what a person would type in it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { GitCaller } from '../../src/git/git-caller.ts';

const made: string[] = [];

/** For the end of a file of tests. */
export function removeRepositories(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export class TestRepository {
  readonly root: string;
  /** Beside the repository, for trees. */
  readonly beside: string;
  readonly caller: GitCaller;

  constructor(files: Readonly<Record<string, string>> = { 'a.txt': 'one\n' }) {
    const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'signalbox-repository-')));
    made.push(folder);
    this.root = join(folder, 'repository');
    this.beside = join(folder, 'trees');
    mkdirSync(this.root);
    this.caller = new GitCaller({
      root: this.root,
      environment: { PATH: process.env.PATH ?? '', HOME: '/nonexistent' },
    });
    this.git('init', '-q', '-b', 'main');
    for (const [name, text] of Object.entries(files)) this.write(name, text);
    this.commit('begin');
  }

  git(...args: string[]): string {
    return this.gitIn(this.root, ...args);
  }

  gitIn(folder: string, ...args: string[]): string {
    const who = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'advice.detachedHead=false'];
    return execFileSync('git', [...who, ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trimEnd();
  }

  /** @returns the commit */
  commit(message: string, folder = this.root): string {
    this.gitIn(folder, 'add', '-A');
    this.gitIn(folder, 'commit', '-q', '--allow-empty', '-m', message);
    return this.gitIn(folder, 'rev-parse', 'HEAD');
  }

  write(name: string, text: string, folder = this.root): void {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }

  get head(): string {
    return this.git('rev-parse', 'HEAD');
  }

  /** The files of a commit with their contents. */
  files(commit: string): Record<string, string> {
    const names = this.git('ls-tree', '-r', '--name-only', commit).split('\n');
    return Object.fromEntries(names.map((name) => [name, this.git('show', `${commit}:${name}`)]));
  }
}
