// What counts as done: an agent that has done nothing fails whatever it says, one that goes round in circles is stopped, and the next
// attempt learns why the last one failed.
import { describe, expect, it } from 'vitest';
import { type Line, Workspace } from '../rig.ts';

const agent = (script: string, more = '', keys = '') =>
  new Workspace({
    'signalbox.yaml': `agents:\n  x: {kind: command, command: [sh, agent.sh]}\n${more}`,
    'plan.yaml': `tasks:\n  a: {agent: x${keys}}\n`,
    'agent.sh': script,
  });
const call = (command: string) =>
  JSON.stringify({ type: 'assistant', message: { content: [{ type: 'tool_use', name: 'Bash', input: { command } }] } });
const evidenceIn = (lines: readonly { type: string; evidence?: unknown }[]) =>
  lines.filter(({ type }) => type === 'attempt-ended').map(({ evidence }) => evidence);

describe('evidence', () => {
  it('an agent that ended well with nothing said and nothing changed has failed', async () => {
    const { code, lines } = await agent('exit 0', 'retries: 0').run('run', 'plan.yaml', '--json');
    expect(code).toBe(1);
    expect(evidenceIn(lines)).toEqual([{ output: false, changed: false }]);
    expect(lines.find(({ type }) => type === 'task-failed')).toMatchObject({ failure: { kind: 'nothing-done' } });
  });

  it('so has one that says that all is done and has called no tool', async () => {
    const result = '{"type":"result","session_id":"s","result":"All done."}';
    const { code, lines } = await agent(`echo '${result}'`, 'retries: 0').run('run', 'plan.yaml', '--json');
    expect(code).toBe(1);
    expect(evidenceIn(lines)).toEqual([{ output: true, changed: false, toolCalls: 0 }]);
  });

  it.each([
    ['changed a file', 'echo x >> deep/file', true],
    ['committed', 'git init -q; git -c user.name=x -c user.email=x@y commit -q --allow-empty -m x', true],
  ])('one that %s has done something', async (_, script, changed) => {
    const w = agent(script);
    w.write('deep/file', '');
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(0);
    expect(evidenceIn(lines)).toMatchObject([{ changed }]);
  });

  it.each([
    ['made calls', `echo '${call('ls')}'`],
    ['said something', 'echo looked at everything'],
  ])('one that only %s has done nothing, unless its check is green', async (_, script) => {
    const { code, lines } = await agent(script, 'retries: 0').run('run', 'plan.yaml', '--json');
    expect(code).toBe(1);
    expect(lines.find(({ type }) => type === 'task-failed')).toMatchObject({ failure: { kind: 'nothing-done' } });
    expect((await agent(script, 'retries: 0', ', check: "true"').run('run', 'plan.yaml')).code).toBe(0);
  });

  it('what it says is the result of a task that produces text, kept as its findings; to say nothing is to fail', async () => {
    const w = agent('echo looked at everything', 'retries: 0', ', produces: text');
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
    expect((await w.run('read-findings', 'a')).out).toContain('looked at everything');
    expect((await agent('touch x', 'retries: 0', ', produces: text').run('run', 'plan.yaml')).code).toBe(1);
  });

  it('nobody looks at what plain commands do', async () => {
    const w = new Workspace({ 'plan.yaml': 'tasks:\n  a: {run: "true"}\n' });
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect([code, evidenceIn(lines)]).toEqual([0, [undefined]]);
  });

  it('the same call again and again: the agent is ended, and a person decides', async () => {
    const script = `i=0; while [ $i -lt 5 ]; do echo '${call('make')}'; i=$((i+1)); done; touch up; sleep 1000`;
    const w = agent(script, 'livelock: {same-calls: 5}');
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(4);
    expect(lines.find(({ type }) => type === 'attempt-doomed')).toMatchObject({ doom: { kind: 'looping', times: 5 } });
    expect(lines.find(({ type }) => type === 'decision-opened')).toMatchObject({
      kind: 'livelock',
      task: 'a',
      evidence: { kind: 'same-calls', call: 'Bash {"command":"make"}', times: 5 },
    });
    expect(await w.status()).toEqual({ a: 'suspended' });
  });

  const silent = 'echo one; printf "\\033[31mthe last\\007\\n\\n"; sleep 1000';
  const failure = { kind: 'idle', limitMs: 1000, last: 'the last' };

  it('a silent agent is ended and tried again without a retry, until a person is asked with the last that it said', async () => {
    const w = agent(silent, 'retries: 0', ', idle-timeout: 1s');
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(4);
    const again = lines.filter(({ type }) => type === 'retry-scheduled');
    expect(again).toMatchObject([
      { because: 'silent', failure },
      { because: 'silent', failure },
    ]);
    expect(lines.find(({ type }) => type === 'decision-opened')).toMatchObject({
      kind: 'livelock',
      evidence: { kind: 'silence', times: 3, last: 'the last' },
    });
    const { out } = await w.run('decide', 'd1');
    expect(out).toContain('Its agent fell silent and was stopped, 3 times in a row; the last it said: the last');
    expect((await w.run('decide', 'd1', 'retry')).code).toBe(0);
  });

  it('a silent agent has failed where the settings forgive no silence', async () => {
    const w = agent(silent, 'retries: 0\nlivelock: {silence: 0}', ', idle-timeout: 1s');
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(1);
    expect(lines.find(({ type }) => type === 'task-failed')).toMatchObject({ failure });
  });
});

