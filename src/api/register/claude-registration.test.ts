// `init --mcp claude`, with a program in the place of Claude Code, and what agents are told to start.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Home, launcher } from '../../../test/rigs/agent-home.ts';

/** Does with its file what Claude Code does, and remembers how it was called. */
const claude = `#!${process.execPath}
const fs = require('node:fs');
const [, verb, , , name, json] = process.argv.slice(2);
const file = (process.env.CLAUDE_CONFIG_DIR ?? process.env.HOME) + '/.claude.json';
const all = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
fs.appendFileSync(process.env.HOME + '/calls', verb + ' ' + (process.env.CLAUDECODE ?? '') + '\\n');
if (fs.existsSync(process.env.HOME + '/.codex/busy')) fs.writeFileSync(process.env.HOME + '/.codex/config.toml', 'new = 1\\n');
if (verb === 'add-json' && process.env.HOME.endsWith('-no')) { console.error('cannot do that'); process.exit(1); }
if (verb === 'remove') delete all.mcpServers[name];
else (all.mcpServers ??= {})[name] = JSON.parse(json);
fs.writeFileSync(file, JSON.stringify(all, null, 2));
`;

describe('Claude Code', () => {
  const homeOf = (files: Readonly<Record<string, string>> = {}) => {
    const h = new Home(files);
    writeFileSync(join(h.bin, 'claude'), claude, { mode: 0o755 });
    h.env = { ...h.env, CLAUDECODE: '1' };
    return h;
  };

  it('changes its settings itself, and other servers stay', async () => {
    const text = JSON.stringify({ a: 1, mcpServers: { y: {} } }, null, 2);
    const h = homeOf({ '.claude.json': text });
    const { code, out } = await h.type('claude', '--yes');
    expect(code).toBe(0);
    expect(out).toContain(
      `claude mcp add-json --scope user signalbox '{"type":"stdio","command":"signalbox","args":["mcp"]}'\n`,
    );
    const signalbox = { type: 'stdio', command: 'signalbox', args: ['mcp'] };
    expect(JSON.parse(h.read('.claude.json')).mcpServers).toEqual({ y: {}, signalbox });
    expect((await h.type('claude', '--yes')).out).toContain('already registers it');
    expect((await h.type('claude', '--undo', '--yes')).code).toBe(0);
    expect([h.read('.claude.json'), h.read('calls')]).toEqual([text, 'add-json \nremove \n']);
  });

  it('gives back what was there before, also after a kill between taking out and putting in', async () => {
    const was = { command: 'npx', args: ['signalbox'], env: { A: '1' } };
    const h = homeOf({ '.claude.json': JSON.stringify({ mcpServers: { signalbox: was } }) });
    await h.type('claude', '--yes');
    expect(JSON.parse(h.read('.claude.json')).mcpServers.signalbox).toEqual({
      ...was,
      type: 'stdio',
      command: 'signalbox',
      args: ['mcp'],
    });
    h.write('.claude.json', '{"mcpServers":{}}');
    await h.type('claude', '--yes', '--decide');
    expect((await h.type('claude', '--undo', '--yes')).code).toBe(0);
    expect(JSON.parse(h.read('.claude.json'))).toEqual({ mcpServers: { signalbox: was } });
  });

  it('that is not installed, cannot do it, or has settings that cannot be read is named, and nothing else is written', async () => {
    const h = new Home();
    const before = h.tree();
    expect(await h.type('claude,codex', '--yes')).toMatchObject({
      code: 7,
      err: expect.stringContaining('claude is not on your PATH'),
    });
    expect(h.tree()).toEqual(before);
    const no = homeOf({ 'x-no/.claude.json': '{\n"a" 1}' });
    no.env = { ...no.env, HOME: join(no.home, 'x-no') };
    const broken = await no.type('claude,codex', '--yes');
    expect([broken.code, broken.err]).toEqual([3, expect.stringContaining('.claude.json, line 2: a colon is missing')]);
    no.write('x-no/.claude.json', '{}');
    const refused = await no.type('claude,codex', '--yes');
    expect([refused.code, refused.err]).toEqual([
      7,
      expect.stringContaining('claude mcp add-json failed: cannot do that'),
    ]);
    expect(Object.keys(no.tree())).not.toContain('x-no/.codex');
  });

  it('comes first, and is taken back where a later one cannot be written', async () => {
    const h = homeOf({ '.claude.json': '{}', '.codex/x': '' });
    mkdirSync(join(h.home, '.codex', `.config.toml.${process.pid}.new`, 'full'), { recursive: true });
    const { code } = await h.type('claude,codex', '--yes');
    expect(code).not.toBe(0);
    expect([JSON.parse(h.read('.claude.json')), h.read('calls')]).toEqual([{ mcpServers: {} }, 'add-json \nremove \n']);
  });

  it('may take a while: what somebody writes for another agent meanwhile is theirs', async () => {
    const h = homeOf({ '.claude.json': '{}', '.codex/config.toml': 'old = 1\n', '.codex/busy': '' });
    const { code, err } = await h.type('claude,codex', '--yes');
    expect([code, err]).toEqual([2, expect.stringContaining('config.toml was written by somebody else meanwhile')]);
    expect([h.read('.codex/config.toml'), h.read('.claude.json')]).toEqual([
      'new = 1\n',
      expect.not.stringContaining('mcp"'),
    ]);
  });
});

describe('what agents start', () => {
  it('is the word where that is this program, and else this Node with this launcher', async () => {
    const h = new Home();
    const commandOf = async (path: string) => {
      h.env = { ...h.env, PATH: path };
      const { command } = await (await h.door()).register({ agents: ['codex'], write: false });
      return command;
    };
    const alone = [process.execPath, launcher, 'mcp'];
    expect(await commandOf(h.bin)).toEqual(['signalbox', 'mcp']);
    expect(await commandOf('/nowhere')).toEqual(alone);
    // As npx puts it there.
    const passing = join(h.home, 'node_modules', '.bin');
    mkdirSync(passing, { recursive: true });
    symlinkSync(launcher, join(passing, 'signalbox'));
    expect(await commandOf(passing)).toEqual(alone);
    const other = join(h.home, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'signalbox'), '', { mode: 0o755 });
    expect(await commandOf(other)).toEqual(alone);
  });

  it('starts: the registered command answers', async () => {
    const h = new Home();
    h.env = { ...h.env, PATH: '/nowhere' };
    const { command } = await (await h.door()).register({ agents: ['codex'], write: false });
    const [program, ...args] = command;
    expect(execFileSync(program!, [...args.slice(0, -1), '--version'], { encoding: 'utf8' })).toMatch(/\d/);
  });
});
