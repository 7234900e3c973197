// The hooks of coding agents, from an attempt: the agent is a script that calls `signalbox hook` as the real programs do and prints what it
// did in their words. `npm run test:agents` drives the real ones.
import { spawnSync } from 'node:child_process';
import { chmodSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Line, Workspace } from '../rig.ts';

const launcher = resolve('bin/signalbox.cjs');
const told = (tool: string, input: object, event = 'PreToolUse') =>
  JSON.stringify({ hook_event_name: event, tool_name: tool, tool_input: input, tool_use_id: 't1' });

/** Asks its hook; the answer is kept in a file. */
const ask = (answer: string, text: string) =>
  `printf '%s' '${text}' | signalbox hook claude > .signalbox/${answer}; echo $? >> .signalbox/${answer}`;
const shellCall = (command: string) =>
  [ask('began', told('Bash', { command })), command, ask('ended', told('Bash', { command }, 'PostToolUse'))].join('\n');

const streamOf = (...calls: { tool: string; input: object; ok: boolean }[]) =>
  [
    { type: 'system', subtype: 'init', session_id: 's' },
    ...calls.flatMap(({ tool, input, ok }, i) => [
      { type: 'assistant', message: { content: [{ type: 'tool_use', id: `${i}`, name: tool, input }] } },
      {
        type: 'user',
        message: { content: [{ type: 'tool_result', tool_use_id: `${i}`, content: '', is_error: !ok }] },
      },
    ]),
    { type: 'result', is_error: false, session_id: 's', result: 'Done.' },
  ]
    .map((line) => JSON.stringify(line))
    .join('\n');

function workspace(script: string, { stream = streamOf(), settings = '', keys = '' } = {}): Workspace {
  const w = new Workspace({
    'signalbox.yaml': `retries: 0\n${settings}agents:\n  claude: {command: [./fake.sh]}\n`,
    'plan.yaml': `tasks:\n  a: {title: Write the file, agent: claude${keys}}\n`,
    'fake.sh': `#!/bin/sh\ntest "$1" = --version && { echo "2.1.325 (Claude Code)"; exit; }\n${script}\ncat stream\n`,
    stream,
  });
  chmodSync(join(w.folder, 'fake.sh'), 0o755);
  return w;
}

const ofType = (lines: readonly Line[], ...types: string[]) => lines.filter(({ type }) => types.includes(type));

/** The reason of a denial; null: the call may pass. */
function denial(w: Workspace, answer = 'answer'): string | null {
  const [text = '', code] = w.read(`.signalbox/${answer}`).trim().split('\n').reverse().slice(0, 2).reverse();
  if (code === undefined) {
    expect(text).toBe('0');
    return null;
  }
  expect(code).toBe('0');
  const { decision, reason, hookSpecificOutput } = JSON.parse(text);
  expect([decision, hookSpecificOutput.permissionDecision, hookSpecificOutput.permissionDecisionReason]).toEqual([
    'block',
    'deny',
    reason,
  ]);
  return reason;
}

