// Codex. It gets a home of its own, into which the login of the person is linked and their configuration copied: it writes to both. Settings
// of the repository do not count, because its hooks and MCP servers would run without a question; its instructions do.
import { join } from 'node:path';
import type { AgentSettings } from '../../core/model/settings.ts';
import { filesOfPatch, filesOfPatchCommand } from '../hooks/patch-files.ts';
import type { AgentKind, LaunchRequest } from '../kind.ts';
import { codexLoads } from './codex/codex-config.ts';
import { codexInstructions, foldersAbove } from './codex/codex-instructions.ts';
import { codexLimits } from './codex/codex-limits.ts';
import { codexModel } from './codex/codex-model.ts';
import { codexEvents } from './codex/codex-stream.ts';
import {
  attemptVariables,
  homeOf,
  hookSeconds,
  programOf,
  serverName,
  serverSeconds,
  toolsOfServers,
} from './known-program.ts';

const shell = 'Bash';

const theirHome = (agent: AgentSettings, environment: LaunchRequest['environment']): string =>
  agent.env.CODEX_HOME ?? environment.CODEX_HOME ?? homeOf(environment, '.codex');

export const codex: AgentKind = {
  program: (agent) => programOf(agent)[0],
  launch: (agent, { model, resume, workspace, home, hook, server, environment }) => {
    const theirs = theirHome(agent, environment);
    return {
      argv: [
        ...programOf(agent),
        'exec',
        '--json',
        '--skip-git-repo-check',
        '--dangerously-bypass-approvals-and-sandbox',
        '--dangerously-bypass-hook-trust',
        // A login shell forgets our PATH, and with it the command `signalbox`.
        ...['-c', 'allow_login_shell=false'],
        ...['-c', untrusted(workspace)],
        ...(model === '' ? [] : ['--model', model]),
        ...(agent.effort === undefined ? [] : ['-c', `model_reasoning_effort=${JSON.stringify(agent.effort)}`]),
        ...['-c', `mcp_servers.${serverName}=${serverTable(server)}`],
        ...agent.args,
        ...(resume === null ? [] : ['resume', resume]),
        '-',
      ],
      env: { CODEX_HOME: home },
      files: {
        [join(home, 'hooks.json')]: JSON.stringify({ hooks: hook === null ? {} : hooksOf(hook) }, null, 2),
        [join(home, 'AGENTS.md')]: codexInstructions(theirs, workspace),
      },
      links: { [join(home, 'auth.json')]: join(theirs, 'auth.json') },
      copies: { [join(home, 'config.toml')]: join(theirs, 'config.toml') },
    };
  },
  isPrompted: true,
  canResume: true,
  events: codexEvents,
  hooks: {
    edits: (tool, { command }) =>
      tool === 'apply_patch' ? filesOfPatch(command) : tool === shell ? filesOfPatchCommand(command) : null,
    shell,
    editors: ['apply_patch', 'patches in shell commands'],
    notCovered: [
      toolsOfServers,
      'calls inside the `exec` tool of Code Mode',
      'patches in shell commands with a `workdir` of their own',
    ],
    reaching: ['command', 'patch'],
  },
  known: {
    title: 'Codex',
    package: '@openai/codex',
    tried: '0.166.0',
    takesEffort: true,
    loginFolder: 'CODEX_HOME',
    noise: /^Reading prompt from stdin|^WARNING: proceeding, even though/,
    variables: ['OPENAI_API_KEY', 'CODEX_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_ORGANIZATION', 'OPENAI_PROJECT'],
    ownModel: {
      used: codexModel,
      configured: (agent, environment) => codexModel(theirHome(agent, environment), null),
    },
    loads: (agent, environment) => codexLoads(theirHome(agent, environment), agent.args),
    limits: codexLimits,
    countsFromBeginning: true,
    // As it works for us: without its sandbox. In some containers that runs nothing, and no attempt says so.
    trial: (file) => ['-c', 'sandbox_mode="danger-full-access"', 'sandbox', '--', 'touch', file],
  },
};

/**
 * Without a question, Codex takes a folder that it may write to for a trusted one, and runs what its settings name. Nobody trusts it here:
 * also not the person, whose configuration may, because they do so for sessions that they watch. Settings count in every folder above, too.
 */
function untrusted(workspace: string): string {
  const folders = foldersAbove(workspace).map((folder) => `${JSON.stringify(folder)}={trust_level="untrusted"}`);
  return `projects={${folders.join(',')}}`;
}

function hooksOf(hook: string): object {
  const called = [{ hooks: [{ type: 'command', command: hook, timeout: hookSeconds }] }];
  return { PreToolUse: called, PostToolUse: [{ matcher: shell, ...called[0] }] };
}

/**
 * Its tools are approved by name, because nobody answers. Where there is none, one that the person has registered under our name is switched
 * off: Codex would hand it nothing of what says whose work this is, and it would take a reviewer for the person.
 */
function serverTable(server: LaunchRequest['server']): string {
  const [command, ...args] = server ?? [serverName];
  const table = {
    command,
    args,
    enabled: server !== null,
    required: server !== null,
    env_vars: attemptVariables,
    default_tools_approval_mode: 'approve',
    startup_timeout_sec: serverSeconds.start,
    tool_timeout_sec: serverSeconds.call,
  };
  // What JSON writes for texts, lists, numbers and truth is TOML too.
  return `{${Object.entries(table)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(',')}}`;
}
