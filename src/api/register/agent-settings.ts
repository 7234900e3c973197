// Where each coding agent keeps the MCP servers of a person, and what ours looks like there. All of them keep those of the user apart from
// those of a project; ours is the user's, so that it is there in every folder.
//
//   agent      file                                       changed by
//   claude     ~/.claude.json, or in CLAUDE_CONFIG_DIR    Claude Code: it keeps its state there, and writes it all the time, under a lock
//   codex      ~/.codex/config.toml, or in CODEX_HOME     us: `codex mcp add` gives every line another end
//   gemini     ~/.gemini/settings.json                    us: `gemini mcp add` writes for the project, or in another format
//   opencode   ~/.config/opencode/opencode.json[c]        us: `opencode mcp add` asks questions
import { isAbsolute, join } from 'node:path';
import { attemptVariables, serverName } from '../../agents/kinds/known-program.ts';
import type { CodingAgent } from '../../core/model/coding-agents.ts';
import { Refusal } from '../refusal.ts';
import { isThere } from '../trust/owner.ts';
import { claudeProgram, type OwnProgram } from './ask-claude.ts';
import { jsonServers } from './json-servers.ts';
import type { Entry, ServerText } from './server-text.ts';
import { tomlServers } from './toml-servers.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface PersonalSettings extends OwnSettings {
  readonly agent: CodingAgent;
  /** How a person sees it. */
  readonly list: string;
}

interface OwnSettings {
  readonly file: string;
  /** Changes the file in our place; null: we write it. */
  readonly program: OwnProgram | null;
  readonly text: ServerText;
  /** What starts the server. Everything beside it is the person's. */
  readonly entry: (command: readonly string[]) => Entry;
  /** How a person takes it out by hand; null: in the file. */
  readonly removal: string | null;
}

export const settingsOf = (agent: CodingAgent, env: Environment): PersonalSettings => ({
  agent,
  list: `${agent} mcp list`,
  ...settings[agent](env),
});

const settings: Readonly<Record<CodingAgent, (env: Environment) => OwnSettings>> = {
  claude: (env) => ({
    file: claudeFile(env),
    program: claudeProgram,
    text: jsonServers({ servers: 'mcpServers', name: serverName }),
    entry: ([command, ...args]) => ({ type: 'stdio', command, args }),
    removal: `claude mcp remove --scope user ${serverName}`,
  }),
  codex: (env) => ({
    file: join(folderOf(env.CODEX_HOME) ?? join(homeOf(env), '.codex'), 'config.toml'),
    program: null,
    text: tomlServers(['mcp_servers', serverName]),
    entry: ([command, ...args]) => ({ command, args, env_vars: passedOn }),
    removal: `codex mcp remove ${serverName}`,
  }),
  gemini: (env) => ({
    file: join(folderOf(env.GEMINI_CLI_HOME) ?? homeOf(env), '.gemini', 'settings.json'),
    program: null,
    text: jsonServers({ servers: 'mcpServers', name: serverName }),
    entry: ([command, ...args]) => ({ command, args }),
    removal: `gemini mcp remove --scope user ${serverName}`,
  }),
  opencode: (env) => ({
    file: opencodeFile(env),
    program: null,
    text: jsonServers({ servers: 'mcp', name: serverName, head: { $schema: 'https://opencode.ai/config.json' } }),
    entry: (command) => ({ type: 'local', command, enabled: true }),
    removal: null,
  }),
};

/**
 * Codex hands on nothing that is not named. Without these the server would look for the state of this user in another folder, and take an
 * attempt that starts Codex itself for a person.
 */
const passedOn = [...attemptVariables, 'XDG_STATE_HOME'];

function claudeFile(env: Environment): string {
  const own = folderOf(env.CLAUDE_CONFIG_DIR);
  // Where its first versions kept it, and where it goes on if that is there.
  const early = join(own ?? join(homeOf(env), '.claude'), '.config.json');
  return isThere(early) ? early : join(own ?? homeOf(env), '.claude.json');
}

/** It reads both names, and what the second says counts. */
function opencodeFile(env: Environment): string {
  const folder = join(folderOf(env.XDG_CONFIG_HOME) ?? join(homeOf(env), '.config'), 'opencode');
  const withComments = join(folder, 'opencode.jsonc');
  return isThere(withComments) ? withComments : join(folder, 'opencode.json');
}

const folderOf = (given: string | undefined): string | null => (given && isAbsolute(given) ? given : null);

function homeOf({ HOME: home }: Environment): string {
  const folder = folderOf(home);
  if (folder !== null) return folder;
  throw new Refusal(2, 'HOME is not set, so it is not known where your agents keep their settings', {
    instead: 'set HOME to your home folder',
  });
}
