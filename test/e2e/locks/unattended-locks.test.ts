// The locks of an attempt whose run was killed: whoever waits for them is told who has them, that it is dead, and what frees them.
import { expect, it } from 'vitest';
import { killForGood, Workspace } from '../rig.ts';

const plan = `
tasks:
  a:
    run: |
      if [ -e again ]; then exit 0; fi
      echo half > a.txt && echo $$ $PPID > pids && touch up
      until [ -e go ]; do sleep 0.05; done
    files: [a.txt]
`;
const frees = 'which is dead: signalbox run plan.yaml frees it';

it('is told in every place, and true', async () => {
  const w = new Workspace({
    'plan.yaml': plan,
    'a.txt': 'old\n',
    'b.yaml': 'tasks: {b: {run: echo, files: [a.txt]}}\n',
  });
  const run = w.start('run', 'plan.yaml', '--json');
  await run.line(({ type }) => type === 'attempt-started');
  await w.appears('up');
  const ask = (how: string, ...more: string[]) => w.run('lock', how, 'a.txt', '--agent', 'ann', ...more);
  expect((await ask('try')).err).toMatch(/^a\.txt has been held by a#1 for \d+ s\n$/);
  run.kill('SIGKILL');
  await run.ended;
  expect((await ask('try')).err).toMatch(/by a#1 for \d+ s, which no run watches: signalbox run plan\.yaml does\n$/);
  const [task, worker] = w.read('pids').split(' ').map(Number);
  await Promise.all([worker!, task!].map(killForGood));
  expect((await ask('try')).err).toContain(frees);
  expect((await ask('wait', '--timeout', '0')).err).toContain(frees);
  expect((await w.run('lock', 'check', 'a.txt')).out).toContain(frees);
  expect((await w.run('lock', 'list')).out).toContain(frees);
  expect((await w.run('lock', 'list', '--json')).json.holds).toMatchObject([{ unattended: { is: 'dead' } }]);
  await w.run('set', 'b.yaml');
  expect((await w.run('why', 'b')).out).toMatch(
    /held by a#1, for \d+ s, which is dead: signalbox run plan\.yaml frees it\./,
  );
  w.write('again', '');
  expect((await w.run('run', 'plan.yaml')).code).toBe(0);
  expect((await ask('try')).code).toBe(0);
  expect(w.read('a.txt')).toBe('old\n');
});

it('who waits for the review of a person is not dead', async () => {
  const w = new Workspace({ 'plan.yaml': 'tasks: {a: {run: "true", files: [a.txt], review: human}}\n' });
  expect((await w.run('run', 'plan.yaml')).code).toBe(4);
  const waits = 'which waits for an answer: signalbox decide';
  expect((await w.run('lock', 'list')).out).toContain(waits);
  expect((await w.run('lock', 'try', 'a.txt', '--agent', 'ann')).err).toContain(waits);
  expect((await w.run('decide')).out).toContain('a#1');
  expect((await w.run('approve', 'a')).code).toBe(0);
  expect((await w.run('lock', 'try', 'a.txt', '--agent', 'ann')).code).toBe(0);
});
