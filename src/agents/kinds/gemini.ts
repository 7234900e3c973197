// Gemini CLI. It gets a home of its own, into which the login of the person is linked and their settings copied: it takes hooks only from
// there, or from files that belong to root. Consumer accounts no longer work with it: it needs an API key, Vertex or an enterprise login.
import { join } from 'node:path';
import type { AgentKind, LaunchRequest } from '../kind.ts';
import { fieldsOf, textOf } from '../stream/json-lines.ts';
import { consumerLogin, geminiFolder } from './gemini-login.ts';
import { geminiEvents } from './gemini-stream.ts';
import { hookSeconds, programOf, serverName, toolsOfServers } from './known-program.ts';
import { settingsIn } from './own-settings.ts';

const editing = ['write_file', 'replace', 'edit'];

export const gemini: AgentKind = {
  program: (agent) => programOf(agent)[0],
  launch: (agent, { model, resume, home, hook, server, environment }) => {
    const theirs = geminiFolder(agent, environment);
    const own = join(home, '.gemini');
    const settings = withoutServer(join(own, 'settings.json'), join(theirs, 'settings.json'));
    return {
      // An empty prompt lets it read the real one from its standard input.
      argv: [
        ...programOf(agent),
        ...['-p', ''],
        ...['--output-format', 'stream-json'],
        '--yolo',
        '--skip-trust',
        ...(model === '' ? [] : ['--model', model]),
        ...(resume === null ? [] : ['--resume', resume]),
        ...agent.args,
      ],
      env: { GEMINI_CLI_HOME: home },
      files: { ...extension(hook, server, join(own, 'extensions/signalbox')), ...settings },
      links: links(['oauth_creds.json', 'google_accounts.json', 'gemini-credentials.json'], own, theirs),
      copies: links([...(settings ? [] : ['settings.json']), 'GEMINI.md', 'installation_id'], own, theirs),
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
    noise: /256-color support|^YOLO mode is enabled|^Ripgrep is not available|^\[STARTUP\] |^Loaded cached credentials/,
    variables: [
      'GEMINI_API_KEY',
      'GOOGLE_API_KEY',
      'GOOGLE_GEMINI_BASE_URL',
      'GOOGLE_GENAI_USE_VERTEXAI',
      'GOOGLE_CLOUD_PROJECT',
      'GOOGLE_CLOUD_LOCATION',
      'GOOGLE_APPLICATION_CREDENTIALS',
    ],
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

/** Their own server of our name would be started beside ours, and know of no attempt. Null: their settings can be copied as they are. */
function withoutServer(own: string, theirs: string): Record<string, string> | null {
  const settings = settingsIn(theirs);
  const { [serverName]: ours, ...mcpServers } = fieldsOf(settings?.mcpServers) ?? {};
  return ours === undefined ? null : { [own]: JSON.stringify({ ...settings, mcpServers }, null, 2) };
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
