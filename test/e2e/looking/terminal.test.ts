// At a terminal: what a run finds is said and offered, open questions are asked at its end, and a new run goes on from the answers.
import { describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';
import { atTerminal, ctrlC } from '../terminal.ts';

const plan = `---
order: explicit
retries: 0
---
# Shop
- [ ] db: Make the schema
  - run: \`test -f ok\`
- [ ] api: Build → db
  - run: \`true\`
- [ ] lint: Lint
  - run: \`true\`
`;

const repaired = plan.replace('test -f ok', 'echo "$SIGNALBOX_ATTEMPT" >> tries; test "$(cat tries | wc -l)" -gt 1');

describe('a run that comes to its end with questions', () => {
  it('asks them, takes the answer through the same door, and goes on', async () => {
    const w = new Workspace({ 'plan.md': repaired });
    const { code, screen } = await atTerminal(w, ['run', 'plan.md'], ['1']);
    expect(screen).toContain('Task db failed. This blocks api.');
    expect(screen).toMatch(/ 1 {2}retry {12}try it once more\n/);
    expect(screen).toContain('d1 was decided by tester: retry');
    expect(screen).toContain('✔ complete: 3 tasks');
    expect(code).toBe(0);
    const { json } = await w.run('decide', '--history', '--json');
    expect(json.decisions).toMatchObject([{ id: 'd1', answer: { choice: 'retry', by: 'tester', affected: ['db'] } }]);
  });

  it('asks for the note where one is needed; enter leaves the next question open, with the code of the last run', async () => {
    const w = new Workspace({ 'plan.md': plan });
    const answers = ['retry-with-note', 'create the file ok', ''];
    const { code, screen, asked } = await atTerminal(w, ['run', 'plan.md'], answers);
    expect(asked).toBe(3);
    expect(screen).toContain('db gets one more attempt from tester: create the file ok');
    expect(code).toBe(5);
    expect((await w.run('decide', '--json')).json.decisions).toMatchObject([{ id: 'd2', task: 'db' }]);
  });

  it('leaves everything open on Ctrl-C, and exits with the code of the run', async () => {
    const w = new Workspace({ 'plan.md': plan });
    const { code, asked } = await atTerminal(w, ['run', 'plan.md'], [ctrlC]);
    expect([code, asked]).toEqual([5, 1]);
    expect((await w.run('decide', '--json')).json.decisions).toMatchObject([{ id: 'd1' }]);
  });

  it('starts no new run after a fix, and says how to go on', async () => {
    const w = new Workspace({ 'plan.md': plan });
    const { code, screen } = await atTerminal(w, ['run', 'plan.md'], ['nonsense', 'fix']);
    expect(screen).toContain('nonsense is not one of them');
    expect(screen).toContain('when it is repaired: signalbox resume db --plan plan.md');
    expect(code).toBe(5);
    w.write('ok', '');
    expect((await w.run('resume', 'db')).code).toBe(0);
    expect((await w.run('run', 'plan.md')).code).toBe(0);
  });

  it('asks for a review, and tells the next attempt what is wrong', async () => {
    const review = '- [ ] a: Write\n  - run: `cat; echo x >> a.txt`\n  - review: human\n';
    const w = new Workspace({ 'plan.md': review });
    const { code, screen } = await atTerminal(w, ['run', 'plan.md'], ['reject', 'too short', 'approve']);
    expect(screen).toContain("a#1 waits for a person's review.");
    expect(screen).toContain('a#2 was approved by tester');
    expect(code).toBe(0);
    expect(w.read('a.txt')).toBe('x\nx\n');
  });
});

describe('a run of a plan with a history', () => {
  it('offers to continue, to retry what failed, and to show everything', async () => {
    const w = new Workspace({ 'plan.md': plan });
    expect((await w.run('run', 'plan.md')).code).toBe(5);
    w.write('ok', '');
    const { code, screen } = await atTerminal(w, ['run', 'plan.md'], ['show', '2']);
    expect(screen).toContain('✖ db failed: exited with code 1; this blocks api (d1 needs a decision)');
    expect(screen).toContain('1 of 3 tasks completed · 1 failed · 1 blocked');
    expect(screen).toContain('db gets one more attempt from tester');
    expect(code).toBe(0);
  });

  it('does nothing when the person leaves by Ctrl-C', async () => {
    const w = new Workspace({ 'plan.md': plan });
    await w.run('run', 'plan.md');
    const before = (await w.run('events', '--json')).lines.length;
    expect((await atTerminal(w, ['run', 'plan.md'], [ctrlC])).code).toBe(130);
    expect((await w.run('events', '--json')).lines).toHaveLength(before);
  });

  it('asks nothing with --json, and nothing where --retry says what to do', async () => {
    const w = new Workspace({ 'plan.md': plan });
    await w.run('run', 'plan.md');
    expect(await atTerminal(w, ['run', 'plan.md', '--json'], [])).toMatchObject({ code: 5, asked: 0 });
    w.write('ok', '');
    expect(await atTerminal(w, ['run', 'plan.md', '--retry', 'db'], [])).toMatchObject({ code: 0, asked: 0 });
  });
});

describe('set without a plan', () => {
  const files = {
    'plan.md': '- [ ] a: A\n- [ ] b: B\n',
    'docs/plans/shop.md': '- [ ] c: C\n',
    'docs/plans/notes.md': 'Nothing to be done.\n',
    'sub/x': '',
  };
  const current = (w: Workspace) => w.read('.claude/current-plan.txt');

  it('lets a person choose from the plans that are there, and makes the state of the one that is chosen', async () => {
    const w = new Workspace(files);
    const { code, screen, asked } = await atTerminal(w, ['set'], ['7', 'notes.md', '2']);
    expect([code, asked]).toEqual([0, 3]);
    expect(screen).toContain('Plans found:\n  1  plan.md             new\n  2  docs/plans/shop.md  new\n');
    expect(screen).not.toContain('  3  ');
    expect(screen).toContain('7 is not one of them');
    expect(screen).toContain('notes.md is not one of them');
    expect(screen).toContain('docs/plans/shop.md is the current plan now');
    expect(current(w)).toBe('docs/plans/shop.md\n');
    const status = JSON.parse(w.read('docs/plan-outputs/shop/status.json'));
    expect(status).toMatchObject({ planPath: 'docs/plans/shop.md', summary: { totalTasks: 1, pending: 1 } });
    // What is known comes first, with how far it is.
    await w.run('mark-complete', 'c');
    const again = await atTerminal(w, ['set'], ['plan.md']);
    expect(again.screen).toContain(
      ' 1  docs/plans/shop.md  1 of 1 done, the current one\n  2  plan.md             new\n',
    );
    expect([again.code, current(w)]).toEqual([0, 'plan.md\n']);
  });

  it.each([
    ['enter', ''],
    ['Ctrl-C', ctrlC],
  ])('changes nothing on %s', async (_, answer) => {
    const w = new Workspace(files);
    const { code, screen } = await atTerminal(w, ['set'], [answer]);
    expect([code, screen]).toEqual([130, expect.stringContaining('nothing was chosen')]);
    expect([w.has('.claude'), w.has('.signalbox'), w.has('docs/plan-outputs')]).toEqual([false, false, false]);
  });

  it('asks nothing with --json', async () => {
    const w = new Workspace(files);
    expect(await atTerminal(w, ['set', '--json'], [])).toMatchObject({ code: 2, asked: 0 });
  });
});
