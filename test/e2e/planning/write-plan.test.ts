// `signalbox plan` with scripted agents: what they are told, what becomes of their answers, and what stays as it was.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { identify } from '../../../src/agents/process/process-identity.ts';
import { Workspace } from '../rig.ts';

const good = '# Good\n\n- [ ] a: First\n  - run: `echo a`\n- [ ] b: Then → a\n  - run: `echo b`\n';
const bad = '# Bad\n\n- [ ] a: First → nowhere\n  - run: `echo a`\n';

/** @param script what the agent does; its prompt is in `$here/told$n` */
function scripted(script: string, files: Readonly<Record<string, string>> = {}): Workspace {
  const w = new Workspace({ '.agent/good.md': good, '.agent/bad.md': bad, ...files });
  const here = join(w.folder, '.agent');
  const tellOnce = 'n=1; while [ -e $here/told$n ]; do n=$((n+1)); done; cat > $here/told$n';
  w.write('.agent/agent.sh', `set -e\nhere=${here}\n${tellOnce}\n${script}\n`);
  w.write('signalbox.yaml', `agents: { me: { kind: command, command: [sh, ${here}/agent.sh] } }\n`);
  return w;
}

const plan = (w: Workspace, ...argv: string[]) => w.run('plan', '--agent', 'me', ...argv);
const told = (w: Workspace, n: number) => w.read(`.agent/told${n}`);
const calls = (w: Workspace) => readdirSync(join(w.folder, '.agent')).filter((name) => name.startsWith('told')).length;
const userFolder = (name: string) => join(process.env.SIGNALBOX_STATE!, name);
const names = (w: Workspace) => readdirSync(w.folder).sort();

