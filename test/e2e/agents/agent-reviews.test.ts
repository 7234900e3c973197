// Reviews by an agent, through the real program: who reviews gets everything it needs and nothing that is the author's, and only what
// it really answers counts.
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type Ended, Workspace } from '../rig.ts';

const settings = (more = '') => `review-agent: judge
agents:
  author: {kind: command, command: [sh, author.sh]}
  judge: {kind: command, command: [sh, judge.sh, "{promptFile}", "{attempt}"]}
${more}`;
const plan =
  'tasks:\n  a: {agent: author, review: agent, accept: [it is nice], check: "echo all 3 tests ran", prompt: Make it.}\n';
const approves = `echo '{"verdict":"approved"}'`;
const rejects = (severity: string, message: string) =>
  `echo '{"verdict":"rejected","severity":"${severity}","issues":[{"message":"${message}","file":"out.txt"}]}'`;

const reviewed = (files: Record<string, string>) =>
  new Workspace({
    'signalbox.yaml': settings(),
    'plan.yaml': plan,
    'author.sh': 'echo $SIGNALBOX_ATTEMPT >> out.txt',
    ...files,
  });
const reviews = ({ lines }: Ended) => lines.filter(({ type }) => type === 'review-ended');

describe('review: agent', () => {
  it('tells the reviewer the task, the checks and what was changed, and completes what is approved', async () => {
    const w = reviewed({ 'judge.sh': `cat > seen; echo looked; ${approves}`, 'old.txt': 'old\n' });
    const git = (...args: string[]) => execFileSync('git', args, { cwd: w.folder, stdio: 'ignore' });
    git('init');
    git('add', 'old.txt');
    git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-m', 'x');
    w.write('author.sh', 'echo $SIGNALBOX_ATTEMPT > out.txt; echo new > old.txt');
    const ended = await w.run('run', 'plan.yaml', '--json');
    expect(ended.code).toBe(0);
    expect(reviews(ended)).toMatchObject([{ result: 'approved', by: 'judge', attempt: 'a#1' }]);
    const told = w.read('seen');
    for (const text of [
      'Make it.',
      'it is nice',
      'echo all 3 tests ran',
      'Green',
      '-old\n+new',
      '+++ b/out.txt\n@@ -0,0 +1 @@\n+a#1',
    ])
      expect(told).toContain(text);
    expect(told).toContain('{"verdict":"approved"}');
  });

  it.each([
    ['was committed', 'git add -A; git -c user.name=t -c user.email=t@t commit -qm x'],
    ['is assumed to be unchanged', 'git update-index --assume-unchanged old.txt; echo out.txt > .git/info/exclude'],
    ['is excluded', "echo '*' > .git/info/exclude"],
    ['goes through a filter that fails', "git config filter.f.clean false; echo '* filter=f' > .gitattributes"],
    ['is said to be no text', "echo '* -diff' > .gitattributes"],
  ])('shows the work also when it %s', async (_, hide) => {
    const w = reviewed({
      'judge.sh': `cat > seen; ${approves}`,
      'old.txt': 'old\n',
      '.gitignore': 'seen\ndocs/plan-outputs/\n',
    });
    const git = (...args: string[]) => execFileSync('git', args, { cwd: w.folder, stdio: 'ignore' });
    git('init');
    git('add', '-A');
    git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-m', 'x');
    w.write('author.sh', `echo new > old.txt; echo mine > out.txt; ${hide}`);
    expect((await w.run('run', 'plan.yaml', '--json')).code).toBe(0);
    expect(w.read('seen')).toContain('-old\n+new');
    expect(w.read('seen')).toContain('+mine');
    // What was another before the attempt is not its work.
    expect(w.read('seen')).not.toContain('assumed');
  });

  it('does not take place when nobody knows what was changed, and a person is told why', async () => {
    const w = reviewed({
      'author.sh': 'echo x > out.txt; rm -rf .signalbox/git',
      'judge.sh': `touch judged; ${approves}`,
    });
    const ended = await w.run('run', 'plan.yaml', '--json');
    expect(ended.code).toBe(1);
    const because = 'what a#1 changed could not be determined: nobody looked at the files when it began';
    expect(reviews(ended).map(({ result, problem }) => [result, problem])).toEqual(
      Array(3).fill(['unreadable', because]),
    );
    expect([w.has('judged'), await w.status()]).toEqual([false, { a: 'failed' }]);
    expect((await w.run('why', 'a', '--plan', 'plan.yaml')).out).toContain(because);
  });

  it('shows what was done by hand since it was begun', async () => {
    const w = reviewed({
      'plan.yaml': 'tasks:\n  a: {agent: author, review: agent}\n',
      'judge.sh': `cat > seen; ${approves}`,
    });
    expect((await w.run('mark-started', 'a', '--plan', 'plan.yaml')).code).toBe(0);
    w.write('by-hand.txt', 'done by hand\n');
    expect((await w.run('mark-complete', 'a', '--plan', 'plan.yaml')).code).toBe(0);
    expect((await w.run('run', 'plan.yaml', '--json')).code).toBe(0);
    expect(w.read('seen')).toContain('+done by hand');
  });

  it('shows what a plain command changed', async () => {
    const w = reviewed({
      'plan.yaml': 'tasks:\n  a: {run: "echo made > out.txt", review: agent}\n',
      'judge.sh': `cat > seen; ${approves}`,
    });
    expect((await w.run('run', 'plan.yaml', '--json')).code).toBe(0);
    expect(w.read('seen')).toContain('+made');
  });

  it('shows what became of locked files where there is no git', async () => {
    const locked = plan.replace('prompt:', 'files: [out.txt], prompt:');
    const w = reviewed({ 'plan.yaml': locked, 'out.txt': 'before\n', 'judge.sh': `cp "$1" seen; ${approves}` });
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(0);
    expect(w.read('seen')).toContain(' before\n+a#1');
    const { evidence } = lines.find(({ type }) => type === 'attempt-ended');
    expect(evidence).toMatchObject({ changed: true, files: [{ file: 'out.txt' }] });
    expect(evidence.files[0].before).not.toBe(evidence.files[0].after);
  });

  it('gives the reviewer another identity and not the environment of the author, but the locks of what it reviews', async () => {
    const w = reviewed({
      'plan.yaml': plan.replace('prompt:', 'files: [out.txt], env: {OWN: secret}, prompt:'),
      'judge.sh': `env > env.txt; signalbox lock try out.txt; echo "code $?" > lock.txt; signalbox approve a; echo "code $?" > approve.txt; ${approves}`,
    });
    const run = w.startWith({ SECRET_KEY: 'x' }, 'run', 'plan.yaml', '--json');
    expect((await run.ended).code).toBe(0);
    const env = w.read('env.txt');
    expect(env).not.toMatch(/^(?:SIGNALBOX_ATTEMPT|OWN|SECRET_KEY)=/m);
    expect(env).toMatch(/^SIGNALBOX_AGENT=review of a#1$/m);
    expect(w.read('lock.txt')).toBe('code 0\n');
    expect(w.read('approve.txt')).toBe('code 2\n');
  });

  it('is none if the reviewer changed a file that the attempt holds, and the reason names it', async () => {
    const w = reviewed({
      'plan.yaml': plan.replace('agent: author', 'agent: author, files: out.txt'),
      'judge.sh': `echo . >> spoiled; cat spoiled >> out.txt; ${approves}`,
    });
    const ended = await w.run('run', 'plan.yaml', '--json');
    const problem = 'the reviewer changed out.txt, and a reviewer changes no files';
    expect(reviews(ended)).toMatchObject(Array(3).fill({ result: 'unreadable', problem }));
    expect([ended.code, await w.status()]).toEqual([1, { a: 'failed' }]);
  });

  it('rejects with feedback in the next prompt, and uses no retry', async () => {
    const w = reviewed({
      'signalbox.yaml': settings('retries: 0'),
      'author.sh': 'cat > "told.$SIGNALBOX_ATTEMPT"; echo $SIGNALBOX_ATTEMPT >> out.txt',
      'judge.sh': `case "$2" in a#1) ${rejects('medium', 'no tests')};; *) ${approves};; esac`,
    });
    const ended = await w.run('run', 'plan.yaml', '--json');
    expect(ended.code).toBe(0);
    expect(reviews(ended).map(({ result }) => result)).toEqual(['rejected', 'approved']);
    expect(w.read('told.a#2')).toMatch(/rejected, severity medium[\s\S]*- no tests \(out\.txt\)/);
    expect(w.read('told.a#1')).not.toContain('rejected');
  });

  it('a high severity asks a person and lets other branches go on', async () => {
    const w = reviewed({
      'plan.yaml': `${plan}  b: {run: "true", needs: [a]}\n  c: {run: "true"}\n`,
      'judge.sh': rejects('high', 'it deletes the database'),
    });
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(4);
    expect(lines.find(({ type }) => type === 'decision-opened')).toMatchObject({
      kind: 'rejection',
      task: 'a',
      evidence: { severity: 'high', issues: [{ message: 'it deletes the database' }] },
    });
    expect(await w.status()).toMatchObject({ a: 'suspended', c: 'completed' });
  });

  it.each([
    ['prose', 'echo I approve of it'],
    ['an answer and a failure', `${approves}; exit 3`],
    ['an approval that is taken back', `${approves}; echo Actually no.`],
    ['half an answer behind it', `${approves}; echo '{"verdict":"rejected",'`],
    ['binary and much of it', 'head -c 3000000 /dev/urandom'],
  ])('never takes %s for an approval', async (_, script) => {
    const w = reviewed({ 'signalbox.yaml': settings('retries: 0'), 'judge.sh': script });
    const ended = await w.run('run', 'plan.yaml', '--json');
    expect(ended.code).toBe(1);
    expect(reviews(ended).map(({ result }) => result)).toEqual(['unreadable', 'unreadable', 'unreadable']);
    const { problem } = reviews(ended)[0];
    const failed = ended.lines.find(({ type }) => type === 'task-failed');
    expect(failed.failure).toEqual({ kind: 'review', message: `its review was no answer: ${problem}` });
    expect(ended.lines.filter(({ type }) => type === 'attempt-scheduled')).toHaveLength(1);
  });

  it.each([
    ['no review agent', settings().replace('review-agent: judge', ''), 'review-agent'],
    ['an unknown review agent', settings().replace('review-agent: judge', 'review-agent: nobody'), 'nobody'],
    ['no escalation agent', settings('on-failure: escalate'), 'escalation-agent'],
    ['a program that is not there', settings().replace('[sh, judge', '[no-such-program, judge'), 'no-such-program'],
  ])('is refused before the run with %s', async (_, text, named) => {
    const w = reviewed({ 'signalbox.yaml': text, 'judge.sh': approves });
    const { code, err, out } = await w.run('run', 'plan.yaml');
    expect([code, w.has('out.txt')]).toEqual([7, false]);
    expect(err + out).toContain(named);
  });
});
