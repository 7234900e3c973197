// opencode. Its database is not made for several at once, so each task has a data folder of its own, with the login of the person linked, and
// a configuration of its own (see `opencode-config.ts`).
// Whatever is left to be asked would be refused or would hang: every class of permission is allowed by name.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { opencodePlugin } from '../hooks/opencode-plugin.ts';
import { filesOfPatch } from '../hooks/patch-files.ts';
import type { AgentKind, LaunchRequest } from '../kind.ts';
import { type Fields, fieldsOf, listOf, textOf } from '../stream/json-lines.ts';
import { homeOf, programOf, serverName, serverSeconds, toolsOfServers } from './known-program.ts';
import { configHome, configuredModel, instructionsFor } from './opencode/opencode-config.ts';
import { opencodeEvents } from './opencode/opencode-stream.ts';

/** Every class by name: the last rule that matches decides, and the program has rules of its own for some of them. */
const permission = {
  '*': 'allow',
  read: 'allow',
  edit: 'allow',
  glob: 'allow',
  grep: 'allow',
  list: 'allow',
  bash: 'allow',
  task: 'allow',
  todowrite: 'allow',
  webfetch: 'allow',
  websearch: 'allow',
  lsp: 'allow',
  skill: 'allow',
  external_directory: 'allow',
  doom_loop: 'allow',
  // Nobody answers; a subagent would wait for ever.
  question: 'deny',
  plan_enter: 'deny',
  plan_exit: 'deny',
};

export const opencode: AgentKind = {
  program: (agent) => programOf(agent)[0],
  launch: (agent, { model, resume, home, hook, server, environment, workspace }) => {
    const said = (name: string) => agent.env[name] ?? environment[name];
    const theirs = said('XDG_DATA_HOME') ?? homeOf(environment, '.local/share');
    const config = configHome(join(home, 'config'), said('XDG_CONFIG_HOME') ?? homeOf(environment, '.config'));
    const file = join(home, 'plugin.mjs');
    const plugin = pathToFileURL(file).href;
    const instructions = instructionsFor(workspace);
    return {
      ...config,
      argv: [
        ...programOf(agent),
        'run',
        ...['--format', 'json'],
        ...(model === '' ? [] : ['--model', model]),
        ...(agent.effort === undefined ? [] : ['--variant', agent.effort]),
        ...(resume === null ? [] : ['--session', resume]),
        ...agent.args,
      ],
      env: {
        XDG_DATA_HOME: join(home, 'data'),
        XDG_STATE_HOME: join(home, 'state'),
        XDG_CACHE_HOME: join(home, 'cache'),
        XDG_CONFIG_HOME: join(home, 'config'),
        OPENCODE_CONFIG_CONTENT: merged(said('OPENCODE_CONFIG_CONTENT'), { plugin, server, instructions }),
        OPENCODE_DISABLE_PROJECT_CONFIG: agent.env.OPENCODE_DISABLE_PROJECT_CONFIG ?? '1',
        OPENCODE_DISABLE_AUTOUPDATE: '1',
      },
      files: { ...config.files, [file]: opencodePlugin(plugin, hook) },
      links: { ...config.links, [join(home, 'data/opencode/auth.json')]: join(theirs, 'opencode/auth.json') },
    };
  },
  isPrompted: true,
  canResume: true,
  events: opencodeEvents,
  hooks: {
    edits: (tool, input) => {
      if (['write', 'edit', 'multiedit'].includes(tool)) return [textOf(input.filePath)];
      return tool === 'patch' || tool === 'apply_patch' ? filesOfPatch(input.patchText) : null;
    },
    shell: 'bash',
    editors: ['write', 'edit', 'multiedit', 'patch', 'apply_patch'],
    notCovered: [toolsOfServers, 'calls inside the `batch` tool'],
    reaching: null,
  },
  known: {
    title: 'opencode',
    package: 'opencode-ai',
    tried: '1.18.33',
    takesEffort: true,
    tellsCost: 'of-known-models',
    // Its stream names it.
    ownModel: { used: () => null, configured: configuredModel },
    loginFolder: 'XDG_DATA_HOME',
    isLitter: (path) => litter.test(path),
    variables: [
      'ANTHROPIC_API_KEY',
      'OPENAI_API_KEY',
      'GEMINI_API_KEY',
      'OPENROUTER_API_KEY',
      'OPENCODE_API_KEY',
      'OPENCODE_CONFIG',
      'OPENCODE_CONFIG_DIR',
      'XDG_CONFIG_HOME',
    ],
  },
};

/** In each folder with configuration it installs a package for plugins, and tells git to ignore that. */
const litter = /(?:^|\/)\.opencode\/(?:\.gitignore|package(?:-lock)?\.json|bun\.lockb?|node_modules(?:\/.*)?)$/;

interface OurConfig {
  readonly plugin: string;
  readonly server: LaunchRequest['server'];
  readonly instructions: readonly string[];
}

/** What the person says about it, with our permissions, our plugin, our server and what the repository says. */
function merged(theirs: string | undefined, { plugin, server, instructions }: OurConfig): string {
  let said: Fields = {};
  try {
    said = fieldsOf(JSON.parse(theirs ?? '{}')) ?? {};
  } catch {
    // It would refuse to start with it.
  }
  return JSON.stringify({
    ...said,
    permission,
    plugin: [...listOf(said.plugin), plugin],
    instructions: [...listOf(said.instructions), ...instructions],
    ...(server === null ? {} : { mcp: { ...fieldsOf(said.mcp), [serverName]: serverEntry(server) } }),
  });
}

const serverEntry = (command: NonNullable<LaunchRequest['server']>) => ({
  type: 'local',
  command,
  enabled: true,
  // Of its start and of each call; without it a start that takes five seconds is too long.
  timeout: serverSeconds.call * 1000,
});