describe('an agent writes a plan', () => {
  it('is told its mistakes with their lines, and mends them', async () => {
    const w = scripted('[ $n = 1 ] && cat $here/bad.md || cat $here/good.md; echo noise >&2');
    const { code, json, err } = await plan(w, 'add', 'a search page', '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(json).toMatchObject({
      outcome: 'written',
      plan: 'plan.md',
      agent: 'me',
      rounds: 2,
      tasks: 2,
      approved: false,
    });
    expect(json.commands).toEqual([
      { key: 'run', command: 'echo a', of: ['a'] },
      { key: 'run', command: 'echo b', of: ['b'] },
    ]);
    expect(w.read('plan.md')).toBe(good);
    expect(told(w, 1)).toContain('add a search page');
    expect(told(w, 2)).toMatch(/- line 3: .*nowhere.* \[unknown-id\]/);
    expect(told(w, 2)).toContain(bad.trim());
    expect(readdirSync(userFolder('planning'))).toEqual([]);
  });

  it('shows the person the steps, every command and what to type', async () => {
    const w = scripted('cat $here/good.md');
    const { code, out } = await plan(w, 'x');
    expect(code).toBe(0);
    expect(out).toContain('me wrote plan.md: 2 tasks');
    expect(out).toContain('longest path: a → b (2 steps)');
    expect(out).toContain('It would run 2 shell commands:\n  run       echo a  (a)\n  run       echo b  (b)\n');
    expect(out).toContain('Nothing was run.');
    expect(out).toContain('  signalbox approve plan.md\n  signalbox run plan.md\n');
  });

  it('is told which agents are missing here, too', async () => {
    const w = scripted('[ $n = 1 ] && printf -- "- [ ] a: Do\\n  - agent: nobody\\n" || cat $here/good.md');
    expect((await plan(w, 'x', '--json')).json).toMatchObject({ outcome: 'written', rounds: 2 });
    expect(told(w, 2)).toContain('wants the agent nobody, which signalbox.yaml does not have');
  });

  it('that only lacks an agent is better than one with mistakes', async () => {
    const w = scripted('[ $n = 1 ] && printf -- "- [ ] a: Do\\n  - agent: nobody\\n" || cat $here/bad.md');
    const { code, json } = await plan(w, 'x', '--json');
    expect({ code, json }).toMatchObject({
      code: 0,
      json: { outcome: 'written', rounds: 3, hindrances: [{ task: 'a' }] },
    });
    expect(w.read('plan.md')).toContain('agent: nobody');
  });

  it('has three rounds; then its text is a draft that is held as its work', async () => {
    const w = scripted('cat $here/bad.md');
    const { code, json } = await plan(w, 'x', '--json');
    expect({ code, json }).toMatchObject({ code: 3, json: { outcome: 'draft', plan: 'plan.draft.md', rounds: 3 } });
    expect(json.diagnostics).toMatchObject([{ code: 'unknown-id', line: 3 }]);
    expect([calls(w), w.has('plan.md'), w.read('plan.draft.md')]).toEqual([3, false, bad]);
    // Mended by a person, under both names: the command is still the agent's.
    for (const name of ['plan.draft.md', 'plan.md']) {
      w.write(name, bad.replace(' → nowhere', ''));
      expect((await w.run('run', name)).code).toBe(4);
    }
    const again = await plan(w, 'x', '--out', 'other.md');
    expect(again.err).toContain('still has mistakes after 3 rounds');
    expect(again.err).toContain('signalbox check other.draft.md');
  });

  it.each([
    ['says nothing', 'true', 'its last message, which is its result, is empty'],
    ['says nothing between fences', "printf '```markdown\\n```\\n'", 'is empty'],
    ['fails', 'echo half; echo "no key" >&2; exit 3', 'exited with code 3'],
  ])('that %s is exit 1, with the end of its output', async (_, script, because) => {
    const w = scripted(script);
    const { code, err } = await plan(w, 'x');
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(because) });
    if (script.includes('no key')) expect(err).toMatch(/\n {2}half\n {2}no key\n/);
    expect(names(w)).toEqual(['.agent', 'signalbox.yaml']);
  });

  it('that takes too long is ended', async () => {
    const w = scripted('sleep 1000');
    w.write('signalbox.yaml', `${w.read('signalbox.yaml')}timeout: 300ms\n`);
    expect(await plan(w, 'x')).toMatchObject({ code: 1, err: expect.stringContaining('me ran longer than 300 ms') });
  });

  it('that fails in a later round leaves what it wrote before as a draft', async () => {
    const w = scripted('[ $n = 1 ] && cat $here/bad.md || exit 1');
    const { code, err } = await plan(w, 'x');
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining('What it wrote before is in plan.draft.md'),
    });
    expect(w.read('plan.draft.md')).toBe(bad);
  });

  it('that is at the limit of its account is exit 6', async () => {
    const stream = readFileSync('test/fixtures/streams/claude/usage-limit.jsonl', 'utf8');
    const w = scripted('cat $here/stream', { '.agent/stream': stream });
    const { code, json } = await plan(w, 'x', '--json');
    expect({ code, json }).toMatchObject({ code: 6, json: { outcome: 'quota', until: expect.any(String) } });
  });

  it('gets no terminal to obey it', async () => {
    const evil = '- [ ] a: Do\\033[2J\\n  - run: `echo \\033]0;x\\007safe`\\n';
    const w = scripted(`printf -- '${evil}'`);
    const { out } = await plan(w, 'x');
    expect(out).toContain('run       echo safe');
    expect(w.read('plan.md')).toBe('- [ ] a: Do\n  - run: `echo safe`\n');
  });

  it('works in a copy: it sees what is there, also what is not committed, and changes nothing', async () => {
    const w = scripted(
      'ls -a > "$here/seen"; echo spoiled > a.txt; echo new > new.txt; mkdir -p .git; cat $here/good.md',
      {
        '.gitignore': 'ignored\n.agent\n',
        'a.txt': 'committed\n',
        ignored: 'x',
      },
    );
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: w.folder });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'one');
    w.write('b.txt', 'not committed');
    const before = git('status', '--porcelain', '--ignored').toString();
    expect(await plan(w, 'x')).toMatchObject({ code: 0, err: '' });
    expect(w.read('.agent/seen').split('\n')).toEqual([
      '.',
      '..',
      '.gitignore',
      'a.txt',
      'b.txt',
      'signalbox.yaml',
      '',
    ]);
    expect([w.read('a.txt'), w.has('new.txt'), w.has('.signalbox')]).toEqual(['committed\n', false, false]);
    expect(git('status', '--porcelain', '--ignored').toString()).toBe(`${before.replace('!!', '?? plan.md\n!!')}`);
    expect(git('worktree', 'list').toString().trim().split('\n')).toHaveLength(1);
  });

  it('works in the files themselves where git cannot copy them, and what it changes is told', async () => {
    const w = scripted('echo spoiled > a.txt; cat $here/good.md', { 'bin/x': '' });
    mkdirSync(join(w.folder, 'tools'));
    for (const name of ['sh', 'cat', 'perl', 'mkdir', 'rm'])
      symlinkSync(execFileSync('which', [name]).toString().trim(), join(w.folder, 'tools', name));
    const { code, json } = await w.runWith({ PATH: join(w.folder, 'tools') }, 'plan', 'x', '--agent', 'me', '--json');
    expect({ code, json }).toMatchObject({
      code: 0,
      json: { notes: [expect.stringMatching(/changed (?!.*plan\.md).*a\.txt/)] },
    });
  });
});

