// How each kind gets our MCP server, for one attempt alone: by flags or in its own home.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentSettings } from '../../core/model/settings.ts';
import { agentNamed, builtIn, kindOf, type Launch, type LaunchRequest } from '../kind.ts';

const server = ['/our bin/signalbox', 'mcp'] as const;

function launch(name: string, more: Partial<LaunchRequest> = {}, settings: Partial<AgentSettings> = {}): Launch {
  const agent = { ...agentNamed({ agents: {}, defaults: {}, unsupported: [] }, name)!, ...settings };
  return kindOf(agent)!.launch(agent, {
    ...{ task: 'a', attempt: 'a#1', promptFile: '/p', model: '', resume: null, workspace: '/w', home: '/h' },
    ...{ hook: null, server, environment: { HOME: '/home/x' }, isRoot: false },
    ...more,
  });
}

const fileOf = ({ files = {} }: Launch, name: string) => JSON.parse(files[name] ?? 'null');
const configOf = ({ env = {} }: Launch) => JSON.parse(env.OPENCODE_CONFIG_CONTENT!);

describe('our server', () => {
  it('Claude Code reads it from a file beside its settings', () => {
    const launched = launch('claude');
    expect(launched.argv.join(' ')).toContain(' --mcp-config /h/mcp.json --strict-mcp-config');
    expect(fileOf(launched, '/h/mcp.json')).toEqual({
      mcpServers: { signalbox: { type: 'stdio', command: '/our bin/signalbox', args: ['mcp'], alwaysLoad: true } },
    });
  });

  it('Claude Code reads those of the person too, which come last', () => {
    const { argv } = launch('claude', {}, { args: ['--mcp-config', 'mine.json'] });
    expect(argv.slice(-2)).toEqual(['--mcp-config', 'mine.json']);
    expect(argv).toContain('/h/mcp.json');
  });

  it('Codex gets it by one argument that names the variables and has none of their values', () => {
    const { argv } = launch('codex', {}, { args: ['-c', 'mcp_servers.signalbox.enabled=false'] });
    expect(argv.slice(-5)).toEqual([
      '-c',
      'mcp_servers.signalbox={command="/our bin/signalbox",args=["mcp"],' +
        'enabled=true,required=true,env_vars=["SIGNALBOX_AGENT","SIGNALBOX_ATTEMPT","SIGNALBOX_PLAN","SIGNALBOX_STATE",' +
        '"SIGNALBOX_TASK","SIGNALBOX_TOKEN","SIGNALBOX_TREE","SIGNALBOX_WORKSPACE"],' +
        'default_tools_approval_mode="approve",startup_timeout_sec=60,tool_timeout_sec=120}',
      ...['-c', 'mcp_servers.signalbox.enabled=false', '-'],
    ]);
  });

  it('Codex gets it in a resumed conversation too, before the word', () => {
    const { argv } = launch('codex', { resume: 's1' });
    expect(argv.findIndex((word) => word.startsWith('mcp_servers.'))).toBeLessThan(argv.indexOf('resume'));
  });

  it('Codex starts none of that name where there is none', () => {
    const table = launch('codex', { server: null }).argv.find((word) => word.startsWith('mcp_servers.'));
    expect(table).toContain('signalbox={command="signalbox",args=[],enabled=false,required=false,');
  });

  it('Gemini CLI gets it by our extension, with the variable that it would strip', () => {
    expect(fileOf(launch('gemini'), '/h/.gemini/extensions/signalbox/gemini-extension.json')).toEqual({
      name: 'signalbox',
      version: '1.0.0',
      excludeTools: ['enter_plan_mode'],
      mcpServers: {
        signalbox: { command: '/our bin/signalbox', args: ['mcp'], env: { SIGNALBOX_TOKEN: '$SIGNALBOX_TOKEN' } },
      },
    });
  });

  it('Gemini CLI keeps neither the server nor the hooks of an earlier attempt', () => {
    const launched = launch('gemini', { server: null, hook: null });
    const folder = '/h/.gemini/extensions/signalbox';
    expect(fileOf(launched, `${folder}/gemini-extension.json`)).toEqual({
      name: 'signalbox',
      version: '1.0.0',
      excludeTools: ['enter_plan_mode'],
    });
    expect(fileOf(launched, `${folder}/hooks/hooks.json`)).toEqual({ hooks: {} });
  });

  it.each<[string, string | null, object | null]>([
    [
      'one of our name is left out',
      '{"a":1,"advanced":{"b":2},"mcpServers":{"mine":{},"signalbox":{}}}',
      { a: 1, advanced: { b: 2, ignoreLocalEnv: true }, mcpServers: { mine: {} } },
    ],
    [
      'others are kept, comments or not',
      '// hi\n{"mcpServers":{"mine":{"url":"http://\\"x//y"}, /* "a" */ "signalbox":{}}}',
      { advanced: { ignoreLocalEnv: true }, mcpServers: { mine: { url: 'http://"x//y' } } },
    ],
    ['what is not understood is copied', '{"mcpServers":', null],
    ['without settings', null, { advanced: { ignoreLocalEnv: true } }],
  ])('of the servers in the settings of Gemini CLI, %s', (_, text, written) => {
    const home = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
    mkdirSync(join(home, '.gemini'));
    if (text !== null) writeFileSync(join(home, '.gemini/settings.json'), text);
    for (const given of [server, null]) {
      const launched = launch('gemini', { environment: { HOME: home }, server: given });
      expect(fileOf(launched, '/h/.gemini/settings.json')).toEqual(written);
      expect('/h/.gemini/settings.json' in launched.copies!).toBe(written === null);
    }
    rmSync(home, { recursive: true });
  });

  it('opencode gets it in its configuration, beside those of the person', () => {
    const mine = { type: 'remote', url: 'http://127.0.0.1:9' };
    const theirs = JSON.stringify({ model: 'm', mcp: { mine, signalbox: { type: 'local', command: ['other'] } } });
    const launched = launch('opencode', { environment: { OPENCODE_CONFIG_CONTENT: theirs } });
    expect(configOf(launched)).toMatchObject({
      model: 'm',
      mcp: { mine, signalbox: { type: 'local', command: server, enabled: true, timeout: 120_000 } },
    });
  });

  it('opencode keeps what the person says where there is none', () => {
    const environment = { OPENCODE_CONFIG_CONTENT: '{"mcp":{"mine":{}}}' };
    expect(configOf(launch('opencode', { server: null, environment })).mcp).toEqual({ mine: {} });
    expect(configOf(launch('opencode', { server: null })).mcp).toBeUndefined();
  });

  it.each(builtIn.filter((name) => name !== 'codex'))('%s hears nothing of it where there is none', (name) => {
    const { argv, env, files } = launch(name, { server: null });
    expect(JSON.stringify([argv, env, files])).not.toMatch(/mcp_servers|mcpServers|--mcp-config|"mcp/);
  });

  it('any other program does not get it', () => {
    expect(launch('claude', {}, { kind: 'command', command: ['mytool'] })).toEqual({ argv: ['mytool'] });
  });
});
