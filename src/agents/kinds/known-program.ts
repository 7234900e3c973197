// What the kinds of coding agents share.
import { join } from 'node:path';
import type { AgentSettings } from '../../core/model/settings.ts';

/** The program of the settings, or the one that is called like the kind. */
export function programOf({ kind, command: [program = kind, ...args] }: AgentSettings): readonly [string, ...string[]] {
  return [program, ...args];
}

/** How long a hook may take, by the program. A hook that takes longer lets the call pass, so ours answers long before. */
export const hookSeconds = 600;

/** What our MCP server is called in every program. */
export const serverName = 'signalbox';

/** By which our server knows the attempt that it works for, as commands do. Some programs hand their servers only what is named. */
export const attemptVariables = [
  'SIGNALBOX_AGENT',
  'SIGNALBOX_ATTEMPT',
  'SIGNALBOX_PLAN',
  'SIGNALBOX_STATE',
  'SIGNALBOX_TASK',
  'SIGNALBOX_TOKEN',
  'SIGNALBOX_TREE',
  'SIGNALBOX_WORKSPACE',
] as const;

/** How long our server may take to begin where many programs start at once, and to answer: it waits for no lock longer than that. */
export const serverSeconds = { start: 60, call: 120 };

/** No hook can tell which files they write. */
export const toolsOfServers = 'tools of MCP servers';

/** A folder in the home of the person. */
export const homeOf = ({ HOME = '/' }: Readonly<Record<string, string | undefined>>, folder: string): string =>
  join(HOME, folder);
