import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { claudeLoads } from './claude-own.ts';

const home = mkdtempSync(join(tmpdir(), 'signalbox-own-'));
afterAll(() => rmSync(home, { recursive: true }));
const agent = { kind: 'claude', command: [], args: [], env: {}, line: 0 };

it('names the skills and hooks of the person, wherever their configuration is', () => {
  const folder = join(home, '.claude');
  mkdirSync(join(folder, 'skills/mine'), { recursive: true });
  mkdirSync(join(folder, 'skills/none'));
  writeFileSync(join(folder, 'skills/mine/SKILL.md'), '');
  const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }], PreToolUse: [], Odd: 7 };
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ hooks }));
  const all = ['skill mine', 'hook Stop'];
  expect(claudeLoads(agent, { HOME: home })).toEqual(all);
  expect(claudeLoads(agent, { HOME: '/gone', CLAUDE_CONFIG_DIR: folder })).toEqual(all);
  expect(claudeLoads({ ...agent, env: { CLAUDE_CONFIG_DIR: folder } }, { CLAUDE_CONFIG_DIR: '/gone' })).toEqual(all);
  expect(claudeLoads(agent, { HOME: '/gone' })).toEqual([]);
  writeFileSync(join(folder, 'settings.json'), 'no json');
  expect(claudeLoads(agent, { HOME: home })).toEqual(['skill mine']);
});
