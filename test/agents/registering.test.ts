// `init --mcp` with the real programs: each names the server afterwards, and does not after --undo. Their own files stay as they were. With
// it, a person's own session is a guest beside a run.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ToolCall } from './models/model-server.ts';
import { type AgentName, binOf } from './programs.ts';
import { AgentRig, kinds } from './rig.ts';

const files: Readonly<Record<AgentName, string>> = {
  claude: '.claude.json',
  codex: '.codex/config.toml',
  gemini: '.gemini/settings.json',
  opencode: '.config/opencode/opencode.json',
};

/** Some print to the one, some to the other. Servers that do not answer are named all the same. */
const listed = (kind: AgentName, home: string): Promise<string> =>
  new Promise((resolve) => {
    const env = { PATH: `${binOf(kind)}:${process.env.PATH}`, HOME: home, GEMINI_CLI_TRUST_WORKSPACE: 'true' };
    execFile(join(binOf(kind), kind), ['mcp', 'list'], { cwd: home, env, timeout: 60_000 }, (_, out, err) =>
      resolve(out + err),
    );
  });

it.runIf(kinds.length > 0).each(kinds)('%s names the server that was registered', async (kind) => {
  const rig = await AgentRig.start(kind, {}, () => ({ text: 'Done.' }));
  const file = join(rig.home, files[kind]);
  if (kind === 'claude')
    writeFileSync(file, JSON.stringify({ numStartups: 3, mcpServers: { other: { command: 'true' } } }));
  const before = readFileSync(file, 'utf8');
  const registered = await rig.start('init', '--mcp', kind, '--yes').ended;
  expect(registered.code, registered.out + registered.err).toBe(0);
  expect(await listed(kind, rig.home)).toMatch(/signalbox\.cjs mcp/);
  expect((await rig.start('init', '--mcp', kind).ended).out).toContain('already registers it');
  const undone = await rig.start('init', '--mcp', kind, '--undo', '--yes').ended;
  expect(undone.code, undone.out + undone.err).toBe(0);
  expect(await listed(kind, rig.home)).not.toMatch(/signalbox\.cjs mcp/);
  const after = readFileSync(file, 'utf8');
  if (kind === 'claude') expect(JSON.parse(after)).toMatchObject(JSON.parse(before));
  else expect(after).toBe(before);
  await rig.close();
});

/** How a person's own session is asked one thing, without a terminal. Codex has to be told that it may call the server. */
const asked: Readonly<Partial<Record<AgentName, readonly string[]>>> = {
  claude: ['-p', 'look', '--dangerously-skip-permissions'],
  codex: [
    ...['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
    ...['-c', 'mcp_servers.signalbox.default_tools_approval_mode="approve"', 'look'],
  ],
};

const callAs: Readonly<Partial<Record<AgentName, (tool: string, input: object) => ToolCall>>> = {
  claude: (name, input) => ({ name: `mcp__signalbox__${name}`, input }),
  codex: (name, input) => ({ name, input, namespace: 'mcp__signalbox' }),
};

it.runIf(kinds.length > 0).each(kinds.filter((kind) => kind in asked))(
  'the own session of a person in %s is a guest beside a run',
  async (kind) => {
    const plan = '- [ ] hold: Hold it\n  - run: `until [ -e go ]; do sleep 0.02; done`\n  - files: x.txt\n';
    const call = callAs[kind]!;
    const said: string[] = [];
    const rig = await AgentRig.start(kind, { 'plan.md': plan, 'signalbox.yaml': '' }, ({ turn, results }) => {
      said.push(...results);
      if (turn === 0) return { text: '', tools: [call('run_status', { plan: 'plan.md' })] };
      if (turn === 1) return { text: '', tools: [call('lock_acquire', { resources: ['x.txt'], timeout: 1 })] };
      return { text: 'Done.' };
    });
    const registered = await rig.start('init', '--mcp', kind, '--yes').ended;
    expect(registered.code, registered.out + registered.err).toBe(0);
    const run = rig.start('run', 'plan.md', '--json');
    await run.line(({ type }) => type === 'attempt-started');
    const env = { ...rig.env, IS_SANDBOX: '1' };
    const ended = await new Promise<string>((resolve) => {
      const child = execFile(
        join(binOf(kind), kind),
        [...asked[kind]!],
        { cwd: rig.workspace.folder, env },
        (_, out, err) => resolve(out + err),
      );
      child.stdin!.end();
    });
    rig.workspace.write('go', '');
    expect((await run.ended).code).toBe(0);
    expect(said.join('\n'), ended).toMatch(/running[^\n]*true/);
    expect(said.join('\n'), ended).toMatch(/timeout[^\n]*hold#1/);
    expect(said.join('\n'), ended).toMatch(new RegExp(`owner\\W+${kind}-\\d+`));
    await rig.close();
  },
);
