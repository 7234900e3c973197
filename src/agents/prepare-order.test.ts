import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { attemptId, planPath, runId, taskId } from '../core/model/ids.ts';
import type { Plan, Task, TaskKeys } from '../core/model/plan.ts';
import type { AgentSettings } from '../core/model/settings.ts';
import { attemptVariables } from './kinds/known-program.ts';
import { type OrderRequest, prepareOrder } from './prepare-order.ts';
import { journalFile, outputFile, promptFile } from './process/attempt-files.ts';
import { baseEnvironment } from './process/base-environment.ts';
import { findProgram } from './process/find-program.ts';
import { prompt } from './prompt/prompt.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-order-'));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'mytool'), '#!/bin/sh\n');
  chmodSync(join(folder, 'bin', 'mytool'), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true }));

const task = (id: string, keys: TaskKeys, more: Partial<Task> = {}): Task => ({
  id: taskId(id),
  title: `Do ${id}`,
  line: 1,
  phase: 0,
  keys,
  ...more,
});
const planOf = (...tasks: Task[]): Plan => ({
  path: planPath('plans/checkout.md'),
  title: 'Checkout',
  order: 'explicit',
  phases: [{ name: 'Service' }],
  tasks,
});
const agent = (command: string[], more: Partial<AgentSettings> = {}): AgentSettings => ({
  kind: 'command',
  command,
  args: [],
  env: {},
  line: 1,
  ...more,
});
const request = (
  of: Task,
  agents: Record<string, AgentSettings> = {},
  more: Partial<OrderRequest> = {},
): OrderRequest => ({
  plan: planOf(of),
  task: of,
  attempt: attemptId(of.id, 2),
  token: 17,
  run: runId('r1'),
  job: { kind: 'attempt' },
  settings: { agents, defaults: {}, unsupported: [] },
  paths: {
    workspace: folder,
    tree: folder,
    attempts: join(folder, 'attempts'),
    commands: join(folder, 'commands'),
    state: join(folder, 'own-state'),
  },
  environment: { PATH: `${join(folder, 'bin')}:/bin`, HOME: '/home/x' },
  personal: { PATH: `${join(folder, 'bin')}:/bin`, HOME: '/home/x' },
  ...more,
});

describe('an order', () => {
  it('for run: is a shell with that command, told who it is', () => {
    const prepared = prepareOrder(
      request(task('api', { run: 'npm test', env: { CI: '1', SIGNALBOX_TASK: 'forged' } })),
    );
    expect(prepared).toEqual({
      kind: 'order',
      order: {
        token: 17,
        run: 'r1',
        attempt: 'api#2',
        argv: ['/bin/sh', '-c', 'npm test'],
        cwd: folder,
        outputFile: join(folder, 'attempts', '17-api.2.log'),
        env: {
          CI: '1',
          PATH: `${join(folder, 'commands')}:${join(folder, 'bin')}:/bin`,
          SIGNALBOX_WORKSPACE: folder,
          SIGNALBOX_TREE: folder,
          SIGNALBOX_STATE: join(folder, 'own-state'),
          SIGNALBOX_PLAN: 'plans/checkout.md',
          SIGNALBOX_TASK: 'api',
          SIGNALBOX_ATTEMPT: 'api#2',
          SIGNALBOX_AGENT: 'api#2',
        },
      },
    });
    expect(existsSync(join(folder, 'attempts'))).toBe(false);
  });

  it('for a command agent has the values in its arguments and the prompt in a file for it alone', () => {
    const command = [
      'mytool',
      '--t={task}',
      '{attempt}',
      '{promptFile}',
      '{model}',
      '{workspace}',
      '{other}',
      '{task}{task}',
    ];
    const agents = { mine: agent(command, { model: 'opus', env: { A: 'agent', B: 'agent' } }) };
    const prepared = prepareOrder(request(task('$(id)', { agent: 'mine', env: { B: 'task' } }), agents));
    if (prepared.kind !== 'order') throw new Error(prepared.message);
    const { order } = prepared;
    const file = join(folder, 'attempts', '17-%24%28id%29.2.prompt.md');
    expect(order.argv).toEqual([
      join(folder, 'bin', 'mytool'),
      '--t=$(id)',
      '$(id)#2',
      file,
      'opus',
      folder,
      '{other}',
      '$(id)$(id)',
    ]);
    expect(order).toMatchObject({ stdinFile: file, env: { A: 'agent', B: 'task' } });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain('# Do $(id)');
  });

  it('puts values in once: a value that looks like a placeholder stays', () => {
    const prepared = prepareOrder(
      request(task('{model}', { agent: 'a', model: '{workspace}' }), { a: agent(['mytool', '{task} {model}']) }),
    );
    expect(prepared).toMatchObject({ order: { argv: [expect.anything(), '{model} {workspace}'] } });
  });

  it('names what is missing', () => {
    const missing = (keys: TaskKeys, agents = {}) => prepareOrder(request(task('t', keys), agents));
    expect(missing({ agent: 'a' }, { a: agent(['no-such-tool']) })).toEqual({
      kind: 'missing',
      program: 'no-such-tool',
      message: 'the program "no-such-tool" of agent "a" was not found',
    });
    expect(missing({ agent: 'a' }, { a: agent([]) })).toMatchObject({ kind: 'missing' });
    expect(missing({ agent: 'a' })).toMatchObject({ kind: 'missing', program: 'a' });
    expect(missing({ agent: 'toString' })).toMatchObject({ kind: 'missing' });
    expect(missing({ agent: 'a' }, { a: agent(['mytool'], { kind: 'amp' }) })).toMatchObject({ kind: 'missing' });
    expect(missing({})).toMatchObject({ kind: 'missing' });
    expect(existsSync(join(folder, 'attempts'))).toBe(false);
  });

  it.each<[string, string, Partial<OrderRequest>, boolean]>([
    ['an attempt', 'claude', {}, true],
    ['an attempt of a debugging agent', 'claude', { job: { kind: 'attempt', agent: 'other', escalated: true } }, true],
    ['a review', 'claude', { job: { kind: 'review' } }, false],
    ['what is no attempt of a run', 'claude', { isOutside: true }, false],
    ['any other program', 'command', {}, false],
  ])('has our MCP server or not: %s', (_, kind, more, isThere) => {
    const agents = { mine: agent(['mytool'], { kind }), other: agent(['mytool'], { kind }) };
    const settings = { agents, defaults: {}, unsupported: [], reviewAgent: 'other' };
    const prepared = prepareOrder(request(task('t', { agent: 'mine' }), {}, { settings, ...more }));
    if (prepared.kind !== 'order') throw new Error(prepared.message);
    const { argv, env } = prepared.order;
    expect(argv.includes('--mcp-config')).toBe(isThere);
    if (!isThere) return;
    const file = argv[argv.indexOf('--mcp-config') + 1]!;
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8')).mcpServers.signalbox).toMatchObject({
      command: join(folder, 'commands', 'signalbox'),
      args: ['mcp'],
    });
    // Programs that hand their servers only what is named are given these names.
    const ours = Object.keys(env).filter((name) => name.startsWith('SIGNALBOX_'));
    expect([...ours, 'SIGNALBOX_TOKEN'].sort()).toEqual([...attemptVariables].sort());
  });

  it('does not write its prompt through a planted link', () => {
    mkdirSync(join(folder, 'attempts'));
    writeFileSync(join(folder, 'victim'), 'precious');
    symlinkSync(join(folder, 'victim'), join(folder, 'attempts', '17-t.2.prompt.md'));
    expect(() => prepareOrder(request(task('t', { agent: 'a' }), { a: agent(['mytool']) }))).toThrow('ELOOP');
    expect(readFileSync(join(folder, 'victim'), 'utf8')).toBe('precious');
  });
});

