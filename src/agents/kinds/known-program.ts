// What the kinds of coding agents share.
import { join } from 'node:path';
import type { AgentSettings } from '../../core/model/settings.ts';

/** The program of the settings, or the one that is called like the kind. */
export function programOf({ kind, command: [program = kind, ...args] }: AgentSettings): readonly [string, ...string[]] {
  return [program, ...args];
}

/** How long a hook may take, by the program. A hook that takes longer lets the call pass, so ours answers long before. */
export const hookSeconds = 600;

/** No hook can tell which files they write. */
export const toolsOfServers = 'tools of MCP servers';

/** A folder in the home of the person. */
export const homeOf = ({ HOME = '/' }: Readonly<Record<string, string | undefined>>, folder: string): string =>
  join(HOME, folder);
