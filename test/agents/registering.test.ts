// `init --mcp` with the real programs: each names the server afterwards, and does not after --undo. Their own files stay as they were.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
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