describe('the hook before an edit', () => {
  it('takes the lock on the file, by whatever name it is called', async () => {
    const w = workspace(`${ask('answer', told('Write', { file_path: './x {1}.txt' }))}\necho hi > 'x {1}.txt'`);
    const { code, lines, out } = await w.run('run', 'plan.yaml', '--json');
    expect(code, out).toBe(0);
    expect(denial(w)).toBeNull();
    expect(ofType(lines, 'lock-acquired')).toMatchObject([{ attempt: 'a#1', mode: 'exclusive' }]);
    expect(ofType(lines, 'attempt-ended')[0].evidence).toMatchObject({ changed: true, files: [{ file: 'x {1}.txt' }] });
  });

  it('takes all files of a patch at once', async () => {
    const patch = '*** Begin Patch\n*** Add File: x.txt\n+1\n*** Update File: y.txt\n@@\n-1\n+2\n*** End Patch\n';
    const text = JSON.stringify({
      hook_event_name: 'PreToolUse',
      tool_name: 'apply_patch',
      tool_input: { command: patch },
    });
    const w = workspace(`signalbox hook codex < patch.json\necho > x.txt`);
    w.write('patch.json', text);
    const { lines } = await w.run('run', 'plan.yaml', '--json');
    expect(ofType(lines, 'lock-acquired').map(({ resource }) => resource)).toEqual(['x.txt', 'y.txt']);
  });

  it.each([
    ['outside of the workspace', { file_path: '/tmp/elsewhere.txt' }, null],
    ['in .signalbox', { file_path: '.signalbox/state.db' }, 'belongs to Signalbox'],
    ['in .signalbox, by another way', { file_path: 'src/../.signalbox/x' }, 'belongs to Signalbox'],
    ['without a name', {}, 'does not say which file'],
  ])('a file %s', async (_, input, reason) => {
    const w = workspace(`${ask('answer', told('Write', input))}\necho > done.txt`);
    expect((await w.run('run', 'plan.yaml', '--json')).code).toBe(0);
    if (reason === null) expect(denial(w)).toBeNull();
    else expect(denial(w)).toContain(reason);
  });

  it('denies every call once the attempt is over, its state is gone, or it belongs to nobody', async () => {
    const w = workspace('env > environment\necho > x.txt');
    await w.run('run', 'plan.yaml');
    const env = Object.fromEntries(
      w
        .read('environment')
        .split('\n')
        .filter((line) => /^(PATH|HOME|SIGNALBOX_\w+)=/.test(line))
        .map((line) => line.split(/=(.*)/s).slice(0, 2)),
    );
    const asked = (more: Record<string, string>, input = told('Write', { file_path: 'x.txt' })) => {
      const { stdout, status } = spawnSync(process.execPath, [launcher, 'hook', 'claude'], {
        cwd: w.folder,
        env: { ...env, ...more },
        input,
        encoding: 'utf8',
      });
      expect(status).toBe(0);
      return stdout === '' ? null : JSON.parse(stdout).reason;
    };
    const calls = [
      told('Write', { file_path: 'x.txt' }),
      told('Write', { file_path: '/tmp/elsewhere.txt' }),
      told('Bash', { command: 'ls' }),
      told('mcp__files__write', { path: 'x.txt' }),
      told('Read', { file_path: 'x.txt' }),
      'no JSON',
    ];
    for (const call of calls) expect(asked({}, call), call).toContain('This attempt is being stopped');
    expect(asked({}, told('Bash', { command: 'ls' }, 'PostToolUse'))).toBeNull();
    expect(asked({ SIGNALBOX_TOKEN: '' })).toContain('not called from an attempt');
    expect(asked({ SIGNALBOX_TOKEN: 'another:1' }, calls[2])).toContain('belongs to other state');
    renameSync(join(w.folder, '.signalbox'), join(w.folder, '.elsewhere'));
    for (const call of calls) expect(asked({}, call), call).toContain('is gone');
    expect(w.has('.signalbox')).toBe(false);
  });

  it('denies where it does not know the agent, and fails where it cannot even answer', async () => {
    const w = workspace('');
    const { status, stdout } = spawnSync(process.execPath, [launcher, 'hook', 'nobody'], {
      cwd: w.folder,
      input: '{}',
      encoding: 'utf8',
    });
    expect({ status, reason: JSON.parse(stdout).reason }).toEqual({
      status: 0,
      reason: expect.stringContaining('nobody is not a kind of agent with hooks'),
    });
    w.write('signalbox.yaml', 'agents: 7\n');
    expect(spawnSync(process.execPath, [launcher, 'hook', 'claude'], { cwd: w.folder, input: '{}' }).status).toBe(3);
  });

  it('denies every edit of a reviewer', async () => {
    const approval = JSON.stringify({ verdict: 'approved', issues: [] });
    const w = workspace(
      `if test -n "$SIGNALBOX_ATTEMPT"; then ${ask('edit', told('Write', { file_path: 'x.txt' }))}\necho > x.txt; else ${ask('answer', told('Write', { file_path: 'y.txt' }))}\necho '${approval}' > .signalbox/verdict; fi`,
      { settings: 'review-agent: claude\n', keys: ', review: agent' },
    );
    await w.run('run', 'plan.yaml', '--json');
    expect(denial(w)).toContain('A reviewer changes no files');
  });
});

it('the prompt says what locks by itself and what does not, and without hooks that nothing does', async () => {
  const w = workspace('');
  expect((await w.run('prompt', 'a', '--plan', 'plan.yaml')).out).toMatch(
    /Your edits lock their files by themselves\.[\s\S]*Before a shell command writes to a file: `signalbox lock wait PATH`/,
  );
  w.write('signalbox.yaml', `locks: advisory\n${w.read('signalbox.yaml')}`);
  const { out } = await w.run('prompt', 'a', '--plan', 'plan.yaml');
  expect(out).toContain('Before you write to a file: `signalbox lock wait PATH`');
  expect(out).not.toContain('by themselves');
});

