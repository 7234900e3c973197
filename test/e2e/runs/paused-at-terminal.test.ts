// `pause` keeps a run at a terminal waiting until `resume`; elsewhere it ends with 6. `--yes` asks nothing and answers nothing.
import { expect, it } from 'vitest';
import { Workspace } from '../rig.ts';
import { atTerminal } from '../terminal.ts';

const plan = `- [ ] a: Wait
  - run: \`touch begun; while [ ! -e go ]; do sleep 0.02; done\`
- [ ] b: Go on → a
  - run: \`touch done\`
`;
const types = async (w: Workspace): Promise<string[]> =>
  (await w.run('events', '--json')).lines.map(({ type }) => type);

/** The end of the run would be recorded together with that of its last attempt. */
async function paused(w: Workspace): Promise<void> {
  await w.appears('begun');
  await w.run('pause', '--reason', 'lunch');
  w.write('go', '');
  await expect.poll(() => types(w), { timeout: 20_000, interval: 20 }).toContain('task-completed');
}

it('a run at a terminal waits while it is paused, and goes on when it is resumed', async () => {
  const w = new Workspace({ 'plan.md': plan });
  const session = atTerminal(w, ['run', 'plan.md'], []);
  await paused(w);
  expect([await types(w), w.has('done')]).toEqual([expect.not.arrayContaining(['run-ended']), false]);
  await w.run('resume');
  const { code, screen } = await session;
  expect([code, w.has('done')]).toEqual([0, true]);
  expect(screen).toContain('it waits for: signalbox resume');
});

it('it can be stopped while it waits', async () => {
  const w = new Workspace({ 'plan.md': plan });
  const session = atTerminal(w, ['run', 'plan.md'], []);
  await paused(w);
  expect((await w.run('stop')).code).toBe(0);
  expect((await session).code).toBe(143);
});

it('a run without a terminal ends with 6', async () => {
  const w = new Workspace({ 'plan.md': plan });
  const run = w.start('run', 'plan.md');
  await paused(w);
  expect(await run.ended).toMatchObject({ code: 6, out: expect.not.stringContaining('it waits') });
});

it('--yes asks nothing, neither before the run nor at its end, and leaves decisions open', async () => {
  const w = new Workspace({
    'plan.md': '- [ ] a: Fail\n  - run: `exit 1`\n  - retries: 0\n- [ ] b: Go on → a\n  - run: `true`\n',
  });
  for (const _ of ['first', 'second'])
    expect(await atTerminal(w, ['run', 'plan.md', '--yes'], [])).toMatchObject({ code: 5, asked: 0 });
  expect((await w.run('decide', '--json')).json.decisions).toMatchObject([{ task: 'a' }]);
  expect(await atTerminal(w, ['run', '--fresh', '--yes'], [])).toMatchObject({ code: 5, asked: 0 });
});
