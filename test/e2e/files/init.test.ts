// The first minutes in a repository: `init`, and then the plan that it wrote runs to its end as it is.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findProgram } from '../../../src/agents/process/find-program.ts';
import { folders } from '../../rigs/left-behind.ts';
import { Workspace } from '../rig.ts';

const stream = readFileSync('test/fixtures/streams/claude/nothing.jsonl', 'utf8');

const programs = ['cat', 'find', 'git', 'head', 'ls', 'perl', 'sleep', 'touch', 'wc'];

/** A PATH with nothing but these programs and agents, whatever is installed here. Agents print what Claude Code prints for a question. */
function pathWith(w: Workspace, ...agents: string[]): { PATH: string } {
  const bin = `${w.folder}-bin`;
  folders.push(bin);
  mkdirSync(bin);
  writeFileSync(join(bin, 'stream'), stream);
  for (const name of programs) {
    const program = findProgram(name, process.env.PATH ?? '');
    if (program !== null) symlinkSync(program, join(bin, name));
  }
  for (const name of agents) {
    const script = `#!/bin/sh\ntest "$1" = --version && { echo "2.1.325 (Claude Code)"; exit; }\ncat > ${bin}/told\ncat ${bin}/stream\n`;
    writeFileSync(join(bin, name), script, { mode: 0o755 });
  }
  return { PATH: bin };
}

it('the first plan runs as it is with the agent that is installed, in a repository', async () => {
  const w = new Workspace({ 'README.md': '# Shop\n', 'CLAUDE.md': '# Notes\n' });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: w.folder, encoding: 'utf8' });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'Begin');
  const env = pathWith(w, 'claude');
  expect(await w.runWith(env, 'init', '--yes')).toMatchObject({ code: 0, err: '' });
  const ran = await w.runWith(env, 'run', 'plan.md');
  expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('✔ complete')]);
  const said = w.read('docs/plan-outputs/plan/findings/overview.md');
  expect((await w.runWith(env, 'logs', 'show')).out).toContain(said.trimEnd().split('\n').at(-1));
  expect(readFileSync(`${w.folder}-bin/told`, 'utf8')).toContain('Describe this project in ten lines');
  // What runs write is ignored, and nothing but what init wrote is new.
  expect(git('status', '--porcelain', '-uall').trimEnd().split('\n').sort()).toEqual(
    [' M CLAUDE.md', '?? .gitignore', '?? AGENTS.md', '?? plan.md', '?? signalbox.yaml'].sort(),
  );
  const undone = await w.runWith(env, 'init', '--undo', '--yes');
  expect(undone).toMatchObject({ code: 0, out: expect.stringContaining('.signalbox and docs/plan-outputs stay') });
  expect(git('status', '--porcelain')).toBe('?? docs/\n');
});

it('the first plan runs as it is where neither an agent nor git is', async () => {
  const w = new Workspace({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const env = pathWith(w);
  expect(await w.runWith(env, 'init', '--yes')).toMatchObject({ code: 0, err: '' });
  expect(await w.runWith(env, 'run', 'plan.md')).toMatchObject({ code: 0 });
  expect((await w.runWith(env, 'logs', 'count')).out.trim()).toMatch(/^\d+$/);
  expect((await w.runWith(env, 'logs', 'list')).out).toContain('plan.md');
});

it('undo waits for the end of a run', async () => {
  const w = new Workspace();
  const env = pathWith(w);
  await w.runWith(env, 'init', '--yes');
  w.write('other.md', '- [ ] a: Wait\n  - run: `touch started; while ! test -e go; do sleep 0.02; done`\n');
  const run = w.startWith(env, 'run', 'other.md');
  await w.appears('started');
  expect(await w.runWith(env, 'init', '--undo', '--yes')).toMatchObject({
    code: 8,
    err: expect.stringContaining('other.md is being run; nothing was taken back'),
  });
  w.write('go', '');
  expect((await run.ended).code).toBe(0);
  expect(await w.runWith(env, 'init', '--undo', '--yes')).toMatchObject({ code: 0 });
  expect(w.has('plan.md')).toBe(false);
});
