// What people see of coding agents: readable logs, the raw stream, and what each agent does now. The agent is a script that prints what the
// real program printed.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Line, Workspace } from '../rig.ts';

const recorded = readFileSync('test/fixtures/streams/claude/done.jsonl', 'utf8');
const [init, , write, written, bash, ...rest] = recorded.trimEnd().split('\n');

/** Prints the parts, and waits before each but the first for the file `go1`, `go2`, … */
function claude(parts: readonly string[], more: { readonly script?: string; readonly plan?: string } = {}) {
  const steps = parts.map((_, i) => `${i === 0 ? '' : `until test -e go${i}; do sleep 0.02; done; `}cat part${i}`);
  const w = new Workspace({
    'signalbox.yaml': `retries: 0\nlocks: advisory\nagents:\n  claude: {kind: claude, command: [sh, ./fake.sh]}\n`,
    'plan.yaml': `${more.plan ?? ''}tasks:\n  a: {title: Write the file, agent: claude}\n`,
    'fake.sh': `cat >/dev/null\n${steps.join('\n')}\n${more.script ?? ''}`,
  });
  for (const [i, part] of parts.entries()) w.write(`part${i}`, part);
  return w;
}

const text = `I write the file.

▸ Write a.txt
    File created successfully at: a.txt (file state is current in your context — no need to Read it back)
▸ Bash cat a.txt; echo oops >&2; exit 3
  ✖ Exit code 3
    hello
    oops

All done.
`;
/** It is recorded when the attempt has ended: without the database nobody knows it. */
const unlocked = 'Wrote without a lock: a.txt (never locked)\n';
const end = `
Ended: it says that it is done.
Program: version 2.1.325
Tool calls: 2
Files touched: a.txt
${unlocked}Tokens: 300 in, 30 from the cache, 60 out (claude-opus-5-5)
Cost: $0.0024
`;

describe('logs of a coding agent', () => {
  it('are readable, with its end and its standard error', async () => {
    const w = claude([recorded], { script: 'echo hello > a.txt; printf "careful\\n\\033[2Jold node\\n" >&2' });
    expect((await w.run('run', 'plan.yaml')).code).toBe(0);
    expect((await w.run('logs', 'a')).out).toBe(`${text}${end}Standard error:\n  careful\n  old node\n`);
  });

  it('are the stream as it is with --raw, and in --json', async () => {
    const odd = `${recorded}{"type":"odd","text":"\u2028\u202e"}\n`;
    const w = claude([odd], { script: 'echo hello > a.txt; echo beside >&2' });
    await w.run('run', 'plan.yaml');
    expect((await w.run('logs', 'a', '--raw')).out).toBe(odd);
    const { lines } = await w.run('logs', 'a', '--json');
    expect(lines.map((line) => line.text).join('')).toBe(odd);
    expect(Object.keys(lines[0])).toEqual(['attempt', 'text']);
  });

  it('are still readable without the database', async () => {
    const w = claude([recorded], { script: 'echo hello > a.txt' });
    await w.run('run', 'plan.yaml');
    w.write('.signalbox/state.db', 'garbage');
    expect((await w.run('logs', 'a', '--plan', 'plan.yaml')).out).toBe(text + end.replace(unlocked, ''));
  });

  it('of one that died at once are what it said to its standard error', async () => {
    const w = claude([], { script: 'echo "error: unknown option" >&2; exit 1' });
    const { code, out } = await w.run('run', 'plan.yaml');
    expect([code, out]).toEqual([1, expect.stringContaining('error: unknown option\n')]);
    expect((await w.run('logs', 'a')).out).toBe(
      '\nEnded: it ended without saying that it is finished.\nTokens: unknown\nCost: unknown\nStandard error:\n  error: unknown option\n',
    );
  });

  it('of other programs stay what they printed', async () => {
    const w = new Workspace({
      'signalbox.yaml': 'agents:\n  x: {kind: command, command: [cat, stream]}\n',
      'plan.yaml': 'tasks:\n  a: {agent: x}\n  b: {run: "cat stream"}\n',
      stream: recorded,
    });
    await w.run('run', 'plan.yaml');
    expect((await w.run('logs', 'a')).out).toBe(recorded);
    expect((await w.run('logs', 'b')).out).toBe(recorded);
  });

  it('end quietly when nobody reads on', async () => {
    const many = `${[...Array(2_000).fill(bash), ...rest].join('\n')}\n`;
    const w = claude([many], { script: 'echo hello > a.txt' });
    await w.run('run', 'plan.yaml');
    const command = `'${process.execPath}' '${resolve('bin/signalbox.cjs')}' logs a | head -n 1`;
    const child = spawn('sh', ['-c', command], {
      cwd: w.folder,
      env: { ...process.env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => said.push(part));
    expect(await new Promise((done) => child.on('close', done))).toBe(0);
    expect(said.join('')).toBe('▸ Bash cat a.txt; echo oops >&2; exit 3\n');
  });
});

describe('a coding agent at work', () => {
  const actionOf = (line: Line) => line.tasks?.[0].action;

  it('is followed by logs -f, and what it does is told by status', async () => {
    const w = claude([`${init}\n${write}\n`, `${written}\n${bash}\n`, `${rest.join('\n')}\n`], {
      script: 'echo hello > a.txt',
    });
    const run = w.start('run', 'plan.yaml', '--json');
    await run.line(({ type }) => type === 'attempt-started');
    const follow = w.start('logs', 'a', '-f');
    await follow.line(({ notJson }) => notJson === '▸ Write a.txt');
    expect((await w.run('status')).out).toMatch(/▸ a {2}Write the file {2}for \d+ s · Write a\.txt\n/);
    expect((await w.run('logs', 'a')).out).toBe(
      '▸ Write a.txt\n\nStill running.\nProgram: version 2.1.325\nTool calls: 1\nFiles touched: a.txt\nTokens: unknown\nCost: unknown\n',
    );
    const watch = w.start('status', '--watch', '--json');
    await watch.line((line) => actionOf(line) === 'Write a.txt');
    w.write('go1', '');
    await follow.line(({ notJson }) => notJson?.startsWith('▸ Bash cat a.txt'));
    await watch.line((line) => actionOf(line) === 'Bash cat a.txt; echo oops >&2; exit 3');
    w.write('go2', '');
    expect((await run.ended).code).toBe(0);
    expect(await follow.ended).toMatchObject({ code: 0, out: text.replace('I write the file.\n\n', '') + end });
    await watch.line((line) => line.outcome === 'complete' && actionOf(line) === undefined);
    watch.kill('SIGINT');
    expect((await watch.ended).code).toBe(130);
  });

  it('that falls silent is remembered by what it did last', async () => {
    const w = claude([`${init}\n${write}\n${written}\n`], { script: 'sleep 1000', plan: 'idle-timeout: 1s\n' });
    const { lines } = await w.run('run', 'plan.yaml', '--json');
    expect(lines.find(({ type }) => type === 'attempt-doomed')).toMatchObject({
      doom: { kind: 'idle', last: 'Write a.txt' },
    });
  });
});
