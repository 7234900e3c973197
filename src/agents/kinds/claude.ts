// Claude Code. It keeps the home of the person, and with it their login. Settings of the repository do not count, because its hooks would run
// without a question; its instructions do.
import { join } from 'node:path';
import type { AgentKind, LaunchRequest } from '../kind.ts';
import { textOf } from '../stream/json-lines.ts';
import { claudeInstructions } from './claude/claude-instructions.ts';
import { claudeLoads } from './claude/claude-own.ts';
import { claudeEvents } from './claude/claude-stream.ts';
import { whyWithheld, withheldTools } from './claude/claude-withheld.ts';
import { hookSeconds, programOf, serverName, toolsOfServers } from './known-program.ts';

const editing = ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'];

export const claude: AgentKind = {
  program: (agent) => programOf(agent)[0],
  launch: (agent, { model, resume, workspace, home, hook, server, isRoot, mostUsd }) => {
    const instructions = claudeInstructions(workspace);
    return {
      argv: [
        ...programOf(agent),
        '-p',
        ...['--output-format', 'stream-json', '--verbose'],
        '--dangerously-skip-permissions',
        ...['--setting-sources', 'user'],
        // Both take every word up to the next option.
        ...['--disallowedTools', withheldTools.join(',')],
        ...(server === null ? [] : ['--mcp-config', join(home, 'mcp.json')]),
        '--strict-mcp-config',
        ...['--settings', join(home, 'settings.json')],
        ...(instructions === '' ? [] : ['--append-system-prompt-file', join(home, 'instructions.md')]),
        ...(model === '' ? [] : ['--model', model]),
        ...(agent.effort === undefined ? [] : ['--effort', agent.effort]),
        ...(resume === null ? [] : ['--resume', resume]),
        ...(mostUsd === undefined ? [] : ['--max-budget-usd', mostUsd.toFixed(6)]),
        ...agent.args,
      ],
      env: {
        DISABLE_AUTOUPDATER: '1',
        CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
        // Without it a wrong key is tried again for many minutes.
        CLAUDE_CODE_MAX_RETRIES: agent.env.CLAUDE_CODE_MAX_RETRIES ?? '4',
        // Otherwise root may not work without being asked.
        ...(isRoot ? { IS_SANDBOX: '1' } : {}),
      },
      files: {
        [join(home, 'settings.json')]: JSON.stringify(settingsWith(hook), null, 2),
        ...(server === null ? {} : { [join(home, 'mcp.json')]: JSON.stringify(serversWith(server), null, 2) }),
        ...(instructions === '' ? {} : { [join(home, 'instructions.md')]: instructions }),
      },
    };
  },
  isPrompted: true,
  canResume: true,
  events: claudeEvents,
  hooks: {
    edits: (tool, input) => (editing.includes(tool) ? [textOf(input.file_path ?? input.notebook_path)] : null),
    withheld: whyWithheld,
    shell: 'Bash',
    editors: editing,
    notCovered: [toolsOfServers],
    reaching: null,
  },
  known: {
    title: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    tried: '2.1.325',
    takesEffort: true,
    tellsCost: 'always',
    loginFolder: 'CLAUDE_CONFIG_DIR',
    keepsBudget: true,
    loads: claudeLoads,
    variables: [
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_AUTH_TOKEN',
      'ANTHROPIC_BASE_URL',
      'ANTHROPIC_CUSTOM_HEADERS',
      'ANTHROPIC_MODEL',
      'CLAUDE_CODE_OAUTH_TOKEN',
      'CLAUDE_CONFIG_DIR',
      'CLAUDE_CODE_USE_BEDROCK',
      'AWS_REGION',
      'AWS_PROFILE',
      'AWS_ACCESS_KEY_ID',
      'AWS_SECRET_ACCESS_KEY',
      'AWS_SESSION_TOKEN',
      'AWS_BEARER_TOKEN_BEDROCK',
      'CLAUDE_CODE_USE_VERTEX',
      'CLOUD_ML_REGION',
      'ANTHROPIC_VERTEX_PROJECT_ID',
      'GOOGLE_APPLICATION_CREDENTIALS',
    ],
  },
};

/** Without `alwaysLoad` a server that is slow to start is missing for the whole attempt, and its tools have to be searched for. */
function serversWith([command, ...args]: NonNullable<LaunchRequest['server']>): object {
  return { mcpServers: { [serverName]: { type: 'stdio', command, args, alwaysLoad: true } } };
}

/** Definitions of subagents can ask for a worktree too. It would lie in the checkout of the person. */
const noTree = "echo 'an attempt of Signalbox makes no worktrees' >&2; exit 1";

/** Every call is told: a matcher that names tools would miss those to come. */
function settingsWith(hook: string | null): object {
  const hooks = { WorktreeCreate: [{ hooks: [{ type: 'command', command: noTree }] }] };
  if (hook === null) return { hooks };
  const command = { type: 'command', command: hook, timeout: hookSeconds, onFailure: 'block' };
  const ended = [{ matcher: 'Bash', hooks: [command] }];
  const calls = { PreToolUse: [{ matcher: '*', hooks: [command] }], PostToolUse: ended, PostToolUseFailure: ended };
  return { disableAllHooks: false, hooks: { ...hooks, ...calls } };
}
