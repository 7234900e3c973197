// Programs that may be asked for their version by a command that only looks: asking runs them.
import { isAbsolute, relative } from 'node:path';
import { kindOf } from '../../agents/kind.ts';
import type { AgentSettings } from '../../core/model/settings.ts';

/** A tool that this version knows by name, and this user's own: neither the settings nor a file of the workspace names it. */
export const isOwnProgram = (agent: AgentSettings, program: string, root: string): boolean =>
  kindOf(agent)?.known != null &&
  agent.command.every((word, i) => i === 0 && word === agent.kind) &&
  !isWithin(root, program);

function isWithin(root: string, file: string): boolean {
  const below = relative(root, file);
  return below !== '' && !below.startsWith('..') && !isAbsolute(below);
}
