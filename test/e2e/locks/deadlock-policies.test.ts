// Deadlocks through the real program, beyond the plain ring: whom the settings choose, two at once, one that will not die, and one that
// is no deadlock because its holder only sleeps.
import { describe, expect, it } from 'vitest';
import { type Line, Workspace } from '../rig.ts';

/** Has its own, waits until the other has theirs, and wants that too. */
const takes = (own: string, other: string, first = '') =>
  `${first}signalbox lock wait ${own} && touch has-${own} && while [ ! -e has-${other} ]; do sleep 0.05; done; signalbox lock wait ${other} --timeout 100`;
const plan = (atOnce: number, tasks: Record<string, string>) =>
  `max-parallel: ${atOnce}\nretries: 2\ntasks:\n${Object.entries(tasks)
    .map(([id, run]) => `  ${id}: {run: "${run}"}\n`)
    .join('')}`;
const ofType = (lines: readonly Line[], type: string) => lines.filter((line) => line.type === type);

describe('the victim', () => {
  // The first one fails once: it keeps the age of its first start, but its present attempt is the younger.
  const failsOnce = 'if [ ! -e once ]; then touch once; exit 1; fi; ';
  it.each([
    ['youngest', 'y#1'],
    ['least-progress', 'x#2'],
  ])('by the policy %s is %s, and all complete', async (policy, victim) => {
    const w = new Workspace({
      'signalbox.yaml': `deadlock: { victim: ${policy} }\n`,
      'plan.yaml': plan(2, { x: takes('a', 'b', failsOnce), y: takes('b', 'a') }),
    });
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(0);
    expect(ofType(lines, 'deadlock-detected')).toMatchObject([
      { victim, cycle: expect.arrayContaining(['x#2', 'y#1']) },
    ]);
  });

  it('that refuses to die is killed, and the other goes on with its lock', async () => {
    const stubborn = (own: string, other: string) =>
      `trap '' TERM INT HUP; ${takes(own, other)} || while true; do sleep 1; done`;
    const w = new Workspace({ 'plan.yaml': plan(2, { x: stubborn('a', 'b'), y: stubborn('b', 'a') }) });
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(0);
    const [{ victim, blockedOn, seq }] = ofType(lines, 'deadlock-detected');
    const [end] = ofType(lines, 'attempt-ended').filter(({ attempt }) => attempt === victim);
    expect(end.end).toMatchObject({ kind: 'killed' });
    const own = blockedOn === 'a' ? 'b' : 'a';
    const [next] = ofType(lines, 'lock-acquired').filter((line) => line.seq > seq && line.resource === own);
    expect(next.seq).toBeGreaterThan(end.seq);
    expect(next.attempt).not.toBe(victim);
  });
});

it('two at once have a victim each', async () => {
  const w = new Workspace({
    'plan.yaml': plan(4, { ab: takes('a', 'b'), ba: takes('b', 'a'), cd: takes('c', 'd'), dc: takes('d', 'c') }),
  });
  const { code, lines } = await w.run('run', 'plan.yaml', '--json');
  expect(code).toBe(0);
  const cycles = ofType(lines, 'deadlock-detected').map(({ cycle }) => [...cycle].sort().join(' '));
  expect(cycles.sort()).toEqual(['ab#1 ba#1', 'cd#1 dc#1']);
});

it('who is only stopped keeps the lock, and nobody is a victim', async () => {
  const w = new Workspace({
    'plan.yaml': plan(1, {
      x: 'echo $$ > pid; signalbox lock wait a && touch has-a && while [ ! -e go ]; do sleep 0.05; done',
    }),
  });
  const run = w.start('run', 'plan.yaml', '--json');
  await w.appears('has-a');
  const pid = Number(w.read('pid'));
  process.kill(pid, 'SIGSTOP');
  const waited = await w.run('lock', 'wait', 'a', '--agent', 'ann', '--timeout', '2', '--json');
  expect([waited.code, waited.json.holders]).toEqual([1, [expect.objectContaining({ owner: 'x#1', resource: 'a' })]]);
  process.kill(pid, 'SIGCONT');
  w.write('go', '');
  const { code, lines } = await run.ended;
  expect([code, ofType(lines, 'deadlock-detected')]).toEqual([0, []]);
});
