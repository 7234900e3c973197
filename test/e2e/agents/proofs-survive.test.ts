// The runner dies while an attempt is being verified. The agent's work is not done again. A check or review that lives is taken over, a lost one
// is repeated. The kept copies of the files go when it is judged.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { killForGood, type Started, Workspace } from '../rig.ts';

const held = (name: string, then: string) =>
  `echo x >> ${name}.begun; touch ${name}.up; until test -e ${name}.go; do sleep 0.02; done; ${then}`;
const approves = `echo '{"verdict":"approved"}'`;

const workspace = (check: string, judge: string) =>
  new Workspace({
    'signalbox.yaml':
      'review-agent: judge\nagents:\n  author: {kind: command, command: [sh, author.sh]}\n  judge: {kind: command, command: [sh, judge.sh]}\n',
    'plan.yaml': 'tasks:\n  a: {agent: author, files: [out.txt], check: exec sh check.sh, review: agent}\n',
    'out.txt': 'before\n',
    'author.sh': 'echo $SIGNALBOX_ATTEMPT >> out.txt',
    'check.sh': check,
    'judge.sh': judge,
  });

const kept = (w: Workspace) =>
  w.has('.signalbox/before')
    ? readdirSync(join(w.folder, '.signalbox/before')).filter((name) => !name.startsWith('.'))
    : [];

async function killed(run: Started): Promise<void> {
  run.kill('SIGKILL');
  await run.ended;
}

/** Ends what a dead runner's worker still does: the shell that waits, by what it wrote about itself. */
const endHeld = (w: Workspace, name: string) => process.kill(Number(w.read(`${name}.pid`)), 'SIGKILL');

describe.each([
  ['check', 'check-ended', held('c', 'true'), approves, 'c'],
  ['review', 'review-ended', 'true', held('r', approves), 'r'],
] as const)('a runner that is killed during a %s', (_, type, check, judge, name) => {
  it('leaves it to the next one, which takes it over while it lives', async () => {
    const w = workspace(check, judge);
    const first = w.start('run', 'plan.yaml', '--json');
    await w.appears(`${name}.up`);
    await killed(first);
    expect(kept(w)).toHaveLength(1);
    const second = w.start('run', 'plan.yaml', '--json');
    await second.line((line) => line.type === 'run-started');
    w.write(`${name}.go`, '');
    const { code, lines } = await second.ended;
    expect(code).toBe(0);
    expect(lines.filter((line) => line.type === 'attempt-scheduled')).toEqual([]);
    expect(lines.filter((line) => line.type === type)).toHaveLength(1);
    expect([w.read('out.txt'), w.read(`${name}.begun`)]).toEqual(['before\na#1\n', 'x\n']);
    expect(kept(w)).toEqual([]);
  });

  it('has it done again when it was lost', async () => {
    const w = workspace(`echo $$ > c.pid; ${check}`, `echo $$ > r.pid; ${judge}`);
    const first = w.start('run', 'plan.yaml', '--json');
    await w.appears(`${name}.up`);
    // The worker that would write down how it ended goes with it.
    const stat = readFileSync(`/proc/${w.read(`${name}.pid`).trim()}/stat`, 'utf8');
    const worker = Number(stat.split(') ')[1]!.split(' ')[1]);
    first.kill('SIGKILL');
    await first.ended;
    await killForGood(worker);
    endHeld(w, name);
    w.write(`${name}.go`, '');
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(0);
    expect(lines.filter((line) => line.type === 'attempt-scheduled')).toEqual([]);
    expect(lines.filter((line) => line.type === type).map(({ result }) => result)).toEqual([
      'interrupted',
      type === 'check-ended' ? 'passed' : 'approved',
    ]);
    expect([w.read('out.txt'), w.read(`${name}.begun`)]).toEqual(['before\na#1\n', 'x\nx\n']);
    expect(kept(w)).toEqual([]);
  });

  it('and one that is stopped by Ctrl-C twice: the next goes on with it', async () => {
    const w = workspace(check, judge);
    const first = w.start('run', 'plan.yaml', '--json');
    await w.appears(`${name}.up`);
    first.kill('SIGINT');
    await first.line((line) => line.type === 'run-stopping' && line.mode === 'drain');
    first.kill('SIGINT');
    expect((await first.ended).code).toBe(130);
    w.write(`${name}.go`, '');
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(0);
    expect(lines.filter((line) => line.type === 'attempt-scheduled')).toEqual([]);
    expect([w.read('out.txt'), w.read(`${name}.begun`)]).toEqual(['before\na#1\n', 'x\nx\n']);
    expect(kept(w)).toEqual([]);
  });
});

it('what was kept for an attempt that nobody needs any more is gone after the next run', async () => {
  const w = workspace('true', approves);
  await w.run('run', 'plan.yaml');
  const [store] = readdirSync(join(w.folder, '.signalbox/attempts'));
  w.write(`.signalbox/before/${store}-77/content/x`, 'x');
  await w.run('run', 'plan.yaml');
  expect(kept(w)).toEqual([]);
});
