// Every way out of a failure, through the real command: batches, abort and go on, other agents, and loops that are stopped.
import { describe, expect, it } from 'vitest';
import { type Ended, Workspace } from '../rig.ts';

const batch = `---
order: phases
retries: 0
---
## One
- batch: true
- [ ] good: Fine
  - run: \`echo good >> ran\`
- [ ] bad: Broken
  - run: \`echo bad >> ran; test -f ok\`
- [ ] behind: Needs it → bad
  - run: \`echo behind >> ran\`
## Two
- [ ] next: Goes on
  - run: \`echo next >> ran\`
`;

describe('a batch of which a part failed', () => {
  async function ended(): Promise<Workspace> {
    const w = new Workspace({ 'plan.md': batch });
    const { code, lines } = await w.run('run', 'plan.md', '--json');
    expect(code).toBe(5);
    expect(lines.filter(({ type }) => type === 'decision-opened')).toMatchObject([{ kind: 'batch' }]);
    return w;
  }
  const ran = (w: Workspace) => w.read('ran').trim().split('\n').sort();

  it('accept keeps what is good, skips the rest, and goes on with the next phase', async () => {
    const w = await ended();
    await w.run('decide', 'd1', 'accept');
    expect((await w.run('run', 'plan.md')).code).toBe(0);
    expect(await w.status()).toEqual({ good: 'completed', bad: 'skipped', behind: 'skipped', next: 'completed' });
  });

  it('retry tries only the rest again', async () => {
    const w = await ended();
    w.write('ok', '');
    await w.run('decide', 'd1', 'retry');
    expect((await w.run('run', 'plan.md')).code).toBe(0);
    expect(ran(w)).toEqual(['bad', 'bad', 'behind', 'good', 'next']);
  });

  it('fix waits for a person, who resumes it', async () => {
    const w = await ended();
    await w.run('decide', 'd1', 'fix');
    expect((await w.run('run', 'plan.md')).code).toBe(5);
    w.write('ok', '');
    await w.run('resume', 'bad');
    expect((await w.run('run', 'plan.md')).code).toBe(0);
    expect(ran(w)).toEqual(['bad', 'bad', 'behind', 'good', 'next']);
  });

  it('abort loses nothing: the next run asks again and goes on', async () => {
    const w = await ended();
    expect((await w.run('decide', 'd1', 'abort')).code).toBe(0);
    expect(await w.status()).toMatchObject({ good: 'completed', bad: 'failed' });
    expect((await w.run('run', 'plan.md')).code).toBe(5);
    w.write('ok', '');
    expect((await w.run('decide', 'd2', 'retry')).code).toBe(0);
    expect((await w.run('run', 'plan.md')).code).toBe(0);
    expect(ran(w).filter((task) => task === 'good')).toHaveLength(1);
  });
});

describe('a failure', () => {
  const plan = `retries: 0\nmax-parallel: 2\ntasks:\n  a: {run: "test -f ok"}\n  b: {run: "true", needs: [a]}\n  slow: {run: "echo $$ > slow.pid; until test -f ok; do sleep 0.1; done"}\n`;

  it('that is answered with abort stops the run with everything saved, and can be gone on with', async () => {
    const w = new Workspace({ 'plan.yaml': plan });
    const run = w.start('run', 'plan.yaml', '--json');
    await run.line(({ type }) => type === 'decision-opened');
    await w.appears('slow.pid');
    expect((await w.run('decide', 'd1', 'abort', '--reason', 'not today')).code).toBe(0);
    const { code, lines } = await run.ended;
    expect([code, lines.at(-1).outcome]).toEqual([143, 'aborted']);
    expect(await w.status()).toEqual({ a: 'failed', b: 'blocked', slow: 'pending' });
    w.write('ok', '');
    expect((await w.run('run', 'plan.yaml', '--retry', 'a')).code).toBe(0);
  });

  it('is tried by another agent, or by the debugging agent, when a person says so', async () => {
    const settings = `agents:\n  one: {kind: command, command: [sh, one.sh]}\n  two: {kind: command, command: [sh, two.sh]}\nescalation-agent: two\n`;
    const text = 'retries: 0\ntasks:\n  a: {agent: one}\n  b: {run: "true", needs: [a]}\n';
    for (const answer of [['other-agent', '--agent', 'two'], ['escalate']]) {
      const files = { 'one.sh': 'echo x >> one; exit 1', 'two.sh': 'echo y >> two' };
      const w = new Workspace({ 'plan.yaml': text, 'signalbox.yaml': settings, ...files });
      expect((await w.run('run', 'plan.yaml')).code).toBe(5);
      expect((await w.run('decide', 'd1', ...answer)).code).toBe(0);
      expect((await w.run('run', 'plan.yaml')).code).toBe(0);
      expect([w.read('one'), w.read('two')]).toEqual(['x\n', 'y\n']);
    }
  });

  it('of a preferred task is a warning, and no more', async () => {
    const w = new Workspace({
      'plan.yaml': 'retries: 0\ntasks:\n  a: {run: "exit 1"}\n  b: {run: "true", prefers: [a]}\n',
    });
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    const warned = lines.find(({ type, task }) => type === 'attempt-scheduled' && task === 'b').warnings;
    expect([code, warned]).toEqual([1, [{ task: 'a', status: 'failed' }]]);
    expect(await w.status()).toEqual({ a: 'failed', b: 'completed' });
  });
});