describe('a shell command', () => {
  it('that writes a free file locks it afterwards; what is ignored is nobody’s', async () => {
    const w = workspace(shellCall('echo 1 > new.txt; mkdir -p out; echo 1 > out/x'));
    spawnSync('git', ['init', '-q'], { cwd: w.folder });
    w.write('.gitignore', 'out\n');
    const { code, lines, out } = await w.run('run', 'plan.yaml', '--json');
    expect(code, out).toBe(0);
    expect(ofType(lines, 'write-found').map(({ files }) => files)).toEqual([[{ path: 'new.txt', finding: 'late' }]]);
    expect(ofType(lines, 'lock-acquired')).toMatchObject([{ resource: 'new.txt', attempt: 'a#1' }]);
    expect([denial(w, 'began'), denial(w, 'ended')]).toEqual([null, null]);
  });

  it('that writes what another holds is told so at once, and fails where the settings say so', async () => {
    const w = workspace(shellCall('echo 1 > hers.txt'), { settings: 'audit: fail\n' });
    await w.run('lock', 'try', 'hers.txt', '--agent', 'ann');
    const { code, lines, out } = await w.run('run', 'plan.yaml', '--json');
    expect(ofType(lines, 'write-found')[0].files, out).toEqual([
      { path: 'hers.txt', finding: 'foreign', holder: 'ann' },
    ]);
    expect(JSON.parse(w.read('.signalbox/ended').split('\n')[0]!).hookSpecificOutput.additionalContext).toContain(
      'hers.txt (locked by ann)',
    );
    expect(code, out).toBe(1);
    expect(ofType(lines, 'task-failed')[0].failure).toEqual({ kind: 'audit', files: ['hers.txt'] });
    const { out: text } = await w.run('status');
    expect(text).toContain('wrote to files without their locks: hers.txt');
  });

  it('that writes many files is held against every lock', async () => {
    const w = workspace(shellCall('for i in $(seq 10 80); do echo 1 > f$i.txt; done; echo 1 > z-hers.txt'), {
      settings: 'audit: fail\n',
    });
    spawnSync('git', ['init', '-q'], { cwd: w.folder });
    await w.run('lock', 'try', 'z-hers.txt', '--agent', 'ann');
    const { lines, out } = await w.run('run', 'plan.yaml', '--json');
    const [{ files }] = ofType(lines, 'write-found');
    expect(files, out).toHaveLength(50);
    expect(files[0]).toEqual({ path: 'z-hers.txt', finding: 'foreign', holder: 'ann' });
    expect(ofType(lines, 'lock-acquired')).toHaveLength(71);
    expect(ofType(lines, 'task-failed')[0].failure).toEqual({ kind: 'audit', files: ['z-hers.txt'] });
  });

  it('that is not over when its attempt ends is looked at then', async () => {
    const w = workspace(`${ask('began', told('Bash', { command: 'x' }))}\necho 1 > hers.txt; echo 1 > free.txt`, {
      settings: 'audit: fail\n',
    });
    await w.run('lock', 'try', 'hers.txt', '--agent', 'ann');
    const { code, lines, out } = await w.run('run', 'plan.yaml', '--json');
    expect(code, out).toBe(1);
    expect(ofType(lines, 'attempt-ended')[0].evidence.audit).toEqual({
      files: [
        { path: 'hers.txt', finding: 'foreign', holder: 'ann' },
        { path: 'free.txt', finding: 'late' },
      ],
      fails: true,
    });
  });

  it.each([
    ['goes on', 'until test -e a-done; do sleep 0.1; done'],
    ['has ended since', 'true'],
  ])('is only suspect of what changed beside a task without hooks that %s', async (_, rest) => {
    const w = workspace(
      shellCall('touch up; until test -e theirs.txt; do sleep 0.1; done; until test -e go; do sleep 0.1; done').concat(
        '\ntouch a-done',
      ),
    );
    w.write(
      'plan.yaml',
      `tasks:\n  a: {agent: claude}\n  r: {run: 'until test -e up; do sleep 0.1; done; echo > theirs.txt; ${rest}'}\n`,
    );
    const run = w.start('run', 'plan.yaml', '--json');
    if (rest === 'true') await run.line(({ type, task }) => type === 'task-completed' && task === 'r');
    else await w.appears('theirs.txt');
    w.write('go', '');
    const { lines, out } = await run.ended;
    const found = ofType(lines, 'write-found').flatMap(({ files }) => files);
    expect(found, out).toContainEqual({ path: 'theirs.txt', finding: 'suspect' });
    expect(ofType(lines, 'lock-acquired')).toEqual([]);
  });

  it('is only suspect of what changed while another attempt was at work', async () => {
    const w = workspace(
      `if test $SIGNALBOX_TASK = b; then ${ask('b', told('Bash', { command: 'x' }))}\ntouch b-works; until test -e a-done; do :; done\nelse until test -e b-works; do :; done\n${shellCall('echo 1 > whose.txt')}\ntouch a-done\nfi`,
    );
    w.write('plan.yaml', 'tasks:\n  a: {agent: claude}\n  b: {agent: claude}\n');
    const { lines, out } = await w.run('run', 'plan.yaml', '--json');
    const found = ofType(lines, 'write-found').flatMap(({ files }) => files);
    expect(found, out).toContainEqual({ path: 'whose.txt', finding: 'suspect' });
    expect(ofType(lines, 'lock-acquired')).toEqual([]);
  });
});

