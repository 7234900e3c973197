// The completion scripts in the real shells, as far as they are there.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const evilId = `a$(touch$\{IFS}pwned)`;
const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

function workspace(): { w: Workspace; env: Record<string, string> } {
  const w = new Workspace({
    'plan.yaml': `tasks:\n  api: {run: "true"}\n  auth: {run: "true"}\n  "${evilId}": {run: "true"}\n  "a;b": {run: "true"}\n`,
    '.claude/current-plan.txt': 'plan.yaml\n',
    'my plan.md': '- [ ] a: A\n',
    'notes.txt': '',
    'docs/other.md': '- [ ] a: A\n',
    'bin/signalbox': `#!/bin/sh\nexec '${process.execPath}' '${resolve('bin/signalbox.cjs')}' "$@"\n`,
  });
  chmodSync(join(w.folder, 'bin/signalbox'), 0o755);
  const PATH = `${join(w.folder, 'bin')}:${process.env.PATH}`;
  return { w, env: { PATH, HOME: w.folder, TERM: 'dumb', NODE_DISABLE_COMPILE_CACHE: '1' } };
}

describe('bash', () => {
  const { w, env } = workspace();
  /** What bash would offer, the cursor behind the last word. */
  const offered = (...typed: string[]) => {
    const script = `
      source <(signalbox completion bash)
      COMP_WORDS=(signalbox "$@"); COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
      _signalbox
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', script, 'bash', ...typed], {
      cwd: w.folder,
      env,
      encoding: 'utf8',
    });
    expect([stderr, status]).toEqual(['', 0]);
    return stdout.split('\n').filter(Boolean);
  };

  it('completes commands and flags', () => {
    expect(offered('sta')).toEqual(['status', 'start-run']);
    expect(offered('status', '--wa')).toEqual(['--watch']);
    expect(offered('graph', '--format', 's')).toEqual(['svg']);
  });

  it('completes plan files and folders, and no other files', () => {
    expect(offered('check', '').sort()).toEqual(['.claude', 'bin', 'docs', 'my plan.md', 'plan.yaml']);
    expect(offered('check', 'docs/')).toEqual(['docs/other.md']);
    expect(offered('graph', '--out', 'no')).toEqual(['notes.txt']);
  });

  it('completes ids of the current plan, quoted, and runs nothing that one contains', () => {
    expect(offered('why', 'ap')).toEqual(['api']);
    expect(offered('why', 'a')).toEqual(['api', 'auth', 'a\\$\\(touch\\$\\{IFS\\}pwned\\)', 'a\\;b']);
    expect(offered('retry', 'api', 'au')).toEqual(['auth']);
    expect(offered('run', '--only', 'api,au')).toEqual(['api,auth']);
    expect(w.has('pwned')).toBe(false);
  });

  it('says nothing where there is nothing to say', () => {
    expect(offered('nonsense', '')).toEqual([]);
    expect(offered('plans', '')).toEqual([]);
  });
});

it('the hidden command prints no error, whatever the workspace is like, and creates nothing', async () => {
  const w = new Workspace({ 'signalbox.yaml': 'nonsense: [' });
  const { code, out, err } = await w.run('__complete', '--', 'why', '');
  expect([code, out, err]).toEqual([0, '', '']);
  expect(w.has('.signalbox')).toBe(false);
  const explained = await w.run('explain', 'bad-yaml');
  expect(explained.code).toBe(0);
});

it.runIf(has('zsh'))('zsh reads its script, and offers what is answered', () => {
  const { w, env } = workspace();
  const script = `
    compadd() { print -l -- "\${texts[@]}" }
    _files() { print -- files "$@" }
    source <(signalbox completion zsh)
    words=(signalbox why a); CURRENT=3; _signalbox
    words=(signalbox check ''); CURRENT=3; _signalbox`;
  const out = execFileSync('zsh', ['-f', '-c', script], { cwd: w.folder, env, encoding: 'utf8' });
  expect(out).toBe(`api\nauth\n${evilId}\na;b\nfiles -g (*.md|*.markdown|*.yaml|*.yml)(-.)\n`);
  expect(w.has('pwned')).toBe(false);
});

it.runIf(has('fish'))('fish completes commands, ids and files', () => {
  const { w, env } = workspace();
  const offered = (line: string) =>
    execFileSync('fish', ['--no-config', '-c', `signalbox completion fish | source; complete -C '${line}'`], {
      cwd: w.folder,
      env,
      encoding: 'utf8',
    })
      .split('\n')
      .filter(Boolean)
      .map((text) => text.split('\t')[0]);
  expect(offered('signalbox sta').sort()).toEqual(['start-run', 'status']);
  expect(offered('signalbox why ap')).toEqual(['api']);
  expect(offered('signalbox check plan')).toContain('plan.yaml');
  expect(w.has('pwned')).toBe(false);
});
