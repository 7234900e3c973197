// Runs with worktrees, from the command line to the branch: agents work beside each other without seeing each other's half-edits, only what
// is green when merged is merged, and a person's own checkout stays as it is.
import { describe, expect, it } from 'vitest';
import { GitWorkspace, mark, merges, waitFor, waitForMerged } from './git-workspace.ts';

const ten = Array.from({ length: 10 }, (_, i) => `t${i}`);

describe('a run with worktrees', () => {
  it('merges ten tasks side by side, and leaves the checkout as it is', async () => {
    const work = Object.fromEntries(ten.map((id) => [id, `echo ${id} > ${id}.txt`]));
    const plan = `max-parallel: 10\ntasks:\n${ten.map((id) => `  ${id}: {prompt: Make it.}\n`).join('')}`;
    const w = new GitWorkspace({ 'plan.yaml': plan }, work);
    const before = w.own();
    const ended = await w.run('run', 'plan.yaml', '--json');
    expect([ended.code, ended.err]).toEqual([0, '']);
    expect(merges(ended).sort()).toEqual(ten.map((id) => `${id}#1 merged`));
    for (const id of ten) expect(w.result(`${id}.txt`)).toBe(id);
    expect(w.own()).toBe(before);
    expect(w.has('t0.txt')).toBe(false);
    const message = w.git('log', '--format=%B', '--no-merges', '-1', 'signalbox/plan');
    expect(message).toContain('Signalbox-Plan: plan.yaml\nSignalbox-Task: t');
  });

  it('tells an agent what its prompt said before any run, and after one', async () => {
    const w = new GitWorkspace(
      { 'plan.yaml': 'retries: 0\ntasks:\n  a: {prompt: Make it.}\n' },
      {
        a: 'cat > "$SIGNALBOX_WORKSPACE/.signalbox/told"; test -e "$SIGNALBOX_WORKSPACE/.signalbox/go" && echo a > a.txt',
      },
    );
    const promptOf = async () => (await w.run('prompt', 'a', '--plan', 'plan.yaml')).out.trim();
    const first = await promptOf();
    expect((await w.run('run', 'plan.yaml')).code).toBe(1);
    expect(first).toBe(w.read('.signalbox/told').trim());
    expect((await w.run('retry', 'a', '--force')).code).toBe(0);
    const second = await promptOf();
    expect(second).not.toBe(first);
    w.write('.signalbox/go', '');
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
    expect(second).toBe(w.read('.signalbox/told').trim());
  });

  it('gives a conflict to another attempt, with the merge in progress, and merges what it resolved', async () => {
    const change = (own: string, other: string) =>
      `if grep -q '<<<<<<<' a.txt; then printf 'one\\ntwo\\n' > a.txt; else ${mark(own)}; ${waitFor(other)}; echo ${own} > a.txt; fi`;
    const w = new GitWorkspace(
      { 'plan.yaml': 'tasks:\n  one: {prompt: x}\n  two: {prompt: x}\n', 'a.txt': 'old\n' },
      { one: change('one', 'two'), two: change('two', 'one') },
    );
    const ended = await w.run('run', 'plan.yaml', '--json');
    expect(ended.code).toBe(0);
    const results = merges(ended).map((line) => line.replace(/^\w+/, ''));
    expect(results).toEqual(['#1 merged', '#1 conflict', '#2 merged']);
    expect(w.result('a.txt')).toBe('one\ntwo');
  });

  it('catches two changes that merge cleanly and break the build', async () => {
    const w = new GitWorkspace(
      {
        'plan.yaml': 'tasks:\n  a: {prompt: x, check: "sh build.sh"}\n  b: {prompt: x, check: "sh build.sh"}\n',
        'build.sh': 'test "$(cat a.txt)" = "$(cat b.txt)" || test "$(cat a.txt)" = old || test "$(cat b.txt)" = old\n',
        'a.txt': 'old\n',
        'b.txt': 'old\n',
      },
      {
        // The second attempt sees what was merged, and fits in.
        a: `${mark('a')}; ${waitFor('b')}; if test "$SIGNALBOX_ATTEMPT" = 'a#1'; then echo from-a; else cat b.txt; fi > new; mv new a.txt`,
        b: `${mark('b')}; ${waitFor('a')}; if test "$SIGNALBOX_ATTEMPT" = 'b#1'; then echo from-b; else cat a.txt; fi > new; mv new b.txt`,
      },
    );
    const ended = await w.run('run', 'plan.yaml', '--json');
    const told = merges(ended);
    expect(ended.code).toBe(0);
    expect(told).toHaveLength(3);
    expect(told.filter((line) => /red/.test(line))).toHaveLength(1);
    expect(w.result('a.txt')).toBe(w.result('b.txt'));
  });

  it('lets a command see all that was merged, and takes what it makes as its work', async () => {
    const plan = `tasks:
  a: {prompt: x}
  b: {prompt: x}
  sum: {run: "cat a.txt b.txt > sum.txt", needs: [a, b]}
`;
    const w = new GitWorkspace({ 'plan.yaml': plan }, { a: 'echo a > a.txt', b: 'echo b > b.txt' });
    const ended = await w.run('run', 'plan.yaml', '--json');
    expect([ended.code, merges(ended).at(-1)]).toEqual([0, 'sum#1 merged']);
    expect(w.result('sum.txt')).toBe('a\nb');
  });

  it('puts back what a failed command left, and keeps it on its branch', async () => {
    const plan = `tasks:
  bad: {run: "echo half > half.txt; exit 3", retries: 0, on-failure: skip}
  good: {run: "test ! -e half.txt && echo whole > whole.txt", prefers: [bad]}
`;
    const w = new GitWorkspace({ 'plan.yaml': plan });
    const ended = await w.run('run', 'plan.yaml', '--json');
    expect(ended.lines.at(-1).summary).toMatchObject({ completed: 1, skipped: 1 });
    expect(w.result('whole.txt')).toBe('whole');
    expect(w.git('show', 'signalbox-attempts/plan/bad.1:half.txt')).toBe('half');
  });

  it('merges nothing for an attempt without changes, and says so', async () => {
    const w = new GitWorkspace({ 'plan.yaml': 'tasks:\n  a: {prompt: x, check: "true"}\n' }, { a: 'true' });
    const ended = await w.run('run', 'plan.yaml');
    expect([ended.code, ended.out]).toEqual([0, expect.stringContaining('changed nothing')]);
  });

  it('goes on where it was when its runner was killed, and merges each change once', async () => {
    const work = { a: `echo a >> a.txt; ${mark('a-began')}; ${waitFor('go')}` };
    const w = new GitWorkspace(
      { 'plan.yaml': 'tasks:\n  a: {prompt: x}\n  b: {run: "cat a.txt", needs: [a]}\n' },
      work,
    );
    const first = w.start('run', 'plan.yaml', '--json');
    await first.line(({ type }) => type === 'attempt-started');
    await w.appears('.signalbox/a-began');
    first.kill('SIGKILL');
    await first.ended;
    w.write('.signalbox/go', '');
    const ended = await w.run('run', 'plan.yaml', '--json');
    expect([ended.code, w.result('a.txt')]).toEqual([0, 'a']);
  });

  it('leaves the tree of results alone while a command of a killed runner works there', async () => {
    const script = `echo a >> a.txt; ${mark('a-began')}; ${waitFor('go')}`;
    const w = new GitWorkspace({ 'plan.yaml': `tasks:\n  a: {run: "sh a.sh"}\n`, 'a.sh': `${script}\n` });
    const first = w.start('run', 'plan.yaml', '--json');
    await first.line(({ type }) => type === 'attempt-started');
    await w.appears('.signalbox/a-began');
    first.kill('SIGKILL');
    await first.ended;
    w.write('.signalbox/go', '');
    const ended = await w.run('run', 'plan.yaml', '--json');
    expect([ended.code, merges(ended), w.result('a.txt')]).toEqual([0, ['a#1 merged'], 'a']);
  });

  it('keeps declared files from conflicts: the second begins when the first is merged', async () => {
    const keys = '{prompt: x, files: [a.txt]}';
    const w = new GitWorkspace(
      { 'plan.yaml': `tasks:\n  one: ${keys}\n  two: ${keys}\n`, 'a.txt': '' },
      { one: 'echo one >> a.txt', two: 'echo two >> a.txt' },
    );
    const ended = await w.run('run', 'plan.yaml', '--json');
    expect([ended.code, merges(ended)]).toEqual([0, ['one#1 merged', 'two#1 merged']]);
    expect(w.result('a.txt')).toBe('one\ntwo');
  });

  it('asks a person when the same work is red on the merged result twice in a row', async () => {
    const plan = `tasks:
  one: {prompt: x}
  two: {prompt: x, check: "test $(cat seen) = $(ls | grep -c made)"}
  three: {prompt: x}
`;
    const count = 'ls | grep -c made > seen || true';
    const w = new GitWorkspace(
      { 'plan.yaml': plan },
      {
        one: `${waitFor('two-1')}; touch made-1`,
        two: `${count}; if test "$SIGNALBOX_ATTEMPT" = 'two#1'; then ${mark('two-1')}; ${waitForMerged('made-1')}; else ${mark('two-2')}; ${waitForMerged('made-2')}; fi`,
        three: `${waitFor('two-2')}; touch made-2`,
      },
    );
    const ended = await w.run('run', 'plan.yaml', '--json');
    const [decision] = ended.lines.filter(({ type }) => type === 'decision-opened');
    expect(merges(ended)).toEqual(['one#1 merged', 'two#1 red', 'three#1 merged', 'two#2 red']);
    expect([ended.code, decision.kind, decision.task]).toEqual([4, 'conflict', 'two']);
    expect((await w.run('status', 'plan.yaml', '--json')).json.tasks[1].attempts).toBe(2);
  });

  it('reviews what the attempt committed, in its tree', async () => {
    const settings = `agent: worker
isolation: worktree
review-agent: judge
agents:
  worker: {kind: command, command: [sh, work.sh]}
  judge: {kind: command, command: [sh, judge.sh]}
`;
    const w = new GitWorkspace(
      {
        'plan.yaml': 'tasks:\n  a: {prompt: x, review: agent}\n',
        'signalbox.yaml': settings,
        'judge.sh': `cat > "$SIGNALBOX_WORKSPACE/.signalbox/seen"; cat new.txt >/dev/null && echo '{"verdict":"approved"}'\n`,
        'old.txt': 'old\n',
      },
      { a: 'rm old.txt; echo new > new.txt; git add -A; git -c user.name=x -c user.email=x@x commit -qm mine' },
    );
    expect((await w.run('run', 'plan.yaml', '--json')).code).toBe(0);
    expect(w.read('.signalbox/seen')).toContain('+new');
    expect(w.read('.signalbox/seen')).toContain('deleted file');
  });

  it('says where results go, and how to take them', async () => {
    const w = new GitWorkspace({ 'plan.yaml': 'tasks:\n  a: {prompt: x}\n' }, { a: 'echo a > a.txt' });
    const { out } = await w.run('run', 'plan.yaml');
    expect(out).toContain('signalbox/plan');
    expect(out).toMatch(/signalbox land/);
  });
});
