// A workspace that is a repository with a commit, with agents that are scripts: `work.sh` gets the task and does what the test says.
import { execFileSync } from 'node:child_process';
import { type Ended, Workspace } from '../rig.ts';

const who = ['-c', 'user.name=t', '-c', 'user.email=t@t'];

export class GitWorkspace extends Workspace {
  /** @param work by task: a shell script, run in the tree of each attempt */
  constructor(files: Readonly<Record<string, string>>, work: Readonly<Record<string, string>> = {}) {
    const scripts = Object.entries(work).map(([task, script]) => [`work/${task}.sh`, script] as const);
    super({
      'signalbox.yaml':
        'agent: worker\nisolation: worktree\nagents:\n  worker: {kind: command, command: [sh, work.sh]}\n',
      'work.sh': 'set -e\n. "./work/$SIGNALBOX_TASK.sh"\n',
      '.gitignore': 'docs/plan-outputs/\nignored\n',
      ...Object.fromEntries(scripts),
      ...files,
    });
    this.git('init', '-q', '-b', 'main');
    this.commit('begin');
  }

  git(...args: string[]): string {
    return this.gitIn(this.folder, ...args);
  }

  gitIn(cwd: string, ...args: string[]): string {
    return execFileSync('git', [...who, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  }

  commit(message: string): string {
    this.git('add', '-A');
    this.git('commit', '-q', '-m', message);
    return this.git('rev-parse', 'HEAD');
  }

  /** A file as the results have it. */
  result(name: string, branch = 'signalbox/plan'): string {
    return this.git('show', `${branch}:${name}`);
  }

  /** What a person sees of their own: nothing of it is touched. */
  own(): string {
    return [
      this.git('rev-parse', 'HEAD'),
      this.git('branch', '--show-current'),
      this.git('status', '--porcelain'),
    ].join('\n');
  }
}

export const merges = ({ lines }: Ended): string[] =>
  lines.filter(({ type }) => type === 'merge-ended').map(({ attempt, result }) => `${attempt} ${result}`);

/** Waits until another task has come as far as its mark says. Marks lie outside of every tree. */
export const mark = (name: string): string => `touch "$SIGNALBOX_WORKSPACE/.signalbox/${name}"`;
export const waitFor = (name: string): string =>
  `while ! test -e "$SIGNALBOX_WORKSPACE/.signalbox/${name}"; do sleep 0.02; done`;
export const waitForMerged = (file: string): string =>
  `while ! git cat-file -e signalbox/plan:${file} 2>/dev/null; do sleep 0.02; done`;
