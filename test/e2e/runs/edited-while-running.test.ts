// A plan that is edited while it runs, by a person, an editor, or an agent that should not.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Line, type Started, Workspace } from '../rig.ts';

/** Runs until the file `go` is there. */
const held = 'touch started; until [ -e go ]; do sleep 0.02; done';
const task = (id: string, run: string, more = '') => `- [ ] ${id}: Task ${id}${more}\n  - run: \`${run}\`\n`;
const planOf = (...tasks: string[]) => `# Plan\n\n${tasks.join('')}`;
const a = task('a', held);

const edited = (result: string) => (line: Line) => line.type === 'plan-edited' && line.result === result;
const completedIn = ({ lines }: { lines: Line[] }) =>
  lines.filter(({ type }) => type === 'task-completed').map(({ task }) => task);

async function begun(text: string, files: Record<string, string> = {}, ...flags: string[]) {
  const w = new Workspace({ 'plan.md': text, ...files });
  const run = w.start('run', 'plan.md', '--json', ...flags);
  await w.appears('started');
  return { w, run, file: join(w.folder, 'plan.md') };
}

const let_go = async (w: Workspace, run: Started) => {
  w.write('go', '');
  return run.ended;
};

describe('by a person, while commands run', () => {
  it('takes it by itself: new tasks join, changed ones take the new text, removed ones that never started go', async () => {
    const { w, run } = await begun(planOf(a, task('b', 'echo old > b', ' → a'), task('c', 'echo c > c', ' → a')));
    w.write('plan.md', planOf(a, task('b', 'echo new > b', ' → a'), task('d', 'echo d > d', ' → b')));
    expect(await run.line(edited('taken'))).toMatchObject({ added: ['d'], removed: ['c'], changed: ['b'] });
    const end = await let_go(w, run);
    expect([end.code, completedIn(end)]).toEqual([0, ['a', 'b', 'd']]);
    expect([w.read('b'), w.has('c'), w.read('d')]).toEqual(['new\n', false, 'd\n']);
    expect(end.json).toMatchObject({ type: 'outcome', outcome: 'complete', edit: null });
  });

  it('a running task keeps its command and its checks, and its next attempt has the new ones', async () => {
    const first = `${held}; echo first >> did; exit 1`;
    const { w, run } = await begun(planOf(`${task('a', first)}  - check: \`test -e never\`\n  - retries: 1\n`));
    w.write(
      'plan.md',
      planOf(`${task('a', 'echo second >> did')}  - check: \`echo checked >> did\`\n  - retries: 1\n`),
    );
    expect(await run.line(edited('taken'))).toMatchObject({ nextAttempt: ['a'] });
    const end = await let_go(w, run);
    expect([end.code, w.read('did')]).toEqual([0, 'first\nsecond\nchecked\n']);
  });

  it('says at the end that a task was completed with the text that it was started with', async () => {
    const { w, run } = await begun(planOf(a));
    w.write('plan.md', planOf(task('a', 'echo other')));
    await run.line(edited('taken'));
    const end = await let_go(w, run);
    expect([end.code, end.json.oldText]).toEqual([0, ['a']]);
  });

  it.each<[string, string, RegExp]>([
    ['a removed running task', planOf(task('b', 'true')), /^plan\.md:3: a was removed, and is running/],
    ['a mistake', planOf(a, '- [ ] b: B → nobody\n'), /^plan\.md:5: .*nobody/],
    ['a new cycle', planOf(a, task('b', 'true', ' → c'), task('c', 'true', ' → b')), /^plan\.md:\d+: /],
    ['nothing to run', planOf(a, '- [ ] b: B\n'), /b \(plan\.md:5\) has neither run: nor an agent/],
    ['an emptied plan', '', /plan\.md/],
  ])('refuses %s with its line, and goes on with what it had', async (_, text, because) => {
    const { w, run } = await begun(planOf(a, task('b', 'echo b > b', ' → a')));
    w.write('plan.md', text);
    expect((await run.line(edited('refused'))).because).toMatch(because);
    const end = await let_go(w, run);
    expect([end.code, completedIn(end), w.has('b')]).toEqual([0, ['a', 'b'], true]);
    expect(end.json.edit.because).toBeTypeOf('string');
  });

  it('takes at the end what was refused only as long as a task was running', async () => {
    const { w, run } = await begun(planOf(a, task('b', 'true')));
    w.write('plan.md', planOf(task('b', 'true'), task('c', 'echo c > c')));
    await run.line(edited('refused'));
    const end = await let_go(w, run);
    expect([end.code, w.has('c'), end.json.edit]).toEqual([0, true, null]);
  });

  it('--no-reload leaves it, and says so at the end', async () => {
    const { w, run } = await begun(planOf(a), {}, '--no-reload');
    w.write('plan.md', planOf(a, task('b', 'echo b > b')));
    await run.line(edited('waits'));
    const end = await let_go(w, run);
    expect([end.code, w.has('b'), end.json.edit]).toMatchObject([0, false, { added: ['b'] }]);
  });

  it('an edit in the last moment is taken, or said: never a plain "complete" over it', async () => {
    const w = new Workspace({ 'plan.md': planOf(task('a', 'cat next > plan.md')) });
    w.write('next', planOf(task('a', 'cat next > plan.md'), task('b', 'echo b > b')));
    const end = await w.start('run', 'plan.md', '--json').ended;
    expect([end.code, completedIn(end), end.json.edit]).toEqual([0, ['a', 'b'], null]);
  });

  it('a selection stays: what joins is not in it, and a need outside is refused', async () => {
    const { w, run } = await begun(planOf(a, task('b', 'echo b > b', ' → a')), {}, '--only', 'a,b');
    w.write('plan.md', planOf(a, task('b', 'echo b > b', ' → a, c'), task('c', 'echo c > c')));
    expect((await run.line(edited('refused'))).because).toContain('b needs c');
    w.write('plan.md', planOf(a, task('b', 'echo b > b', ' → a'), task('c', 'echo c > c')));
    await run.line(edited('taken'));
    const end = await let_go(w, run);
    expect([end.code, w.has('b'), w.has('c')]).toEqual([0, true, false]);
  });

  it('a pool that is new holds at once', async () => {
    const { w, run } = await begun(planOf(a));
    const uses = (id: string) =>
      `${task(id, 'mkdir one && sleep 0.3 && rmdir one', ' → a')}  - uses: db\n  - retries: 0\n`;
    w.write('plan.md', `---\npools: { db: 1 }\n---\n${planOf(a, uses('b'), uses('c'))}`);
    await run.line(edited('taken'));
    expect((await let_go(w, run)).code).toBe(0);
  });

  it('a task that joins a phase whose check is running: the check runs again after it', async () => {
    const phase = (...tasks: string[]) =>
      `# Plan\n\n## Phase 1: One\n- check: \`echo check >> order; ${held}\`\n\n${tasks.join('')}`;
    const { w, run } = await begun(phase(task('x', 'echo x >> order')));
    w.write('plan.md', phase(task('x', 'echo x >> order'), task('y', 'echo y >> order')));
    await run.line(edited('taken'));
    const end = await let_go(w, run);
    expect([end.code, w.read('order')]).toEqual([0, 'x\ncheck\ny\ncheck\n']);
  });
});