describe('agents in one folder', () => {
  /** `a` ends when the other has written `b.txt`, which ends when `a` is over. */
  const beside = (
    keys: string,
    script: string,
    other = '{run: "until test -e up; do sleep 0.05; done; echo b > b.txt"}',
  ) =>
    new Workspace({
      'signalbox.yaml': 'retries: 0\nagents:\n  x: {kind: command, command: [sh, agent.sh]}\n',
      'plan.yaml': `tasks:\n  a: {agent: x${keys}}\n  b: ${other}\n`,
      'agent.sh': `touch up\nuntil test -e b.txt; do sleep 0.05; done\n${script}\n`,
    });
  const ended = (lines: readonly Line[]) => lines.find(({ type, task }) => type === 'attempt-ended' && task === 'a');

  it('what another task changed is not the work of one that did nothing', async () => {
    const { code, lines, out } = await beside('', 'echo all done').run('run', 'plan.yaml', '--json');
    expect(code, out).toBe(1);
    expect(ended(lines)?.evidence).toEqual({ output: true, unclear: true });
    expect(lines.find(({ type }) => type === 'task-failed')).toMatchObject({
      task: 'a',
      failure: { kind: 'nothing-done', lacks: 'owner' },
    });
  });

  it.each([
    ['a file that the plan gives to it', ', files: a.txt', 'echo a > a.txt', 0],
    ['a file that it locked itself', '', 'signalbox lock try a.txt; echo a > a.txt', 0],
    ['a file that nobody gave to it', '', 'echo a > a.txt', 1],
    ['another file than its own', ', files: a.txt', 'echo c > c.txt', 1],
  ])('the change of %s counts if nobody else may have made it', async (_, keys, script, code) => {
    const run = await beside(keys, script).run('run', 'plan.yaml', '--json');
    expect(run.code, run.out + run.err).toBe(code);
  });

  it('a file counts that its stream says it wrote, if the file did change', async () => {
    const write = (file: string) =>
      JSON.stringify({
        type: 'assistant',
        message: { content: [{ type: 'tool_use', id: '1', name: 'Write', input: { file_path: file } }] },
      });
    const said = (script: string) =>
      beside('', `echo '${write('a.txt')}'; ${script}`).run('run', 'plan.yaml', '--json');
    expect((await said('echo a > a.txt')).code).toBe(0);
    expect((await said('true')).code).toBe(1);
  });
});

describe('the next attempt', () => {
  it('is told which check was not green, and the end of what it printed', async () => {
    const w = agent(
      'cat > "told.$SIGNALBOX_ATTEMPT"; echo x >> work',
      '',
      `, check: "printf '\\\\033[2Jexpected 2 lines'; test $(wc -l < work) = 2"`,
    );
    const { code } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(0);
    expect(w.read('told.a#2')).toMatch(/did not pass its check[\s\S]*```\nexpected 2 lines\n```/);
    expect(w.read('told.a#2')).not.toContain('\u001b');
  });

  it('is told how the one before failed', async () => {
    const w = agent('cat > "told.$SIGNALBOX_ATTEMPT"; test $SIGNALBOX_ATTEMPT = a#2');
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
    expect(w.read('told.a#2')).toContain('The previous attempt ended with exit code 1.');
  });
});
