// What a run that was killed again and again has to amount to, seen with plain git and in /proc.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type RunGround, tasks, wanted } from './ground.ts';

const launcher = resolve('bin/signalbox.cjs');
const results = 'signalbox/plan';

/** Of the person: index, branch, files. */
export function ownOf(ground: RunGround): string {
  return [
    readFileSync(join(ground.root, '.git/HEAD'), 'utf8'),
    readFileSync(join(ground.root, '.git/index'), 'base64'),
    ground.git('rev-parse', 'main'),
    ground.git('status', '--porcelain', '--ignored'),
    readFileSync(join(ground.root, 'own-notes'), 'utf8'),
  ].join('\n');
}

/** Everything that is wrong. @param before what `ownOf` said */
export function judge(ground: RunGround, before: string): string[] {
  const wrong = [...judgeSteps(ground), ...judgeFiles(ground), ...judgeHeads(ground), ...judgeTrees(ground)];
  if (ownOf(ground).replace(/^!! .*\n/gm, '') !== before.replace(/^!! .*\n/gm, ''))
    wrong.push('what belongs to the person has changed');
  const fsck = said(ground, 'git', ['fsck', '--strict', '--no-dangling']);
  if (fsck !== null) wrong.push(`git fsck: ${fsck}`);
  const valid = said(ground, process.execPath, [launcher, 'validate', '--deep']);
  // Times of attempts are written beside the loop: `validate --fix` puts right what a killed runner could not write.
  const isTimes = (line: string) => line.startsWith('✖ timestamps: ');
  const isBad = valid?.split('\n').some((line) => line.startsWith('✖') && !isTimes(line)) ?? false;
  const fixed = valid === null ? null : said(ground, process.execPath, [launcher, 'validate', '--fix']);
  if (isBad || fixed !== null) wrong.push(`signalbox validate: ${valid}${fixed ?? ''}`);
  return wrong;
}

/** The branch goes from merge to merge, one for each task. */
function judgeSteps(ground: RunGround): string[] {
  const format = '--format=%P|%(trailers:key=Signalbox-Task,valueonly,separator=%x2C)|%s';
  const steps = ground.git('log', '--first-parent', format, `${ground.base}..${results}`).split('\n');
  const wrong = steps.filter((step) => step.split('|')[0]!.split(' ').length !== 2).map((step) => `no merge: ${step}`);
  const merged = steps.map((step) => step.split('|')[1]).sort();
  if (merged.join() !== [...tasks].sort().join()) wrong.push(`merged are ${merged.join()}`);
  return wrong;
}

function judgeFiles(ground: RunGround): string[] {
  return Object.entries(wanted).flatMap(([file, lines]) => {
    const found = ground.git('show', `${results}:${file}`).split('\n');
    const isRight = found.toSorted().join() === lines.toSorted().join();
    return isRight ? [] : [`${file} has ${found.join()}`];
  });
}

/** What an attempt has left is on the results or on the branch of an attempt. */
function judgeHeads(ground: RunGround): string[] {
  const told = spawnSync(process.execPath, [launcher, 'events', 'plan.yaml', '--json'], {
    ...{ cwd: ground.root, encoding: 'utf8', env: ground.environment, maxBuffer: 2 ** 26 },
  }).stdout;
  const events = told.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  const heads = events.flatMap(({ type, evidence, attempt }) =>
    type === 'attempt-ended' && evidence?.work ? [{ attempt, head: evidence.work.head as string }] : [],
  );
  const wrong = heads.flatMap(({ attempt, head }) => {
    const on = ground.git('for-each-ref', '--contains', head, 'refs/heads/signalbox', 'refs/heads/signalbox-attempts');
    return on === '' ? [`the work of ${attempt} is on no branch`] : [];
  });
  return heads.length < tasks.length ? [...wrong, `only ${heads.length} attempts left work`] : wrong;
}

/** The tree of results follows the branch; no tree is half made. */
function judgeTrees(ground: RunGround): string[] {
  const trees = ground.git('worktree', 'list', '--porcelain').split('\n\n');
  const bad = trees.filter((tree) => /^(?:locked|prunable)/m.test(tree)).map((tree) => `a tree is left: ${tree}`);
  const folder = /^worktree (.*\/integration)$/m.exec(trees.join('\n'))?.[1];
  if (folder === undefined) return [...bad, 'there is no tree of results'];
  const at = ground.gitIn(folder, 'rev-parse', 'HEAD');
  if (at !== ground.git('rev-parse', results)) bad.push('the tree of results is not where the branch is');
  const status = ground.gitIn(folder, 'status', '--porcelain');
  return status === '' ? bad : [...bad, `the tree of results has changes: ${status}`];
}

/** What a program complained about; null: nothing. */
function said(ground: RunGround, program: string, args: readonly string[]): string | null {
  const { status, stdout, stderr } = spawnSync(program, args, {
    ...{ cwd: ground.root, encoding: 'utf8', env: ground.environment },
  });
  return status === 0 ? null : `${stdout}${stderr}`;
}