describe('a prompt', () => {
  it('has the task, the groups around it, what counts, and what happened before', () => {
    const outer = task('api', {}, { group: true, title: 'Build the API', prompt: 'Use the router.' });
    const inner = task('auth', {}, { group: true, title: 'Authentication', parent: 0 });
    const own = task(
      'login',
      { accept: ['wrong passwords are refused', 'it is tested'] },
      { parent: 1, prompt: 'Add a login.' },
    );
    const wanted = task('docs', {}, { title: 'Write docs' });
    const text = prompt({
      plan: planOf(outer, inner, own, wanted),
      task: own,
      attempt: attemptId(own.id, 2),
      warnings: [{ task: wanted.id, status: 'skipped' }],
      previous: { kind: 'exit', code: 3 },
      note: 'Mind the tests.\n',
    });
    expect(text).toBe(`# Do login

This is task login of the plan "Checkout" (plans/checkout.md), phase "Service". Your attempt is login#2.

Add a login.

## Part of api: Build the API

Use the router.

## Part of auth: Authentication

## Acceptance criteria

- wrong passwords are refused
- it is tested

## How it is judged

Something in this folder must have changed when you end: an attempt that changes nothing has failed.

## Files

Others work in this folder at the same time. Write only to files that you have locked.

Before you write to a file: \`signalbox lock wait PATH\`. If that is refused (exit code 1: another has it; 5: you would wait for each other), leave the file alone, do what you can without it, and say at your end what is left.

## Warnings

- Task docs (Write docs) should have come first, but it was skipped. Do not rely on its result.

## Before

The previous attempt ended with exit code 3.

## A note from a person

Mind the tests.

## If you need a person

Nobody can answer while you work. If you cannot go on without an answer: \`signalbox suspend --question "…"\`, then end. Your next attempt gets the answer.
`);
  });

  it('says what the agent is judged by, what it holds, and what it can build on', () => {
    const own = task('b', {
      check: ['npm test', 'make\nmake lint'],
      files: ['src/b.ts'],
      locks: ['port:80'],
      reads: ['docs'],
    });
    const builtOn = [
      {
        ...{ id: 'a', title: 'First', files: ['src/a.ts', 'src/c.ts'] },
        findings: { file: 'docs/plan-outputs/p/findings/a.md', text: 'Use ```json```\u001b[2J.' },
      },
      { id: 'z', title: 'Last', findings: null, files: [] },
    ];
    const text = prompt({ plan: planOf(own), task: own, attempt: attemptId(own.id, 1), builtOn });
    expect(text).toContain('these commands must succeed:\n\n- `npm test`\n- \n\n```\nmake\nmake lint\n```');
    expect(text).toContain('You hold these until you end: src/b.ts, port:80.');
    expect(text).toContain('Nobody writes to these while you work, and neither do you: docs.');
    expect(text).toContain(
      '- a: First (its findings are in docs/plan-outputs/p/findings/a.md; it changed src/a.ts, src/c.ts)\n\n````\nUse ```json```.\n````\n\n- z: Last\n',
    );
  });

  it('has no rule about files for a task that only answers', () => {
    const own = task('b', { produces: 'text' });
    const text = prompt({ plan: planOf(own), task: own, attempt: attemptId(own.id, 1) });
    expect(text).toContain('Your last message is the result');
    expect(text).not.toContain('lock');
  });
});