describe('however it is saved', () => {
  const text = planOf(a, task('b', 'echo b > b'));
  const half = text.slice(0, text.indexOf('  - run: `echo b'));

  it.each<[string, (file: string) => void]>([
    [
      'truncated and written',
      (file) => {
        writeFileSync(file, '');
        writeFileSync(file, text);
      },
    ],
    [
      'renamed over',
      (file) => {
        writeFileSync(`${file}.swp`, text);
        renameSync(`${file}.swp`, file);
      },
    ],
    [
      'deleted and created',
      (file) => {
        rmSync(file);
        writeFileSync(file, text);
      },
    ],
    [
      'half of it first',
      (file) => {
        writeFileSync(file, half);
        setTimeout(() => writeFileSync(file, text), 100);
      },
    ],
  ])('%s: the whole text is taken, and nothing before it', async (_, save) => {
    const { w, run, file } = await begun(planOf(a));
    save(file);
    await run.line(edited('taken'));
    const end = await let_go(w, run);
    expect(end.lines.filter(({ type }) => type === 'plan-edited')).toHaveLength(1);
    expect([end.code, w.has('b')]).toEqual([0, true]);
  });

  it('a file that stays away is said, and the run goes on', async () => {
    const { w, run, file } = await begun(planOf(a));
    rmSync(file);
    expect((await run.line(edited('refused'))).because).toContain('plan.md');
    expect((await let_go(w, run)).code).toBe(0);
  });
});

