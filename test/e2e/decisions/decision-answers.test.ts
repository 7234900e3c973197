// What becomes of an answer: it is kept with everything that was said, and a person can go on from it with one command.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const plan = `---
order: explicit
retries: 0
---
- [ ] a: Make it
  - run: \`test -f ok\`
- [ ] b: Use it → a
  - run: \`true\`
`;

async function stuck(): Promise<Workspace> {
  const w = new Workspace({ 'plan.md': plan });
  expect((await w.run('run', 'plan.md')).code).toBe(5);
  return w;
}

describe('the history', () => {
  it('keeps the note of a retry, beside its reason', async () => {
    const w = await stuck();
    const said = ['--note', 'use the test database', '--reason', 'the other one is down'];
    expect((await w.run('decide', 'd1', 'retry-with-note', ...said)).code).toBe(0);
    const { json } = await w.run('decide', '--history', '--json');
    expect(json.decisions[0].answer).toMatchObject({
      choice: 'retry-with-note',
      note: 'use the test database',
      reason: 'the other one is down',
    });
    expect((await w.run('decide', '--history')).out).toContain('note: use the test database');
  });

  it('keeps the agent that was chosen instead', async () => {
    const agents = 'agents:\n  other: { kind: command, command: ["true"] }\n';
    const w = new Workspace({ 'plan.md': plan, 'signalbox.yaml': agents });
    expect((await w.run('run', 'plan.md')).code).toBe(5);
    expect((await w.run('decide', 'd1', 'other-agent', '--agent', 'other')).code).toBe(0);
    expect((await w.run('decide', '--history', '--json')).json.decisions[0].answer).toMatchObject({ agent: 'other' });
  });
});

describe('other-agent', () => {
  it('is refused where the program of the agent is missing, as a run would refuse it', async () => {
    const w = await stuck();
    const refused = await w.runWith({ PATH: '/nowhere' }, 'decide', 'd1', 'other-agent', '--agent', 'claude');
    expect(refused).toMatchObject({
      code: 7,
      err: expect.stringMatching(/the program claude of the agent claude is not on the PATH\n.*npm install --global/),
    });
    expect((await w.run('decide', '--json')).json.decisions).toMatchObject([{ id: 'd1' }]);
  });

  it('costs nothing where no attempt of it could start', async () => {
    const w = new Workspace({
      'signalbox.yaml': 'agents:\n  claude: { command: ./fake }\n',
      'plan.md':
        '- [ ] a: Go\n  - run: `rm fake`\n- [ ] b: Write → a\n  - agent: claude\n- [ ] c: More → b\n  - run: `true`\n',
    });
    w.write('fake', '#!/bin/sh\n');
    chmodSync(join(w.folder, 'fake'), 0o755);
    const { code, out } = await w.run('run', 'plan.md', '--isolation', 'shared');
    expect([code, out]).toEqual([
      5,
      expect.stringMatching(/stuck after [^,]*: 1 task cannot start because b failed\n/),
    ]);
    expect((await w.run('cost')).out).toBe('No attempt of a coding agent has ended here.\n');
  });
});

describe('fix', () => {
  it.each([
    ['run --retry', ['run', 'plan.md', '--retry', 'a']],
    ['retry', ['retry', 'a', '--plan', 'plan.md']],
  ])('is over with %s: the repaired task gets its next attempt', async (_, command) => {
    const w = await stuck();
    expect((await w.run('decide', 'd1', 'fix')).code).toBe(0);
    w.write('ok', '');
    const { code, err } = await w.run(...command);
    expect([code, err]).toEqual([0, '']);
    expect((await w.run('run', 'plan.md')).code).toBe(0);
    expect(await w.status()).toEqual({ a: 'completed', b: 'completed' });
  });

  it('leaves a task that was only suspended to be resumed', async () => {
    const w = new Workspace({ 'plan.md': plan });
    expect((await w.run('suspend', 'a', '--plan', 'plan.md')).code).toBe(0);
    const { code, err } = await w.run('retry', 'a', '--plan', 'plan.md');
    expect([code, err]).toEqual([2, expect.stringContaining('a is suspended')]);
  });
});
