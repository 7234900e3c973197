import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codexLoads } from './codex-config.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
});
afterEach(() => rmSync(home, { recursive: true }));

describe('what Codex takes in by the configuration of a person', () => {
  it.each<[string, string, string[], string[]]>([
    ['nothing', 'model = "gpt-5.5"\n', [], []],
    ['a server', '[mcp_servers.mine]\ncommand = "x"\n[mcp_servers.mine.env]\nA = "1"\n', [], ['MCP server mine']],
    [
      'servers in one line',
      'mcp_servers = { a = { url = "u" }, "b c" = {} }\n',
      [],
      ['MCP server a', 'MCP server b c'],
    ],
    ['not ours', '[mcp_servers.signalbox]\ncommand = "signalbox"\n', [], []],
    ['not one that is off', '[mcp_servers.mine]\nenabled = false\n', [], []],
    ['one that an argument names', '', ['-c', 'mcp_servers.mine={command="x"}'], ['MCP server mine']],
    [
      'not one that an argument switches off',
      '[mcp_servers.mine]\ncommand = "x"\n',
      ['--config', 'mcp_servers.mine.enabled=false'],
      [],
    ],
    ['hooks', '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = "x"\n', [], ['hook Stop']],
    ['not what it remembers of hooks', '[hooks.state."/h:pre:0:0"]\ntrusted_hash = "1"\n', [], []],
    ['a program that is told of each turn', 'notify = ["say", "done"]\n', [], ['notify say']],
    ['nothing that cannot be read', '[mcp_servers.mine]\ncommand = \n', [], []],
  ])('%s', (_, text, args, expected) => {
    writeFileSync(join(home, 'config.toml'), text);
    expect(codexLoads(home, args)).toEqual(expected);
  });

  it('is read behind a link, and nothing without a file', () => {
    expect(codexLoads(home, [])).toEqual([]);
    writeFileSync(join(home, 'elsewhere'), '[mcp_servers.mine]\ncommand = "x"\n');
    symlinkSync('elsewhere', join(home, 'config.toml'));
    expect(codexLoads(home, [])).toEqual(['MCP server mine']);
  });
});
