// What the person's own configuration of Claude Code brings into every attempt. The stream names skills without saying whose they are, and
// most hooks not at all.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownProgram } from '../../kind.ts';
import { fieldsOf, listOf } from '../../stream/json-lines.ts';
import { homeOf } from '../known-program.ts';
import { settingsIn } from '../own-settings.ts';

export const claudeLoads: NonNullable<KnownProgram['loads']> = (agent, environment) => {
  const { CLAUDE_CONFIG_DIR: folder = homeOf(environment, '.claude') } = { ...environment, ...agent.env };
  const hooks = fieldsOf(settingsIn(join(folder, 'settings.json'))?.hooks) ?? {};
  const events = Object.keys(hooks).filter((event) => listOf(hooks[event]).length > 0);
  return [
    ...skillsIn(join(folder, 'skills')).map((name) => `skill ${name}`),
    ...events.map((event) => `hook ${event}`),
  ];
};

function skillsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => existsSync(join(folder, name, 'SKILL.md')))
      .sort();
  } catch {
    return []; // there are none
  }
}