describe('while an agent is alive that could have written it', () => {
  const settings = `agent: tool\nagents: { tool: { kind: command, command: [sh, -c, "${held}; cat > told"] } }\n`;
  const agents = '# Plan\n\n- [ ] a: Do a\n- [ ] b: Do b → a\n  - run: `echo old > b`\n';

  it('only tells, also after its end; and reload takes it', async () => {
    const { w, run } = await begun(agents, { 'signalbox.yaml': settings });
    w.write('plan.md', agents.replace('old', 'new'));
    expect(await run.line(edited('waits'))).toMatchObject({
      changed: ['b'],
      because: expect.stringContaining('agent'),
    });
    const reloaded = await w.run('reload', 'plan.md', '--json');
    expect([reloaded.code, reloaded.json.changed]).toEqual([0, ['b']]);
    await run.line(edited('taken'));
    const end = await let_go(w, run);
    expect([end.code, w.read('b'), end.json.edit]).toEqual([0, 'new\n', null]);
  });

  it('what the agent wrote is not taken when it is gone', async () => {
    const wrote = settings.replace('cat > told', 'sed s/old/evil/ plan.md > p; mv p plan.md');
    const { w, run } = await begun(agents, { 'signalbox.yaml': wrote });
    const end = await let_go(w, run);
    expect([end.code, w.read('b')]).toEqual([0, 'old\n']);
    expect(end.json.edit).toMatchObject({ changed: ['b'] });
    expect(end.lines.filter(edited('waits'))).toHaveLength(1);
  });

  it('a box that the agent ticked completes nothing', async () => {
    const wrote = settings.replace('cat > told', 'sed s/\\\\[.]/[x]/ plan.md > p; mv p plan.md');
    const { w, run } = await begun(agents, { 'signalbox.yaml': wrote });
    const end = await let_go(w, run);
    expect([end.code, w.read('b'), end.json.edit]).toEqual([0, 'old\n', null]);
  });

  it('an edit after its end is taken', async () => {
    const text = `${agents}- [ ] c: C → a\n  - run: \`touch c-started; until [ -e go-c ]; do sleep 0.02; done\`\n`;
    const { w, run } = await begun(text, { 'signalbox.yaml': settings });
    w.write('go', '');
    await w.appears('c-started');
    await run.line(({ type, task }) => type === 'task-completed' && task === 'b');
    w.write('plan.md', `${text}- [ ] d: D\n  - run: \`echo d > d\`\n`);
    await run.line(edited('taken'));
    w.write('go-c', '');
    expect([(await run.ended).code, w.has('d')]).toEqual([0, true]);
  });
});

describe('reload while it runs', () => {
  it('refuses to remove what is running, with the line', async () => {
    const { w, run } = await begun(planOf(a, task('b', 'true', ' → a')), {}, '--no-reload');
    w.write('plan.md', planOf(task('b', 'true')));
    const { code, err } = await w.run('reload', 'plan.md');
    expect([code, err]).toEqual([2, expect.stringContaining('plan.md:3: a was removed, and is running')]);
    expect((await let_go(w, run)).code).toBe(0);
  });

  it('takes at once what contradicts work that is done', async () => {
    const { w, run } = await begun(planOf(task('x', 'true'), task('a', held, ' → x'), task('b', 'true', ' → a')));
    w.write('plan.md', planOf(task('x', 'echo other'), task('a', held, ' → x'), task('b', 'echo b > b', ' → a')));
    expect((await run.line(edited('refused'))).because).toMatch(/plan\.md:3: x was changed, and is completed/);
    const { code, out } = await w.run('reload', 'plan.md');
    expect([code, out]).toEqual([0, expect.stringContaining('changed after they had started: x')]);
    await run.line(edited('taken'));
    const end = await let_go(w, run);
    expect([end.code, w.has('b'), end.json.edit]).toEqual([0, true, null]);
  });
});

it('a run after a crash takes the edit while the old attempts still run', async () => {
  const { w, run } = await begun(planOf(a, task('b', 'echo old > b', ' → a')));
  run.kill('SIGKILL');
  await run.ended;
  w.write('plan.md', planOf(a, task('b', 'echo new > b', ' → a')));
  const again = w.start('run', 'plan.md', '--json');
  await again.line(edited('taken'));
  const end = await let_go(w, again);
  expect([end.code, w.read('b')]).toEqual([0, 'new\n']);
});
