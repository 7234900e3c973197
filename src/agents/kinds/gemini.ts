// Gemini CLI. It gets a home of its own, into which the login of the person is linked and their settings copied: it takes hooks only from
// there, or from files that belong to root. Settings of the repository do not count (see `gemini-repository.ts`); its GEMINI.md does.
// Consumer accounts no longer work with it: it needs an API key, Vertex or an enterprise login.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentSettings } from '../../core/model/settings.ts';
import type { AgentKind, LaunchRequest } from '../kind.ts';
import { baseEnvironment } from '../process/base-environment.ts';
import { type Fields, fieldsOf, listOf, textOf } from '../stream/json-lines.ts';
import { consumerLogin, geminiFolder, loginInstead } from './gemini/gemini-login.ts';
import { emptied } from './gemini/gemini-repository.ts';
import { geminiEvents, geminiExit } from './gemini/gemini-stream.ts';
import { hookSeconds, programOf, serverName, toolsOfServers } from './known-program.ts';
import { settingsIn } from './own-settings.ts';

const editing = ['write_file', 'replace', 'edit'];

const variables = [
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GEMINI_BASE_URL',
  'GOOGLE_GENAI_USE_VERTEXAI',
  'GOOGLE_CLOUD_PROJECT',
  'GOOGLE_CLOUD_LOCATION',
  'GOOGLE_APPLICATION_CREDENTIALS',
];

export const gemini: AgentKind = {
  program: (agent) => programOf(agent)[0],
  launch: (agent, { model, resume, workspace, home, hook, server, environment }) => {
    const theirs = geminiFolder(agent, environment);
    const own = join(home, '.gemini');
    const settings = ourSettings(join(theirs, 'settings.json'), agent, environment);
    const trust = agent.env.GEMINI_CLI_TRUST_WORKSPACE ?? 'false';
    const empty = trust === 'true' ? {} : emptied(workspace, dirname(theirs));
    return {
      // An empty prompt lets it read the real one from its standard input.
      argv: [
        ...programOf(agent),
        ...['-p', ''],
        ...['--output-format', 'stream-json'],
        '--yolo',
        // Without it, it refuses to work: better than with who knows which variables.
        ...(empty === null ? [] : ['--skip-trust']),
        ...(model === '' ? [] : ['--model', model]),
        ...(resume === null ? [] : ['--resume', resume]),
        ...agent.args,
      ],
      env: { ...beside(empty, agent, environment), GEMINI_CLI_HOME: home, GEMINI_CLI_TRUST_WORKSPACE: trust },
      files: {
        ...extension(hook, server, join(own, 'extensions/signalbox')),
        ...(settings === null ? {} : { [join(own, 'settings.json')]: settings }),
      },
      links: {
        ...links(['oauth_creds.json', 'google_accounts.json', 'gemini-credentials.json', '.env'], own, theirs),
        ...links(['.env'], home, dirname(theirs)),
      },
      copies: links([...(settings === null ? ['settings.json'] : []), 'GEMINI.md', 'installation_id'], own, theirs),
    };
  },
  isPrompted: true,
  canResume: true,
  events: geminiEvents,
  hooks: {
    edits: (tool, input) => (editing.includes(tool) ? [textOf(input.file_path)] : null),
    shell: 'run_shell_command',
    editors: editing,
    notCovered: [toolsOfServers],
    reaching: null,
  },
  known: {
    title: 'Gemini CLI',
    package: '@google/gemini-cli',
    tried: '0.61.0',
    loginFolder: 'GEMINI_CLI_HOME',
    unusable: consumerLogin,
    loads: geminiLoads,
    classOfExit: geminiExit,
    noise: /256-color support|^YOLO mode is enabled|^Ripgrep is not available|^\[STARTUP\] |^Loaded cached credentials/,
    variables,
  },
};

/** Beside whatever hooks and servers the person has. It is written also where there is nothing in it: an earlier attempt may have left one. */
function extension(hook: LaunchRequest['hook'], server: LaunchRequest['server'], folder: string) {
  const about = {
    name: 'signalbox',
    version: '1.0.0',
    // Whoever plans may not write, and only a person could end that.
    excludeTools: ['enter_plan_mode'],
    ...(server === null ? {} : { mcpServers: serversWith(server) }),
  };
  return {
    [join(folder, 'gemini-extension.json')]: JSON.stringify(about, null, 2),
    [join(folder, 'hooks/hooks.json')]: JSON.stringify({ hooks: hook === null ? {} : hooksOf(hook) }, null, 2),
  };
}

/** Servers get everything but what sounds like a secret; that is named, and its value is put in when the file is read. */
const serversWith = ([command, ...args]: NonNullable<LaunchRequest['server']>) => ({
  [serverName]: { command, args, env: { SIGNALBOX_TOKEN: '$SIGNALBOX_TOKEN' } },
});

/**
 * Theirs, without a server of our name: it would be started beside ours, and know of no attempt. Variables in a repository's `.env` are for
 * what is built there. A key counts before a login that no longer works. Null: there is a file that it will not understand either.
 */
function ourSettings(theirs: string, agent: AgentSettings, environment: LaunchRequest['environment']): string | null {
  const settings = settingsIn(theirs) ?? (existsSync(theirs) ? null : {});
  if (settings === null) return null;
  const advanced = { ...fieldsOf(settings.advanced), ignoreLocalEnv: true };
  const servers = fieldsOf(settings.mcpServers);
  const ours = { ...settings, ...withLogin(settings, loginInstead(agent, environment, settings)), advanced };
  return JSON.stringify({ ...ours, ...(servers && { mcpServers: withoutOurs(servers) }) }, null, 2);
}

function withLogin({ security }: Fields, selectedType: string | null): Fields {
  if (selectedType === null) return {};
  const theirs = fieldsOf(security);
  return { security: { ...theirs, auth: { ...fieldsOf(theirs?.auth), selectedType } } };
}

function withoutOurs({ [serverName]: _, ...servers }: Fields): Fields {
  return servers;
}

function hooksOf(hook: string): object {
  const command = { type: 'command', command: hook, timeout: hookSeconds * 1000 };
  return {
    BeforeTool: [{ matcher: '*', hooks: [command] }],
    AfterTool: [{ matcher: 'run_shell_command', hooks: [command] }],
  };
}

const links = (names: readonly string[], own: string, theirs: string): Record<string, string> =>
  Object.fromEntries(names.map((name) => [join(own, name), join(theirs, name)]));

/** Those that it does not get from the person anyway. */
function beside(
  empty: ReturnType<typeof emptied>,
  agent: AgentSettings,
  environment: LaunchRequest['environment'],
): Record<string, string> {
  const handedOn = variables.filter((name) => environment[name] !== undefined);
  const given = new Set([...Object.keys(baseEnvironment(environment)), ...handedOn, ...Object.keys(agent.env)]);
  return Object.fromEntries(Object.entries(empty ?? {}).filter(([name]) => !given.has(name)));
}

function geminiLoads(agent: AgentSettings, environment: LaunchRequest['environment']): string[] {
  const settings = settingsIn(join(geminiFolder(agent, environment), 'settings.json'));
  const servers = withoutOurs(fieldsOf(settings?.mcpServers) ?? {});
  const hooks = Object.entries(fieldsOf(settings?.hooks) ?? {}).filter(([, all]) => listOf(all).length > 0);
  return [...Object.keys(servers).map((name) => `MCP server ${name}`), ...hooks.map(([event]) => `hook ${event}`)];
}
