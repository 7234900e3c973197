// A plan that an agent wrote runs only after a person has approved it, whatever command would make something of it run.
import { describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';
import { atTerminal, ctrlC } from '../terminal.ts';

const written =
  '# Made\n\n- [x] a: Before\n  - check: `echo evil >> a.txt`\n- [ ] b: Next\n  - run: `echo evil >> b.txt`\n';
const agent = `#!/bin/sh\ncat > /dev/null\ncat <<'END'\n${written}END\n`;
const settings = 'agents: { me: { kind: command, command: [sh, "{workspace}/agent.sh"] } }\nagent: me\n';

async function planned(): Promise<Workspace> {
  const w = new Workspace({ 'agent.sh': agent, 'signalbox.yaml': settings });
  const { code, json, err } = await w.run('plan', 'make', 'it', '--json');
  expect({ code, err, json }).toMatchObject({ code: 0, err: '', json: { outcome: 'written', plan: 'plan.md' } });
  return w;
}

/** Nothing of it was run, and nothing was made of it. */
const expectUntouched = (w: Workspace) =>
  expect([w.has('a.txt'), w.has('b.txt'), w.has('.signalbox')]).toEqual([false, false, false]);

describe('a plan that an agent wrote', () => {
  // What is refused leaves nothing behind, so all may share one.
  let shared: Promise<Workspace> | null = null;

  it.each([
    ['run', 'plan.md'],
    ['run', 'plan.md', '--retry', 'b'],
    ['verify', '--plan', 'plan.md'],
    ['mark-complete', 'a', '--plan', 'plan.md'],
    ['mark-started', 'b', '--plan', 'plan.md'],
    ['start-run', 'plan.md'],
    ['set', 'plan.md'],
    ['reload', 'plan.md'],
  ])('%s is exit 4, and says how it is approved', async (...argv) => {
    shared ??= planned();
    const w = await shared;
    const { code, err } = await w.run(...argv);
    expect({ code, err }).toEqual({ code: 4, err: expect.stringContaining('signalbox approve plan.md') });
    expectUntouched(w);
  });

  it.each([
    ['reset', 'plan.md', '--yes'],
    ['run', 'plan.md', '--fresh'],
  ])('that took the place of one that has run: %s is exit 4, and keeps what was recorded', async (...argv) => {
    const w = new Workspace({
      'agent.sh': agent,
      'signalbox.yaml': settings,
      'plan.md': '- [ ] b: Own\n  - run: `true`\n',
    });
    expect((await w.run('run', 'plan.md')).code).toBe(0);
    expect((await w.run('plan', 'make', 'it', '--out', 'plan.md', '--force')).code).toBe(0);
    expect((await w.run(...argv)).code).toBe(4);
    expect((await w.run('run', 'plan.md')).code).toBe(4);
    expect([w.has('a.txt'), w.has('b.txt')]).toEqual([false, false]);
    expect((await w.run('events', '--json')).lines.map(({ type }) => type)).not.toContain('plan-reset');
  });

  it('is looked at all the same, with a note', async () => {
    const w = await planned();
    expect((await w.run('check', 'plan.md', '--json')).json).toMatchObject({ ok: true, approval: 'unapproved' });
    expect((await w.run('check', 'plan.md')).out).toContain('nobody has approved it: signalbox approve plan.md');
    expect((await w.run('run', 'plan.md', '--dry-run')).out).toContain('nobody has approved it');
    expect((await w.run('status', 'plan.md')).code).toBe(0);
    expectUntouched(w);
  });

  it('shows every command where it is refused, and runs when it is approved', async () => {
    const w = await planned();
    const refused = await w.run('run', 'plan.md');
    expect(refused.err).toContain('  check     echo evil >> a.txt  (a)\n  run       echo evil >> b.txt  (b)\n');
    expect((await w.run('run', 'plan.md', '--json')).json).toMatchObject({ type: 'error', exitCode: 4 });
    const approved = await w.run('approve', 'plan.md', '--json');
    expect(approved.json).toMatchObject({ standing: 'approved', agent: 'me', approved: { by: 'tester' } });
    expect((await w.run('approve', 'plan.md')).out).toContain('was approved before, by tester');
    expect((await w.run('run', 'plan.md')).code).toBe(0);
    expect(w.read('b.txt')).toBe('evil\n');
    expect((await w.run('verify', '--plan', 'plan.md')).code).toBe(0);
  });

  it('is asked about once at a terminal', async () => {
    const w = await planned();
    for (const answer of ['', 'no', ctrlC]) {
      const { code, screen, asked } = await atTerminal(w, ['run', 'plan.md'], [answer]);
      expect({ code, asked, screen }).toEqual({
        code: 4,
        asked: 1,
        screen: expect.stringContaining('Nothing was run.'),
      });
      expect(screen).toContain('  run       echo evil >> b.txt  (b)\n');
    }
    expectUntouched(w);
    const { code, asked, screen } = await atTerminal(w, ['run', 'plan.md'], ['yes']);
    expect({ code, asked }).toEqual({ code: 0, asked: 1 });
    expect(screen).toContain('✔ complete');
    expect((await w.run('approve', 'plan.md', '--json')).json).toMatchObject({ approved: { by: 'tester' } });
  });

  it('run --approve approves and runs', async () => {
    const w = await planned();
    const { code, out } = await w.run('run', 'plan.md', '--approve');
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('plan.md, written by me, is approved') });
    // An edit of the person needs none.
    w.write('plan.md', written.replace('b: Next', 'c: More'));
    expect((await w.run('run', 'plan.md')).code).toBe(0);
  });

  it('is known under another name, with another title and in another form', async () => {
    const w = await planned();
    w.write('copy.md', w.read('plan.md'));
    expect((await w.run('run', 'copy.md')).code).toBe(4);
    w.write('plan.md', w.read('plan.md').replace('# Made', '# Mine').replace('b: Next', 'b:   Nothing'));
    expect((await w.run('run', 'plan.md')).code).toBe(4);
    expect((await w.run('fmt', 'plan.md', '--write')).code).toBe(0);
    expect((await w.run('run', 'plan.md')).code).toBe(4);
    w.write('plan.md', '- [ ] b: Mine\n  - run: `true`\n');
    expect((await w.run('run', 'plan.md')).code).toBe(0);
  });

  it('is not taken by a run that goes on when it comes in place of the plan', async () => {
    const w = await planned();
    const theirs = w.read('plan.md');
    w.write('mine.md', '- [ ] a: Wait\n  - run: `touch begun; until [ -e go ]; do sleep 0.05; done`\n');
    const run = w.start('run', 'mine.md', '--json');
    await w.appears('begun');
    w.write('mine.md', theirs);
    const edit = await run.line(({ type }) => type === 'plan-edited');
    expect(edit).toMatchObject({ result: 'refused', because: expect.stringContaining('nobody has approved it') });
    expect((await w.run('reload', 'mine.md')).code).toBe(4);
    w.write('go', '');
    expect((await run.ended).code).toBe(0);
    expect(w.has('b.txt')).toBe(false);
  });

  it('is approved by nobody but a person', async () => {
    const w = await planned();
    const mine =
      '- [ ] a: Try\n  - run: `signalbox approve plan.md; signalbox run plan.md --approve; true`\n  - produces: text\n';
    w.write('mine.md', mine);
    expect((await w.run('run', 'mine.md')).code).toBe(0);
    expect((await w.run('logs', 'a', '--plan', 'mine.md')).out).toContain('may not do this');
    expect((await w.run('run', 'plan.md')).code).toBe(4);
    expect(w.has('b.txt')).toBe(false);
  });

  it('is told apart from a task of the same name that waits for a review, and from other plans', async () => {
    const w = await planned();
    w.write('mine.md', '- [ ] `plan.md` Review me\n  - run: `true`\n  - review: human\n');
    expect((await w.run('run', 'mine.md')).code).toBe(4);
    const review = await w.run('approve', 'plan.md', '--plan', 'mine.md');
    expect({ code: review.code, err: review.err }).toMatchObject({
      code: 0,
      err: expect.stringContaining('waits for a review'),
    });
    expect((await w.run('run', 'plan.md')).code).toBe(4);
    expect((await w.run('approve', 'mine.md')).out).toContain('is not the work of an agent');
    expect(await w.run('approve', 'none.md')).toMatchObject({ code: 2, err: expect.stringContaining('none.md') });
  });
});