describe('a loop without progress', () => {
  const settings = `review-agent: judge
agents:
  author: {kind: command, command: [sh, author.sh]}
  judge: {kind: command, command: [sh, judge.sh]}
`;
  const opened = ({ lines }: Ended) => lines.filter(({ type }) => type === 'decision-opened');
  const reject = (issues: string) => `echo '{"verdict":"rejected","severity":"low","issues":[${issues}]}'`;

  it('the same rejection three times, whatever line it names, is asked about with the issues', async () => {
    const w = new Workspace({
      'signalbox.yaml': settings,
      'plan.yaml': 'tasks:\n  a: {agent: author, review: agent}\n  b: {run: "true", needs: [a]}\n',
      'author.sh': 'echo $SIGNALBOX_ATTEMPT >> out.txt',
      'judge.sh': `n=$(wc -l < out.txt); ${reject('{"message":"the test in line \'$n\' of out.txt is missing"}')}`,
    });
    const run = await w.run('run', 'plan.yaml', '--json');
    expect([run.code, opened(run)]).toMatchObject([
      4,
      [{ kind: 'livelock', evidence: { kind: 'same-rejection', times: 3 } }],
    ]);
    expect(w.read('out.txt').trim().split('\n')).toHaveLength(3);
    expect((await w.run('decide', 'd1')).out).toContain('the test in line 3 of out.txt is missing');
    w.write('judge.sh', `echo '{"verdict":"approved"}'`);
    expect((await w.run('decide', 'd1', 'retry-with-note', '--note', 'write the test')).code).toBe(0);
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
  });

  it('tasks that are rejected for each other, twice, are asked about with the circle', async () => {
    const blame = (task: string, other: string) =>
      `if [ "$SIGNALBOX_TASK" = ${task} ]; then ${reject(`{"message":"try '$n': ${other} is wrong","task":"${other}"}`)}; fi`;
    const w = new Workspace({
      'signalbox.yaml': `${settings}livelock: { same-rejections: 0 }\n`,
      'plan.yaml':
        'tasks:\n  a: {agent: author, files: a.txt, review: agent}\n  b: {agent: author, files: b.txt, review: agent}\n',
      'author.sh': 'echo $SIGNALBOX_ATTEMPT >> $SIGNALBOX_TASK.txt',
      'judge.sh': `n=$(cat ?.txt | wc -l)\n${blame('a', 'b')}\n${blame('b', 'a')}`,
    });
    const run = await w.run('run', 'plan.yaml', '--json');
    const [first] = opened(run);
    expect([run.code, first]).toMatchObject([
      4,
      { kind: 'livelock', evidence: { kind: 'circular-rejection', times: 2 } },
    ]);
    expect([...first.evidence.circle].sort()).toEqual(['a', 'b']);
  });

  it('three attempts of agents that change nothing hold the plan until somebody has looked', async () => {
    const w = new Workspace({
      'signalbox.yaml': settings,
      'plan.yaml': 'retries: 4\ntasks:\n  a: {agent: author}\n  b: {run: "true", needs: [a]}\n',
      'author.sh': 'echo thinking; exit 1',
    });
    const run = await w.run('run', 'plan.yaml', '--json');
    expect([run.code, opened(run)]).toMatchObject([
      4,
      [{ kind: 'livelock', evidence: { kind: 'no-progress', attempts: ['a#1', 'a#2', 'a#3'] } }],
    ]);
    w.write('author.sh', 'echo x > done.txt');
    expect((await w.run('decide', 'd1', 'go-on')).code).toBe(0);
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
  });

  it('attempts that undo each other are asked about with the file', async () => {
    const w = new Workspace({
      'signalbox.yaml': `${settings}livelock: { same-rejections: 0 }\n`,
      'plan.yaml': 'tasks:\n  a: {agent: author, review: agent, files: [x.txt]}\n',
      'x.txt': 'start\n',
      'author.sh': 'if grep -q one x.txt; then echo two > x.txt; else echo one > x.txt; fi',
      'judge.sh': `echo . >> n; ${reject('{"message":"no, number \'$(wc -l < n | tr 0-9 a-j)\'"}')}`,
    });
    const run = await w.run('run', 'plan.yaml', '--json');
    const evidence = { kind: 'undoing', file: 'x.txt', tasks: ['a'] };
    expect([run.code, opened(run)]).toMatchObject([4, [{ kind: 'livelock', evidence }]]);
    expect(await w.status()).toEqual({ a: 'pending' });
  });
});
