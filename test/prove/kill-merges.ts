// `npm run prove -- kill-merges [--kills 200] [--seed S]`: kills the merge of a line of attempts with SIGKILL at random moments, with git
// and everything else that it has started, and performs it again until it answers. Looks at the repository with git alone: the branch
// goes from merge to merge, holds each change once, and what is not merged is still on the branch of its attempt.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { killWithDescendants } from './descendants.ts';
import { randomFrom } from './random.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
});
const wanted = Number(values.kills);
const launcher = resolve('bin/signalbox.cjs');
const random = randomFrom(Number(values.seed));
const attemptsOfLine = 8;
const sign = 'signalbox merge: ';

class Line {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-kill-merges-')));
  readonly root = join(this.#folder, 'repository');
  readonly base: string;
  readonly heads: readonly string[];

  constructor() {
    mkdirSync(this.root);
    this.git('init', '-q', '-b', 'main');
    // Enough files that a checkout takes a moment.
    for (let i = 0; i < 300; i++) this.#write(`many/${i}.txt`, `${i}\n`.repeat(50));
    this.#write('.gitignore', 'built\n');
    this.#write('list.txt', '');
    this.base = this.#commit('begin');
    this.git('branch', 'results');
    this.heads = Array.from({ length: attemptsOfLine }, (_, i) => {
      this.git('switch', '-q', '-c', `tries/${i}`, this.base);
      this.#write(`parts/${i}.txt`, `${i}\n`);
      // All of them change it, so that it is made anew each time.
      this.#write('list.txt', `${i}.txt\n`);
      return this.#commit(`work ${i}`);
    });
    this.git('switch', '-q', 'main');
  }

  git(...args: string[]): string {
    const who = ['-c', 'user.name=t', '-c', 'user.email=t@t'];
    return execFileSync('git', [...who, ...args], { cwd: this.root, encoding: 'utf8', stdio: 'pipe' }).trimEnd();
  }

  order(i: number): string {
    const file = join(this.#folder, `order-${i}.json`);
    const order = {
      ...{ repository: this.root, branch: 'results', head: this.heads[i], base: this.base, message: `merge ${i}\n` },
      ...{ queueTree: join(this.#folder, 'trees/queue'), prefix: '', include: [], setup: null, accepted: [] },
      generated: { 'list.txt': 'ls parts > list.txt' },
      checks: ['test "$(ls parts)" = "$(cat list.txt)" && test $(ls many | wc -l) = 300 && touch built spoilt'],
    };
    writeFileSync(file, JSON.stringify(order));
    return file;
  }

  /** After any kill. @param done those that have answered, in order; the next one may have been merged or not */
  judge(done: number): void {
    const steps = this.git('log', '--first-parent', '--reverse', '--format=%P|%s', `${this.base}..results`);
    const lines = steps === '' ? [] : steps.split('\n');
    if (lines.length !== done && lines.length !== done + 1)
      fail(`${lines.length} merges on the branch, ${done} answered`);
    lines.forEach((line, i) => {
      const [parents, subject] = line.split('|') as [string, string];
      if (parents.split(' ')[1] !== this.heads[i] || subject !== `merge ${i}`) fail(`step ${i} is ${line}`);
    });
    const names = Array.from(lines, (_, i) => `${i}.txt`);
    const listed = names.map((name) => `${name}\n`).join('');
    if (lines.length > 1 && `${this.git('show', 'results:list.txt')}\n` !== listed)
      fail('the list is not that of the branch');
    const parts = this.git('ls-tree', '--name-only', 'results', 'parts/').split('\n').filter(Boolean);
    if (parts.join() !== names.map((name) => `parts/${name}`).join()) fail(`the branch has ${parts.join()}`);
    for (const [i, head] of this.heads.entries())
      if (this.git('rev-parse', `tries/${i}`) !== head) fail(`the work of ${i} is not on its branch any more`);
    if (this.git('status', '--porcelain', '--branch') !== '## main') fail('the tree of the person has changed');
    if (this.git('rev-parse', 'main') !== this.base) fail('the branch of the person has moved');
  }

  end(): void {
    this.git('fsck', '--strict', '--no-dangling', '--no-reflogs');
    const trees = this.git('worktree', 'list', '--porcelain').match(/^worktree /gm)?.length;
    if (trees !== 2) fail(`there are ${trees} trees`);
    rmSync(this.#folder, { recursive: true });
  }

  #write(name: string, text: string): void {
    mkdirSync(join(this.root, name, '..'), { recursive: true });
    writeFileSync(join(this.root, name), text);
  }

  #commit(message: string): string {
    this.git('add', '-A');
    this.git('commit', '-q', '-m', message);
    return this.git('rev-parse', 'HEAD');
  }
}

function fail(what: string): never {
  throw new Error(`${what} (--seed ${values.seed}, kill ${kills})`);
}

/** When it is killed: after a while, or as soon as git writes this file beside the branch: its lock, and the branch itself. */
type Moment = { readonly afterMs: number } | { readonly at: 'results.lock' | 'results' };

/** @returns the answer; null: it was killed before */
function merge(line: Line, order: string, moment: Moment): Promise<{ kind: string; result?: string } | null> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [launcher, 'merge-work', order], { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    let isKilled = false;
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
    });
    const kill = () => {
      isKilled = child.exitCode === null;
      killWithDescendants(child.pid!);
    };
    const timer = setTimeout(kill, 'at' in moment ? 120_000 : moment.afterMs);
    const watcher = watch(join(line.root, '.git/refs/heads'), (_, name) => {
      if ('at' in moment && name === moment.at) kill();
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      watcher.close();
      const last = out.trimEnd().split('\n').at(-1)!;
      if (isKilled && !last.startsWith(sign)) return done(null);
      if (code !== 0 && !isKilled) fail(`it ended with ${code}: ${out}`);
      done(JSON.parse(last.slice(sign.length)));
    });
  });
}

