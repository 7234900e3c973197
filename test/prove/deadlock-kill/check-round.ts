// What must be true when a plan of a ring has come to its end, whoever was killed on the way. Shares no code with the program.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { checkLog } from '../stress/check-log.ts';

const launcher = resolve('bin/signalbox.cjs');

interface Line {
  readonly type: string;
  readonly attempt?: string;
  readonly task?: string;
  readonly token?: number;
  readonly saved?: string | null;
  readonly because?: string;
  readonly left?: readonly string[];
  readonly end?: { readonly kind: string };
}

export interface RoundCheck {
  readonly wrong: string[];
  readonly deadlocks: number;
  readonly saved: number;
}

/** @param shells attempts whose shell was killed: only they may have failed, or have done something in vain. */
export function checkRound(folder: string, n: number, shells: readonly string[]): RoundCheck {
  const wrong: string[] = [];
  const command = (...args: string[]) =>
    spawnSync(process.execPath, [launcher, ...args], { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 });
  const lines = command('events', 'plan.yaml', '--json')
    .stdout.split('\n')
    .filter(Boolean)
    .map((line): Line => JSON.parse(line));
  const of = (type: string) => lines.filter((line) => line.type === type);
  const completed = of('task-completed').map(({ attempt }) => attempt!);
  const putBack = new Set(of('files-put-back').map(({ attempt }) => attempt!));

  for (let i = 0; i < n; i++) {
    const times = completed.filter((attempt) => attempt.startsWith(`t${i}#`)).length;
    if (times !== 1) wrong.push(`t${i} was completed ${times} times`);
  }
  for (const { type, task } of lines) if (type === 'task-failed') wrong.push(`${task} failed`);
  // Called back before it had begun, because its runner was killed: costs nothing, and nothing was done.
  const neverBegan = of('attempt-ended')
    .filter(({ end }) => end?.kind === 'never-started')
    .map(({ attempt }) => attempt!);
  const ledger = readFileSync(join(folder, 'ledger'), 'utf8');
  for (const attempt of neverBegan)
    if (ledger.includes(` ${attempt}\n`)) wrong.push(`${attempt} never began, and did something`);
  for (const { attempt, because } of of('retry-scheduled')) {
    if (because === 'deadlock' || shells.includes(attempt!)) continue;
    if (because !== 'stopped' || !neverBegan.includes(attempt!))
      wrong.push(`${attempt} is tried again because it ${because}`);
  }
  for (const { attempt, left } of of('files-put-back'))
    if (left) wrong.push(`${attempt}: ${left} could not be put back`);
  const found = of('deadlock-detected').map(({ token }) => token);
  const resolved = of('deadlock-resolved').map(({ token }) => token);
  // A shell that is killed before the ring closes opens it.
  if (found.length === 0 && shells.length === 0) wrong.push('there was no deadlock');
  if (String(found) !== String(resolved))
    wrong.push(`deadlocks of ${found} were found, and those of ${resolved} resolved`);

  checkFiles(folder, n, { completed, putBack, shells }, wrong);
  checkSaved(folder, of('work-saved'), wrong);
  const table = command('lock', 'list', '--json').stdout.trim();
  if (table !== '{"holds":[],"waits":[],"deadlocks":[]}') wrong.push(`at the end, the table is ${table}`);
  wrong.push(...checkLog(join(folder, '.signalbox', 'state.db'), () => true).wrong);
  checkFold(folder, () => command('status', 'plan.yaml', '--json').stdout, wrong);
  return { wrong, deadlocks: found.length, saved: of('work-saved').filter(({ saved }) => saved).length };
}

interface Attempts {
  readonly completed: readonly string[];
  readonly putBack: ReadonlySet<string>;
  readonly shells: readonly string[];
}

/** Every effect once; nothing of an attempt whose files were put back, neither in the end nor in what others have seen. */
function checkFiles(folder: string, n: number, { completed, putBack, shells }: Attempts, wrong: string[]): void {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean);
  const expectOnce = (where: string, lines: readonly string[], line: string, attempt: string) => {
    const times = lines.filter((one) => one === line).length;
    if (times !== 1) wrong.push(`"${line}" of the completed ${attempt} is ${times} times in ${where}`);
  };
  const ledger = read('ledger');
  for (const line of ledger) {
    const attempt = line.split(' ')[1]!;
    if (line.startsWith('done') && !completed.includes(attempt) && !shells.includes(attempt))
      wrong.push(`${attempt} did its work and was not completed`);
  }
  for (const attempt of completed) {
    const own = Number(/^t(\d+)#/.exec(attempt)![1]);
    expectOnce('the ledger', ledger, `done ${attempt}`, attempt);
    expectOnce(`f${own}`, read(`f${own}`), `half by ${attempt}`, attempt);
    expectOnce(`f${(own + 1) % n}`, read(`f${(own + 1) % n}`), `whole by ${attempt}`, attempt);
  }
  const looked = [
    ...Array.from({ length: n }, (_, i) => `f${i}`),
    ...readdirSync(join(folder, 'seen')).map((name) => `seen/${name}`),
  ];
  for (const name of looked) {
    const lines = read(name);
    if (name.startsWith('f') && lines[0] !== `${name} before`) wrong.push(`${name} does not begin as before`);
    for (const line of lines) {
      const attempt = / by (\S+)$/.exec(line)?.[1];
      if (attempt === undefined) continue;
      if (putBack.has(attempt)) wrong.push(`${name} has "${line}", which was put back`);
      else if (!completed.includes(attempt) && !shells.includes(attempt)) wrong.push(`${name} has "${line}" of nobody`);
    }
  }
}

function checkSaved(folder: string, events: readonly Line[], wrong: string[]): void {
  const ledger = readFileSync(join(folder, 'ledger'), 'utf8');
  for (const { attempt, saved } of events) {
    if (saved == null) {
      if (ledger.includes(`begun ${attempt}\n`)) wrong.push(`${attempt} had changed its file, and nothing was saved`);
      continue;
    }
    const place = join(folder, '.signalbox', 'saved', saved);
    if (!existsSync(join(place, 'manifest.json'))) wrong.push(`${saved}, the work of ${attempt}, is not there`);
    const kept = globSync('**/*', { cwd: place }).filter((name) => statSync(join(place, name)).isFile());
    if (!kept.some((name) => readFileSync(join(place, name), 'utf8').includes(`half by ${attempt}\n`)))
      wrong.push(`${saved} has nothing that ${attempt} wrote`);
  }
}

/** The whole log says the same as the snapshot with the rest of the log. */
function checkFold(folder: string, status: () => string, wrong: string[]): void {
  const before = status();
  const db = new Database(join(folder, '.signalbox', 'state.db'));
  db.exec('DELETE FROM snapshots');
  db.close();
  if (before === '' || status() !== before) wrong.push('the log folds to something else than the state was');
}
