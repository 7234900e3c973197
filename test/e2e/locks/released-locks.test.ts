// An attempt gives a lock back early, somebody else takes the file, and then the attempt is stopped to end a deadlock.
import { expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const plan = `
max-parallel: 2
tasks:
  a: {run: "signalbox lock wait x && touch has-x && until [ -e has-y ]; do sleep 0.05; done && signalbox lock wait y"}
  b:
    run: |
      if [ -e has-y ]; then exit 0; fi
      signalbox lock wait f.txt && echo mine > f.txt && signalbox lock release f.txt && touch released
      until [ -e taken ]; do sleep 0.05; done
      signalbox lock wait y own.txt && echo half > own.txt && touch has-y
      until [ -e has-x ]; do sleep 0.05; done
      signalbox lock wait x
`;

it.each(['theirs\n', 'mine\n'])('the file stays as its new owner has it: %j', async (text) => {
  const w = new Workspace({ 'plan.yaml': plan, 'f.txt': 'old\n', 'own.txt': 'old\n' });
  const run = w.start('run', 'plan.yaml', '--json');
  await w.appears('released');
  expect((await w.run('lock', 'try', 'f.txt', '--agent', 'ann')).code).toBe(0);
  w.write('f.txt', text);
  w.write('taken', '');
  const { code, lines } = await run.ended;
  expect(code).toBe(0);
  expect(lines.find(({ type }) => type === 'deadlock-detected')).toMatchObject({ victim: 'b#1' });
  expect(lines.find(({ type }) => type === 'work-saved')).toMatchObject({ files: 1 });
  expect([w.read('f.txt'), w.read('own.txt')]).toEqual([text, 'old\n']);
});