function drawMoment(): Moment {
  const drawn = random();
  if (drawn < 0.15) return { at: 'results.lock' };
  return drawn < 0.3 ? { at: 'results' } : { afterMs: random() * typicalMs };
}

let kills = 0;
if (process.platform !== 'linux') {
  console.log('skipped: processes are found in /proc');
  process.exit(0);
}
console.log(`--seed ${values.seed}`);
const count = { before: 0, after: 0, locks: 0, lines: 0 };
/** How long a merge takes here and now, so that the kills fall inside. */
let typicalMs = 1_000;
while (kills < wanted) {
  const line = new Line();
  for (let i = 0; i < attemptsOfLine; i++) {
    const order = line.order(i);
    for (let tries = 0; ; tries++) {
      // At most three in a row, so that each line ends. The first one is not killed: it says how long one takes.
      const isKilled = tries < 3 && i > 0 && kills < wanted;
      const startedAt = performance.now();
      const answer = await merge(line, order, isKilled ? drawMoment() : { afterMs: 120_000 });
      if (!isKilled) typicalMs = performance.now() - startedAt;
      line.judge(i);
      if (answer === null) {
        kills++;
        if (existsSync(join(line.root, '.git/refs/heads/results.lock'))) count.locks++;
        const isMerged = line.git('rev-list', '--count', '--first-parent', `${line.base}..results`) === String(i + 1);
        count[isMerged ? 'after' : 'before']++;
        continue;
      }
      if (answer.kind !== 'ended' || answer.result !== 'merged') fail(`${i} is not merged: ${JSON.stringify(answer)}`);
      break;
    }
  }
  line.judge(attemptsOfLine);
  line.end();
  count.lines++;
}
console.log(
  `killed ${kills} times while ${count.lines} lines of ${attemptsOfLine} were merged: before the step ${count.before}, behind it ${count.after}, with the branch locked ${count.locks}, in the middle 0`,
);