describe('the file', () => {
  it('never takes the place of another, unless that is said', async () => {
    const w = scripted('cat $here/good.md', { 'plan.md': 'mine\n' });
    expect((await plan(w, 'Add a Search-Page, with tests', '--json')).json.plan).toBe('add-a-search-page.md');
    expect((await plan(w, 'Add a search page now', '--json')).json.plan).toBe('add-a-search-page-2.md');
    const refused = await plan(w, 'x', '--out', 'plan.md');
    expect({ code: refused.code, calls: calls(w) }).toEqual({ code: 2, calls: 2 });
    expect((await plan(w, 'x', '--out', 'plan.txt')).code).toBe(2);
    expect((await plan(w, 'x', '--out', 'none/plan.md')).err).toContain('its folder does not exist');
    expect([calls(w), w.read('plan.md')]).toEqual([2, 'mine\n']);
    expect((await plan(w, 'x', '--out', 'plan.md', '--force', '--json')).json.plan).toBe('plan.md');
    expect(w.read('plan.md')).toBe(good);
    expect((await w.run('run', 'plan.md')).code).toBe(4);
  });

  it('is written for words, for a file that says them, and for nothing else', async () => {
    const w = scripted('cat $here/good.md', { 'wish.txt': 'make it so\n' });
    expect((await plan(w, 'wish.txt')).code).toBe(0);
    expect(told(w, 1)).toContain('```\nmake it so\n```');
    expect(await plan(w, ' ')).toMatchObject({
      code: 2,
      err: expect.stringContaining('you did not say what you want'),
    });
    // Its standard input is empty.
    expect((await w.start('plan', '--agent', 'me').ended).code).toBe(2);
    expect(calls(w)).toBe(1);
  });

  it('needs an agent', async () => {
    const w = new Workspace({ 'signalbox.yaml': 'agents: {}\n' });
    const none = await w.runWith({ PATH: '/nowhere' }, 'plan', 'x');
    expect(none).toMatchObject({ code: 7, err: expect.stringContaining('there is no agent to write the plan') });
    const unknown = await w.run('plan', 'x', '--agent', 'claud');
    expect(unknown).toMatchObject({ code: 7, err: expect.stringContaining('did you mean claude?') });
  });
});

it('is interrupted: everything that the agent has started ends, and nothing is left', async () => {
  const w = scripted('sleep 1000 & echo $! > "$here/pid"; echo begun > "$here/begun"; wait');
  const started = w.start('plan', 'x', '--agent', 'me');
  await w.appears('.agent/begun');
  started.kill('SIGINT');
  expect((await started.ended).code).toBe(130);
  // A dead one that nobody has waited for has no identity either.
  expect(identify(Number(w.read('.agent/pid')))).toBeNull();
  expect(names(w)).toEqual(['.agent', 'signalbox.yaml']);
  expect(readdirSync(userFolder('planning'))).toEqual([]);
});

it('is killed: what it left is swept away by the next one', async () => {
  const w = scripted('echo begun > "$here/begun$n"; [ $n = 1 ] && sleep 5; cat $here/good.md');
  const started = w.start('plan', 'x', '--agent', 'me');
  await w.appears('.agent/begun1');
  started.kill('SIGKILL');
  await started.ended;
  expect(readdirSync(userFolder('planning'))).toHaveLength(1);
  expect((await plan(w, 'x')).code).toBe(0);
  expect(readdirSync(userFolder('planning'))).toEqual([]);
});
