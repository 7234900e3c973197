// What Codex takes from the repository that it works in: what it is told there, but nothing that would run. The same when it goes on in its
// conversation, and also where the person trusts the repository: that is their word for their own sessions, which nobody watches here.
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { denialLead } from '../../src/core/model/denial.ts';
import { planOf } from './ends.ts';
import type { Script } from './models/model-server.ts';
import { AgentRig, kinds, speech } from './rig.ts';

const { write, shell } = speech.codex;
const check = "check: 'grep -q second a.txt || { echo no second line; false; }'\n";

interface Place {
  readonly name: string;
  readonly hasGit: boolean;
  readonly isShared: boolean;
  /** The workspace, from the top of the repository. */
  readonly below: string;
  readonly isTrusted: boolean;
}

const places: Place[] = [
  { name: 'a folder', hasGit: false, isShared: true, below: '', isTrusted: false },
  { name: 'a folder that the person trusts', hasGit: false, isShared: true, below: '', isTrusted: true },
  { name: 'a shared repository', hasGit: true, isShared: true, below: '', isTrusted: false },
  { name: 'a part of a trusted repository', hasGit: true, isShared: true, below: 'part', isTrusted: true },
  { name: 'a worktree', hasGit: true, isShared: false, below: '', isTrusted: false },
  {
    name: 'a worktree of a part of a trusted repository',
    hasGit: true,
    isShared: false,
    below: 'part',
    isTrusted: true,
  },
];

/** Tries to write where our hooks forbid it, fails its check, and is called back. */
const script =
  (forbidden: () => string): Script =>
  ({ turn }) => {
    if (turn === 0) return { text: '', tools: [write(forbidden(), 'mine\n')] };
    if (turn === 1) return { text: '', tools: [write('a.txt', 'first\n')] };
    if (turn === 2) return { text: 'Wrote a.txt.' };
    if (turn === 3) return { text: '', tools: [write(forbidden(), 'mine\n')] };
    return turn === 4 ? { text: '', tools: [shell('echo second >> a.txt')] } : { text: 'Done.' };
  };

/** Its own settings start a hook and an MCP server, each of which leaves a file behind. */
function settings(top: string, folder: string): void {
  mkdirSync(join(folder, '.codex'), { recursive: true });
  const hook = { hooks: [{ type: 'command', command: `touch '${top}/hooked'` }] };
  writeFileSync(
    join(folder, '.codex/hooks.json'),
    JSON.stringify({ hooks: { SessionStart: [hook], PreToolUse: [hook] } }),
  );
  writeFileSync(
    join(folder, '.codex/config.toml'),
    `[mcp_servers.repo]\ncommand = "touch"\nargs = [${JSON.stringify(join(top, 'served'))}]\n`,
  );
}

describe.runIf(kinds.includes('codex'))('Codex in a repository', () => {
  it.each(places)('$name: reads AGENTS.md, and runs no hook and no MCP server of its settings', async (place) => {
    const { hasGit, isShared, below, isTrusted } = place;
    const prompts: string[] = [];
    const results: string[] = [];
    const rig = await AgentRig.start('codex', {}, (conversation) => {
      prompts.push(conversation.prompt);
      results.push(...conversation.results);
      return script(() => join(workspace, '.signalbox/x.txt'))(conversation);
    });
    const top = rig.workspace.folder;
    const workspace = join(top, below);
    mkdirSync(workspace, { recursive: true });
    writeFileSync(join(workspace, 'plan.md'), planOf('codex', `retries: 1\n${check}`));
    writeFileSync(join(workspace, 'signalbox.yaml'), isShared ? 'isolation: shared\n' : '');
    writeFileSync(join(rig.home, '.codex/AGENTS.md'), 'The person says tmesis.\n');
    writeFileSync(join(top, 'AGENTS.md'), 'Never say zyzzyva.\n');
    if (below !== '') writeFileSync(join(workspace, 'AGENTS.md'), 'In this part say syzygy.\n');
    for (const folder of new Set([top, workspace])) settings(top, folder);
    const git = (...args: string[]) => execFileSync('git', args, { cwd: top, encoding: 'utf8' });
    if (hasGit) {
      git('init', '-q', '-b', 'main');
      git('add', '-A');
      git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '-m', 'begin');
    }
    if (isTrusted)
      for (const folder of new Set([top, workspace]))
        appendFileSync(
          join(rig.home, '.codex/config.toml'),
          `[projects.${JSON.stringify(folder)}]\ntrust_level = "trusted"\n`,
        );

    const run = rig.workspace.startIn(workspace, rig.env, 'run', 'plan.md', '--json');
    const { code, lines, out, err } = await run.ended;
    expect(code, `${out}\n${err}`).toBe(0);
    const ends = lines.filter(({ type }) => type === 'attempt-ended').map(({ evidence }) => evidence.agent);
    expect(ends).toMatchObject([{ class: 'done' }, { class: 'done', resumed: true }]);
    for (const prompt of [prompts[0]!, prompts.at(-1)!]) {
      const words = ['tmesis', 'zyzzyva', ...(below === '' ? [] : ['syzygy'])];
      const places = words.map((word) => prompt.indexOf(word));
      expect(places).not.toContain(-1);
      expect(places).toEqual([...places].sort((a, b) => a - b));
    }
    expect(results.filter((text) => text.includes(denialLead))).toHaveLength(2);
    expect(['hooked', 'served'].filter((name) => existsSync(join(top, name)))).toEqual([]);
    await rig.close();
  });
});
