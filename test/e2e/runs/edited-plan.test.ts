// A plan whose words were edited: what an agent would be told is never taken in silence.
import { expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const agent = 'agent: scribe\nagents: { scribe: { kind: command, command: [sh, -c, "cat >> told"] } }\n';
const plan = '# Plan\n## One\n- [ ] a: Delete staging\n- [ ] b: Tell → a\n  - Say it kindly.\n';

it('sees other words, and takes them with a word', async () => {
  const w = new Workspace({ 'plan.md': plan, 'signalbox.yaml': agent });
  await w.run('set', 'plan.md');
  expect((await w.run('sync-check')).out).toBe('plan.md has not changed since it was loaded\n');
  w.write('plan.md', plan.replace('staging', 'production').replace('kindly', 'loudly').replace('One', 'Two'));
  expect((await w.run('sync-check', '--json')).json).toMatchObject({
    inSync: false,
    changed: ['a', 'b'],
    planChanges: ['phases'],
    run: 'takes',
  });
  expect((await w.run('sync-check')).out).toBe(
    'plan.md was edited since it was loaded\n  changed: a and b\n  changed in the whole plan: phases\n' +
      'signalbox run uses the new text, and so does signalbox reload plan.md\n',
  );
  const { code, out } = await w.run('run');
  expect(code).toBe(0);
  expect(out).toContain('is taken as it is now (changed: a, b; changed in the whole plan: phases)\n');
  expect(w.read('told')).toContain('production');
  w.write('plan.md', plan.replace('# Plan', '# The plan'));
  expect((await w.run('reload')).out).toBe(
    'plan.md was reloaded\n  changed: a and b\n  changed in the whole plan: title and phases\n',
  );
  expect((await w.run('reload')).out).toBe('plan.md was reloaded: nothing has changed\n');
  // A mended typo in what has ended is no reason to refuse.
  w.write('plan.md', plan.replace('Tell', 'Tell it'));
  const again = await w.run('run');
  expect([again.code, again.out]).toEqual([
    0,
    expect.stringContaining('(changed: b; changed in the whole plan: title)'),
  ]);
});

it('does not put other words to a task that somebody works on: they are for its next attempt', async () => {
  const w = new Workspace({ 'plan.md': plan, 'signalbox.yaml': agent });
  await w.run('mark-started', 'a', '--plan', 'plan.md');
  w.write('plan.md', plan.replace('staging', 'production'));
  expect((await w.run('sync-check', '--json')).json).toMatchObject({ nextAttempt: ['a'], conflicts: [], run: 'takes' });
  const { code, out } = await w.run('run');
  expect([code, out]).toEqual([4, expect.stringContaining('changed while running, for the next attempt: a')]);
  await w.run('mark-failed', 'a', '--error', 'no');
  await w.run('retry', 'a');
  await w.run('run');
  expect(w.read('told')).toContain('production');
});
