// Runs with worktrees, from the command line to the branch: agents work beside each other without seeing each other's half-edits, only what
// is green when merged is merged, and a person's own checkout stays as it is.
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GitWorkspace, mark, merges, waitFor } from './git-workspace.ts';

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

  it('gives a conflict to another attempt, with the merge in progress, and merges what it resolved', async () => {
    const resolve = `if grep -q '<<<<<<<' a.txt; then printf 'one\\ntwo\\n' > a.txt`;
    const w = new GitWorkspace(
      { 'plan.yaml': 'tasks:\n  one: {prompt: x}\n  two: {prompt: x}\n', 'a.txt': 'old\n' },
      {
        one: `${waitFor('two-began')}; echo one > a.txt`,
        two: `${mark('two-began')}; ${resolve}; else ${waitFor('never-mind')}; echo two > a.txt; fi`,
      },
    );
    w.write('work/two.sh', w.read('work/two.sh').replace(waitFor('never-mind'), ':'));
    w.commit('script');
    const ended = await w.run('run', 'plan.yaml', '--json');
    expect(ended.code).toBe(0);
    expect(merges(ended)).toHaveLength(3);
    expect(merges(ended).at(-1)).toMatch(/#2 merged/);
    expect(merges(ended)[1]).toMatch(/#1 conflict/);
  });

  it('catches two changes that merge cleanly and break the build', async () => {
    const check = '"grep -q same a.txt && grep -q same b.txt || ! grep -q new a.txt"';
    const w = new GitWorkspace(
      {
        'plan.yaml': `tasks:\n  a: {prompt: x, check: "sh build.sh"}\n  b: {prompt: x, check: "sh build.sh"}\n`,
        'build.sh': 'test "$(cat a.txt)" = "$(cat b.txt)" || test "$(cat a.txt)" = old || test "$(cat b.txt)" = old\n',
        'a.txt': 'old\n',
        'b.txt': 'old\n',
      },
      {
        a: `${mark('a')}; ${waitFor('b')}; echo from-a > a.txt`,
        // Its second attempt sees what was merged, and fits in.
        b: `${mark('b')}; ${waitFor('a')}; if test "$SIGNALBOX_ATTEMPT" = 'b#1'; then echo from-b; else cat a.txt; fi > b.txt`,
      },
    );
    expect(check).toBeTruthy();
    const ended = await w.run('run', 'plan.yaml', '--json');
    const told = merges(ended);
    expect(ended.code).toBe(0);
    expect(told).toHaveLength(3);
    expect(told.filter((line) => /red/.test(String(line)))).toHaveLength(1);
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
    await w.appears('.signalbox/a-began');
    first.kill('SIGKILL');
    await first.ended;
    w.write('.signalbox/go', '');
    const ended = await w.run('run', 'plan.yaml', '--json');
    expect([ended.code, w.result('a.txt')]).toEqual([0, 'a']);
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

  it('asks a person when the same work could not be merged twice in a row', async () => {
    const clash = 'echo "$SIGNALBOX_ATTEMPT $(git rev-parse HEAD)" > a.txt';
    const w = new GitWorkspace(
      { 'plan.yaml': 'tasks:\n  one: {prompt: x}\n  two: {prompt: x}\n  three: {prompt: x}\n', 'a.txt': 'old\n' },
      {
        one: `${mark('one')}; ${waitFor('two')}; ${waitFor('three')}; ${clash}`,
        two: `${mark('two')}; ${waitFor('three')}; ${clash}`,
        three: `${mark('three')}; ${waitFor('two')}; ${clash}`,
      },
    );
    const ended = await w.run('run', 'plan.yaml', '--json');
    expect(merges(ended).filter((line) => /conflict/.test(String(line))).length).toBeGreaterThan(0);
    expect([0, 4]).toContain(ended.code);
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
    expect(existsSync(w.folder)).toBe(true);
  });
});
