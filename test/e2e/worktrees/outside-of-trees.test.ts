// What attempts in worktrees do outside of their trees, and what never reaches them.
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { GitWorkspace, mark, waitFor, waitForMerged } from './git-workspace.ts';

it('an agent whose stream says that it wrote to the checkout is named; what else changed there may be the work of the person', async () => {
  const stream = readFileSync('test/fixtures/streams/codex/done.jsonl', 'utf8');
  const w = new GitWorkspace({
    'signalbox.yaml': 'locks: advisory\nagents:\n  codex: {command: [./fake.sh]}\n',
    'plan.yaml': 'tasks:\n  a: {prompt: x, agent: codex}\n',
    'fake.sh': `#!/bin/sh
test "$1" = --version && { echo "codex-cli 0.166.0"; exit; }
cat > /dev/null
echo mine > here.txt
echo oops > "$SIGNALBOX_WORKSPACE/a.txt"
echo person > "$SIGNALBOX_WORKSPACE/b.txt"
sed "s#/work/wd#$SIGNALBOX_WORKSPACE#" stream
`,
    stream,
  });
  chmodSync(join(w.folder, 'fake.sh'), 0o755);
  w.commit('executable');
  const ended = await w.run('run', 'plan.yaml', '--json');
  const { evidence } = ended.lines.find(({ type }) => type === 'attempt-ended')!;
  expect(evidence.incidents).toEqual([
    { kind: 'wrote', what: 'it wrote to files in your checkout: a.txt' },
    { kind: 'checkout', what: 'files in your checkout changed: b.txt' },
  ]);
  expect([ended.code, w.result('here.txt')]).toEqual([0, 'mine']);
  expect((await w.run('why', 'a')).out).toContain('it wrote to files in your checkout: a.txt, outside of its tree');
});

it('a command that printed the path of the checkout may have changed it', async () => {
  const w = new GitWorkspace(
    { 'plan.yaml': 'tasks:\n  a: {prompt: x}\n' },
    { a: 'echo mine > a.txt; cd "$SIGNALBOX_WORKSPACE"; pwd; echo oops > b.txt' },
  );
  const { out } = await w.run('run', 'plan.yaml');
  expect(out).toContain('files in your checkout changed: b.txt; it printed the path of your checkout');
});

it('a process of an attempt that works in the checkout is named with what changed there', async () => {
  const w = new GitWorkspace(
    { 'plan.yaml': 'tasks:\n  a: {prompt: x}\n' },
    // What it leaves behind is looked at before it is ended. A shell that has forked is not yet what it starts.
    {
      a: 'echo mine > a.txt; cd "$SIGNALBOX_WORKSPACE"; touch x; sleep 1234 & until grep -q sleep /proc/$!/comm; do :; done',
    },
  );
  const { lines } = await w.run('run', 'plan.yaml', '--json');
  const { evidence } = lines.find(({ type }) => type === 'attempt-ended')!;
  expect(evidence.incidents).toEqual([
    { kind: 'checkout', what: 'files in your checkout changed: x', processes: ['sleep 1234'] },
  ]);
  expect((await w.run('why', 'a')).out).toContain(
    'files in your checkout changed: x; a process of it worked there: sleep 1234.',
  );
});

it("what a person changes while an attempt works in its tree stays one line, and may be the person's own work", async () => {
  const w = new GitWorkspace(
    { 'plan.yaml': 'tasks:\n  a: {prompt: x}\n' },
    { a: `echo mine > a.txt; ${mark('begun')}; ${waitFor('changed')}; sleep 1234 &` },
  );
  const ended = w.run('run', 'plan.yaml');
  mkdirSync(join(w.folder, '.signalbox'), { recursive: true });
  await w.appears('.signalbox/begun');
  w.write('mine.txt', 'of a person');
  w.write('.signalbox/changed', '');
  const { out } = await ended;
  expect(out.match(/.*your checkout.*/g)).toEqual([
    expect.stringMatching(/while it worked, files in your checkout changed: mine\.txt \(that may be your own work\)$/),
  ]);
});

const noGit = '! env | grep ^GIT_';
const inherited = {
  GIT_DIR: '/nowhere',
  GIT_INDEX_FILE: '/nowhere/index',
  GIT_AUTHOR_NAME: 'evil',
  GIT_CONFIG_COUNT: '1',
};

it.each<[string, (w: GitWorkspace) => void, string, string]>([
  [
    'where git knows nobody, agents can commit',
    () => undefined,
    'Signalbox <signalbox@localhost>',
    'GIT_AUTHOR_EMAIL=signalbox@localhost\nGIT_AUTHOR_NAME=Signalbox\nGIT_COMMITTER_EMAIL=signalbox@localhost\nGIT_COMMITTER_NAME=Signalbox',
  ],
  [
    'where git knows somebody, it is them',
    (w) => [w.git('config', 'user.name', 'ann'), w.git('config', 'user.email', 'ann@home')],
    'ann <ann@home>',
    '',
  ],
])('%s; no variable of git reaches agents, setup or checks', async (_, configure, who, variables) => {
  const w = new GitWorkspace(
    {
      'plan.yaml': `worktree: {setup: "${noGit}"}\ntasks:\n  a: {prompt: x, check: "${noGit}"}\n  b: {run: "true", needs: [a]}\n`,
      'home/.keep': '',
    },
    { a: 'env | grep ^GIT_ | sort > env.txt; git add -A; git commit -qm own' },
  );
  configure(w);
  const ended = await w.runWith({ ...inherited, HOME: join(w.folder, 'home') }, 'run', 'plan.yaml');
  expect([ended.code, ended.err]).toEqual([0, '']);
  expect(w.git('log', '-1', '--format=%an <%ae>%n%cn <%ce>', 'signalbox-attempts/plan/a.1')).toBe(`${who}\n${who}`);
  expect(w.result('env.txt')).toBe(variables);
});

it("an agent that changes who commits puts its name on none of Signalbox' commits", async () => {
  const evil = 'git config user.name evil; git config user.email evil@evil';
  const w = new GitWorkspace(
    { 'plan.yaml': 'tasks:\n  a: {prompt: x}\n  b: {prompt: x}\n  c: {run: "echo c > c.txt", needs: [a, b]}\n' },
    { a: `echo a > a.txt; ${evil}`, b: `echo b > b.txt; ${waitForMerged('a.txt')}` },
  );
  w.git('config', 'user.name', 'ann');
  w.git('config', 'user.email', 'ann@home');
  const begun = w.git('rev-parse', 'HEAD');
  const { code, out } = await w.run('run', 'plan.yaml');
  expect([code, out]).toEqual([0, expect.stringMatching(/user\.name is .*evil/)]);
  w.write('person.txt', 'meanwhile');
  w.commit('meanwhile');
  expect((await w.run('land')).out).toContain('with a merge commit');
  const who = w.git('log', '--format=%an <%ae> %cn <%ce>', `${begun}..main`, '--not', 'main^1').split('\n');
  expect([who.length, new Set(who)]).toEqual([7, new Set(['ann <ann@home> ann <ann@home>'])]);
});