describe('names of files', () => {
  const hostile = [
    '..',
    '../../etc/passwd',
    '%2e%2e/x',
    'a/b',
    'a\\b',
    'CON',
    'nul\0x',
    'a\nb',
    ' ',
    '',
    '.',
    '-rf',
    'é',
    '日本'.repeat(100),
    'x'.repeat(300),
    '#',
    'a#1',
  ];

  it('stay inside the folder, whatever the task is called', () => {
    for (const id of hostile) {
      for (const build of [outputFile, promptFile]) {
        const file = build(folder, { token: 3, attempt: attemptId(taskId(id), 1) });
        expect(relative(folder, file)).not.toContain(sep);
        expect(relative(folder, file)).toMatch(/^3-[\w.%-]{0,80}\.1\.(log|prompt\.md)$/);
      }
    }
  });

  it('refuse what is no token, attempt, run or folder', () => {
    const attempt = attemptId(taskId('t'), 1);
    for (const token of [0, -1, 1.5, Number.NaN, 2 ** 60])
      expect(() => outputFile(folder, { token, attempt })).toThrow();
    expect(() => outputFile(folder, { token: 1, attempt: 'x' as typeof attempt })).toThrow();
    expect(() => outputFile('relative', { token: 1, attempt })).toThrow();
    for (const run of ['', '..', '../x', 'a/b', '.hidden', 'a\0', 'x'.repeat(200)]) {
      expect(() => journalFile(folder, runId(run))).toThrow();
    }
    expect(journalFile(folder, runId('r1'))).toBe(join(folder, 'r1.journal'));
  });
});

describe('the environment', () => {
  it('passes what programs need and no secret', () => {
    const needed = {
      PATH: '/bin',
      HOME: '/h',
      USER: 'u',
      LOGNAME: 'u',
      LANG: 'C',
      LC_ALL: 'C',
      TERM: 'xterm',
      TMPDIR: '/t',
      TZ: 'UTC',
      SHELL: '/bin/sh',
      https_proxy: 'p',
      HTTPS_PROXY: 'p',
      no_proxy: 'n',
    };
    const secret = {
      AWS_SECRET_ACCESS_KEY: 's',
      GITHUB_TOKEN: 's',
      SIGNALBOX_TOKEN: 's',
      NODE_OPTIONS: 's',
      LD_PRELOAD: 's',
      PGPASSWORD: 's',
      LC_: 's',
      NOT_HTTP_PROXY: 's',
      NOTHING: undefined,
    };
    expect(baseEnvironment({ ...secret, ...needed })).toEqual(needed);
  });

  it('has all variables of an identity, or none beside those that the plan has chosen', () => {
    const identity = { GIT_AUTHOR_NAME: 'Signalbox', GIT_COMMITTER_NAME: 'Signalbox' };
    const envOf = (keys: TaskKeys) => {
      const prepared = prepareOrder(request(task('a', { run: 'true', ...keys }), {}, { identity }));
      return prepared.kind === 'order'
        ? Object.entries(prepared.order.env).filter(([name]) => /^GIT_/.test(name))
        : null;
    };
    expect(envOf({})).toEqual(Object.entries(identity));
    expect(envOf({ env: { OTHER: 'x' } })).toEqual(Object.entries(identity));
    expect(envOf({ env: { GIT_AUTHOR_NAME: 'me' } })).toEqual([['GIT_AUTHOR_NAME', 'me']]);
  });

  it('finds programs by the path, without a shell and never in the current folder', () => {
    const bin = join(folder, 'bin');
    expect(findProgram('mytool', `/nowhere:${bin}`)).toBe(join(bin, 'mytool'));
    expect(findProgram('mytool', `:.:bin`, folder)).toBeNull();
    expect(findProgram('./bin/mytool', '', folder)).toBe(join(bin, 'mytool'));
    expect(findProgram(join(bin, 'mytool'), '')).toBe(join(bin, 'mytool'));
    writeFileSync(join(bin, 'data'), '');
    chmodSync(join(bin, 'data'), 0o644);
    for (const name of ['data', 'missing', '', 'my\0tool', '..', bin]) expect(findProgram(name, bin)).toBeNull();
  });
});
