// Every byte of somebody's TOML but the server's own, in every shape that people and programs write.
import { describe, expect, it } from 'vitest';
import { SettingsMistake } from '../../agents/config/settings-mistake.ts';
import { tomlServers } from './toml-servers.ts';

const text = tomlServers(['mcp_servers', 'signalbox']);
const entry = { command: 'signalbox', args: ['mcp'] };
const section = '[mcp_servers.signalbox]\ncommand = "signalbox"\nargs = ["mcp"]\n';

describe('set and cut', () => {
  it.each([
    ['nothing', '', section],
    ['settings', 'model = "x"\n', `model = "x"\n\n${section}`],
    ['no last line end', 'model = "x"', `model = "x"\n\n${section}`],
    ['an empty line at the end', 'model = "x" # c\n\n', `model = "x" # c\n\n${section}`],
    ['CRLF', '# hi\r\n[a]\r\nb = 1\r\n', `# hi\r\n[a]\r\nb = 1\r\n\r\n${section.replaceAll('\n', '\r\n')}`],
    ['a byte order mark', '\uFEFFa = 1\n', `\uFEFFa = 1\n\n${section}`],
    ['another server', '[mcp_servers.x]\ncommand = "x"\n', `[mcp_servers.x]\ncommand = "x"\n\n${section}`],
    ['others by dots', 'mcp_servers.x.command = "x"\n', `mcp_servers.x.command = "x"\n\n${section}`],
    [
      'values that look like tables',
      'a = """\n[mcp_servers.signalbox]\n\\"""" # """\nb = \'\'\'\n[mcp_servers.signalbox]\'\'\'\nc = [ # [\n  "]", 1,\n]\nd = 1979-05-27 07:32:00Z\n',
      `a = """\n[mcp_servers.signalbox]\n\\"""" # """\nb = '''\n[mcp_servers.signalbox]'''\nc = [ # [\n  "]", 1,\n]\nd = 1979-05-27 07:32:00Z\n\n${section}`,
    ],
  ])('%s', (_, before, after) => {
    expect(text.find(before)).toBeNull();
    expect(text.set(before, entry)).toBe(after);
    expect(text.find(after)).toEqual(entry);
    expect(text.cut(after).trimEnd()).toBe(before.trimEnd());
  });

  it('cuts it out between others, with one empty line', () => {
    expect(text.cut(`a = 1\n\n${section}\n[b]\nc = 1 # c\n`)).toBe('a = 1\n\n[b]\nc = 1 # c\n');
    expect(text.cut(`${section}# about b\n[b]\n`)).toBe('# about b\n[b]\n');
  });

  it('changes its keys and keeps everything else', () => {
    const before = `[mcp_servers."signalbox"] # mine\n# old\ncommand = "old"\nstartup_timeout_sec = 10 # slow\nargs = [\n  "a",\n]\n\n[mcp_servers.signalbox.tools.why]\napproval_mode = "approve"\n`;
    const after = text.set(before, entry);
    expect(after).toBe(
      `[mcp_servers."signalbox"] # mine\ncommand = "signalbox"\nargs = ["mcp"]\n# old\nstartup_timeout_sec = 10 # slow\n\n[mcp_servers.signalbox.tools.why]\napproval_mode = "approve"\n`,
    );
    expect(text.find(after)).toEqual({
      ...entry,
      startup_timeout_sec: { bare: '10' },
      tools: { why: { approval_mode: 'approve' } },
    });
    expect(text.set('[mcp_servers.signalbox]', entry)).toBe(section);
  });

  it('writes again what it has read', () => {
    const odd = { command: 'a"\\\x7f\n', args: [], n: { bare: '10' }, on: true, env: { 'a b': 'c', d: ['e'] } };
    expect(text.find(text.set('', odd))).toEqual(odd);
  });

  it.each([
    ['[mcp_servers]\nsignalbox = { command = "x", args = [] }\n', { command: 'x', args: [] }],
    ["mcp_servers.signalbox.command = 'x'\n", { command: 'x' }],
    ['[ mcp_servers . "signalb\\u006fx" ]\nenv.A = "\\t\\x41"\non = false\n', { env: { A: '\tA' }, on: false }],
    ['[mcp_servers.signalbox]\n', {}],
    ['[mcp_servers.signalbox.env]\n', { env: {} }],
  ])('finds it in %j', (all, found) => expect(text.find(all)).toEqual(found));
});

describe('mistakes', () => {
  const refusal = (work: () => unknown): unknown => {
    try {
      return work();
    } catch (error) {
      expect(error).toBeInstanceOf(SettingsMistake);
      return error;
    }
  };

  it.each([
    ['a = 1\nb\n', 2, 'a = is missing'],
    ['a = \n', 1, 'a value is missing'],
    ['a = hello\n', 1, 'hello is not a value; a text needs quotes'],
    ['a = "x\n', 1, 'a text has no closing quote'],
    ["a = 'x\n", 1, 'a text has no closing quote'],
    ['\na = """x\n', 2, 'a text has no closing quotes'],
    ['a = "\\q"\n', 1, '\\q is not known in a text'],
    ['[a\nb = 1\n', 1, 'a ] is missing'],
    ['[[a]\nb = 1\n', 1, 'a ] is missing'],
    ['= 1\n', 1, 'a key must stand here'],
    ['a = [1 2]\n', 1, 'a comma or a ] is missing'],
    ['a = { b = 1 c = 2 }\n', 1, 'a comma or a } is missing'],
    ['a = 1 b = 2\n', 1, 'something follows on the same line'],
    [`a = ${'['.repeat(1000)}`, 1, 'it is nested too deeply'],
    [
      '\nmcp_servers = { x = { command = "y" } }\n',
      2,
      'mcp_servers is written in one line, which init does not change',
    ],
  ])('%j is refused at line %i: %s', (all, line, message) => {
    expect(refusal(() => text.find(all))).toMatchObject({ line, message });
  });

  it.each([
    ['[mcp_servers]\nsignalbox = { command = "x" }\n', 2],
    ['a = 1\n\nmcp_servers.signalbox.command = "x"\n', 3],
    ['[mcp_servers.signalbox.env]\nA = "1"\n', 1],
  ])('does not change %j', (all, line) => {
    const message = 'mcp_servers.signalbox is no table of its own, and init changes no other form';
    expect(refusal(() => text.set(all, entry))).toMatchObject({ line, message });
  });
});
