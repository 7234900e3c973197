// A repository with a plan for worktrees: agents that append to files, pairs of them in conflict, commands on the results, checks, a setup.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const alone = ['a0', 'a1', 'a2', 'a3'];
/** Both of a pair append to the same file: whoever is merged second has a conflict. */
const pairs = { 'pair0.txt': ['p0', 'p1'], 'pair1.txt': ['p2', 'p3'] };
const agents = [...alone, ...Object.values(pairs).flat()];

const plan = `isolation: worktree
max-parallel: 6
retries: 3
worktree: {setup: "mkdir -p built && sleep 0.05 && echo ready > built/ready"}
tasks:
${agents.map((id) => `  ${id}: {prompt: Do it., check: "test -e built/ready && grep -qx ${id} ${fileOf(id)}"}`).join('\n')}
  list: {run: "ls own >> list.txt", needs: [a0, a1]}
  sum: {run: "cat own/* pair* | sort > sum.txt", needs: [list, ${agents.join(', ')}]}
`;

/** What the results have to be; each line once. */
export const wanted: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(alone.map((id) => [fileOf(id), ['begin', id]])),
  'pair0.txt': ['begin', 'p0', 'p1'],
  'pair1.txt': ['begin', 'p2', 'p3'],
  'sum.txt': [...Array.from({ length: 6 }, () => 'begin'), ...agents].sort(),
};

export const tasks = [...agents, 'list', 'sum'];

function fileOf(id: string): string {
  const shared = Object.entries(pairs).find(([, both]) => both.includes(id))?.[0];
  return shared ?? `own/${id}.txt`;
}

/** Keeps both sides of a conflict, and writes its line where an earlier attempt has not. */
const script = `set -e
case $SIGNALBOX_TASK in p0|p1) file=pair0.txt;; p2|p3) file=pair1.txt;; *) file=own/$SIGNALBOX_TASK.txt;; esac
sed -i '/^[<=>|]\\{7\\}/d' $file
sleep 0.1
grep -qx $SIGNALBOX_TASK $file || echo $SIGNALBOX_TASK >> $file
`;

export class RunGround {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-kill-worktrees-')));
  readonly root = join(this.folder, 'repository');
  readonly environment = { PATH: process.env.PATH!, HOME: this.folder, SIGNALBOX_STATE: join(this.folder, 'state') };
  readonly base: string;

  constructor() {
    mkdirSync(this.root);
    this.git('init', '-q', '-b', 'main');
    // Enough files that a checkout takes a moment.
    for (let i = 0; i < 300; i++) this.#write(`many/${i}.txt`, `${i}\n`.repeat(50));
    for (const id of agents) this.#write(fileOf(id), 'begin\n');
    this.#write('plan.yaml', plan);
    this.#write('signalbox.yaml', 'agent: worker\nagents:\n  worker: {kind: command, command: [sh, work.sh]}\n');
    this.#write('work.sh', script);
    this.#write('.gitignore', 'docs/plan-outputs/\nbuilt\nown-notes\n');
    this.git('add', '-A');
    this.git('commit', '-q', '-m', 'begin');
    this.#write('own-notes', 'of the person\n');
    this.base = this.git('rev-parse', 'HEAD');
  }

  git(...args: string[]): string {
    return this.gitIn(this.root, ...args);
  }

  gitIn(cwd: string, ...args: string[]): string {
    const who = ['-c', 'user.name=t', '-c', 'user.email=t@t'];
    return execFileSync('git', ['--no-optional-locks', ...who, ...args], {
      ...{ cwd, encoding: 'utf8', env: this.environment, stdio: 'pipe' },
    }).trimEnd();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  #write(name: string, text: string): void {
    mkdirSync(dirname(join(this.root, name)), { recursive: true });
    writeFileSync(join(this.root, name), text);
  }
}
