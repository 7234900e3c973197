// Commands that are printed in a folder below the root of the workspace work there as they are printed.
import { expect, it } from 'vitest';
import { killForGood, Workspace } from '../rig.ts';

const failing = '- [ ] a: Fail\n  - run: `exit 1`\n  - retries: 0\n- [ ] b: Wait → a\n  - run: `true`\n';
const fine = '- [ ] a: Work\n  - run: `true`\n';

it.each<[string, string, string[][], string[]]>([
  ['the run after an answer', failing, [['decide', 'd1', 'retry']], ['run', 'plan.md']],
  ['resume after an answer', failing, [['decide', 'd1', 'fix']], ['resume', 'a', '--plan', 'plan.md']],
  ['the undo of an answer', failing, [['decide', 'd1', 'treat-as-done']], ['retry', 'a', '--plan', 'plan.md']],
  ['the run after restructuring', failing, [['decide', 'd1', 'restructure', '--drop-need', 'b:a']], ['run', 'plan.md']],
  ['worktrees for the next run', fine, [['land', 'plan.md']], ['run', 'plan.md', '--isolation', 'worktree']],
  ['the plan to choose', fine, [['set']], ['set', 'plan.md']],
  ['the plan to check', fine, [['check', 'plan.md']], ['run', 'plan.md']],
  ['the plan to rewrite', `${fine}\n\n`, [['fmt', 'plan.md', '--check']], ['fmt', 'plan.md', '--write']],
])('%s', async (_, plan, typed, printed) => {
  const w = new Workspace({ 'opt/plan.md': plan, 'signalbox.yaml': '' });
  if (typed[0]![0] !== 'check' && typed[0]![0] !== 'fmt') await w.runIn('opt', {}, 'run', 'plan.md');
  let said = '';
  for (const args of typed) {
    const { out, err } = await w.runIn('opt', {}, ...args);
    said += out + err;
  }
  expect(said).toContain(`signalbox ${printed.join(' ')}\n`);
  expect((await w.runIn('opt', {}, ...printed)).err).not.toContain('there is no file');
});

it.each<[string, string[]]>([
  ['logs', ['logs', 'a']],
  ['events', ['events']],
  ['diff', ['diff', 'a']],
  ['attach', ['attach']],
  ['land', ['land']],
])('%s of a plan that was never run says how to run it', async (_, args) => {
  const w = new Workspace({ 'opt/plan.md': fine, 'signalbox.yaml': '' });
  const { out, err } = await w.runIn('opt', {}, ...args, '--plan', 'plan.md');
  expect(out + err).toContain('signalbox run plan.md\n');
});

it('doctor says how to go on with a run that died', async () => {
  const w = new Workspace({
    'opt/plan.md': '- [ ] a: Wait\n  - run: `while [ ! -e go ]; do sleep 0.02; done`\n',
    'signalbox.yaml': '',
  });
  const run = w.start('run', 'opt/plan.md', '--json');
  await run.line(({ type }) => type === 'attempt-started');
  await killForGood(run.pid);
  expect((await w.runIn('opt', {}, 'doctor')).out).toContain('takes them over: signalbox run plan.md\n');
  w.write('go', '');
  expect((await w.runIn('opt', {}, 'run', 'plan.md')).code).toBe(0);
});