describe('an agent without its hooks', () => {
  const stream = streamOf({ tool: 'Read', input: { file_path: 'x' }, ok: true });

  it('is stopped as ungoverned, and not tried again', async () => {
    const w = workspace('cat stream\necho > x.txt\nsleep 600', { stream });
    const { code, lines, out } = await w.run('run', 'plan.yaml', '--json');
    expect(code, out).toBe(1);
    expect(ofType(lines, 'attempt-doomed')).toMatchObject([{ doom: { kind: 'ungoverned' } }]);
    expect(ofType(lines, 'task-failed')[0].failure).toEqual({ kind: 'agent', class: 'ungoverned', message: '' });
    expect((await w.run('why', 'a')).out).toContain('works without its hooks');
  });

  it('is judged so too when it has ended before it could be stopped', async () => {
    const w = workspace('echo > x.txt', { stream });
    const { code, lines } = await w.run('run', 'plan.yaml', '--json');
    expect(code).toBe(1);
    expect(ofType(lines, 'task-failed')[0].failure).toMatchObject({ kind: 'agent', class: 'ungoverned' });
  });

  it('that hides which locks it had has had none', async () => {
    const wrote = streamOf({ tool: 'Write', input: { file_path: 'x.txt' }, ok: true });
    const script = `${ask('answer', told('Write', { file_path: 'x.txt' }))}\necho > x.txt; rm -rf .signalbox/before; echo > .signalbox/before`;
    const w = workspace(script, { stream: wrote, settings: 'audit: fail\n' });
    const { code, lines, out } = await w.run('run', 'plan.yaml', '--json');
    expect(code, out).toBe(1);
    expect(ofType(lines, 'task-failed')[0].failure).toEqual({ kind: 'audit', files: ['x.txt'] });
  });

  it('works with `locks: advisory`, and what it wrote is held against its locks', async () => {
    const wrote = streamOf(
      { tool: 'Write', input: { file_path: 'x.txt' }, ok: true },
      { tool: 'Write', input: { file_path: 'y.txt' }, ok: true },
    );
    const options = { stream: wrote, settings: 'locks: advisory\n', keys: ', files: [x.txt]' };
    const w = workspace('echo > x.txt; echo > y.txt', options);
    const { code, lines, out } = await w.run('run', 'plan.yaml', '--json');
    expect(code, out).toBe(0);
    expect(ofType(lines, 'attempt-ended')[0].evidence.audit).toEqual({
      files: [{ path: 'y.txt', finding: 'unlocked' }],
    });
    const words = 'wrote without a lock: y.txt (never locked)';
    expect((await w.run('logs', 'a')).out).toContain('Wrote without a lock: y.txt (never locked)');
    expect((await w.run('events')).out).toContain(words);
    const { out: text } = await workspace('echo > x.txt; echo > y.txt', options).run('run', 'plan.yaml');
    expect(text.split(words)).toHaveLength(2);
  });
});
