// A person who keeps the configuration of a program in another folder has it with Signalbox too.
import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { planOf, works } from './ends.ts';
import type { AgentName } from './programs.ts';
import { AgentRig, kinds, reportOf } from './rig.ts';

/** The variable, and the folder in the home that it replaces. */
const places: Readonly<Record<AgentName, readonly [string, string]>> = {
  claude: ['CLAUDE_CONFIG_DIR', '.claude'],
  codex: ['CODEX_HOME', '.codex'],
  opencode: ['XDG_CONFIG_HOME', '.config'],
  gemini: ['GEMINI_CLI_HOME', '.'],
};

it.runIf(kinds.length > 0).each(kinds)('%s finds its configuration where the person has it', async (kind) => {
  const rig = await AgentRig.start(kind, { 'plan.md': planOf(kind, 'retries: 0\n') }, works(kind));
  const [variable, folder] = places[kind];
  const elsewhere = join(rig.home, 'elsewhere');
  mkdirSync(elsewhere);
  if (folder === '.') renameSync(join(rig.home, '.gemini'), join(elsewhere, '.gemini'));
  else cpSync(join(rig.home, folder), elsewhere, { recursive: true });
  if (folder !== '.') renameSync(join(rig.home, folder), join(rig.home, 'not-here'));
  // Claude Code is told where the model is by a variable: here by its configuration alone.
  if (kind === 'claude')
    writeFileSync(join(elsewhere, 'settings.json'), JSON.stringify({ env: { ANTHROPIC_BASE_URL: rig.model.url } }));
  const env = { [variable]: elsewhere, ...(kind === 'claude' ? { ANTHROPIC_BASE_URL: '' } : {}) };
  const { code, completed, out, err } = reportOf(await rig.startWith(env, 'run', 'plan.md', '--json').ended);
  await rig.close();
  expect(code, `${out}\n${err}`).toBe(0);
  expect(completed).toEqual(['a']);
});
