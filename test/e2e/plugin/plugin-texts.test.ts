// What the plugin for Claude Code says: its manifests fit the package, and every tool, command and flag that its texts name exists.
import { globSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { flagsOf } from '../../../src/cli/table/command-flags.ts';
import { commandTable } from '../../../src/cli/table/command-table.ts';
import { findCommand, findFamily } from '../../../src/cli/table/find-command.ts';
import { toolTable } from '../../../src/mcp/tool-table.ts';
import { Workspace } from '../rig.ts';

const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const commands = globSync('plugin/commands/*.md').sort();
const skill = 'plugin/skills/plan/SKILL.md';
const prefix = 'mcp__plugin_plan_signalbox__';
// biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Code puts the folder of the plugin there
const launcher = '${CLAUDE_PLUGIN_ROOT}/bin/signalbox';
const guestTools = toolTable.filter(({ for: whom }) => whom.includes('guest')).map(({ name }) => name);

/** The front matter by key, and the text below it. */
function parts(file: string): { readonly keys: Record<string, string>; readonly text: string } {
  const [, head = '', text = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(file, 'utf8')) ?? [];
  return { keys: Object.fromEntries(head.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2))), text };
}

const codeIn = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
const unique = (words: readonly string[]) => [...new Set(words)].sort();
const toolsIn = (text: string) => unique(codeIn(text).filter((code) => /^[a-z]+(_[a-z]+)+$|^why$/.test(code)));
const allowed = (file: string) => (parts(file).keys['allowed-tools'] ?? '').split(', ');

describe('the manifests', () => {
  it('have the version of the package', () => {
    expect(json('plugin/.claude-plugin/plugin.json')).toMatchObject({
      name: 'plan',
      version: json('package.json').version,
    });
  });

  it('offer the folder of the plugin as a string', () => {
    const { name, plugins } = json('.claude-plugin/marketplace.json');
    expect([name, plugins]).toMatchObject(['signalbox', [{ name: 'plan', source: './plugin' }]]);
  });

  it('start the hooks and the server by the launcher, which is a program', () => {
    const { hooks } = json('plugin/hooks/hooks.json');
    const calls = Object.values<{ hooks: { command: string }[] }[]>(hooks).flatMap((groups) =>
      groups.flatMap((group) => group.hooks.map(({ command }) => command)),
    );
    expect(Object.keys(hooks).sort()).toEqual(['PreToolUse', 'SessionEnd', 'SessionStart', 'Stop']);
    expect(unique(calls)).toEqual([`"${launcher}" hook claude --guest`]);
    const known = (name: string) => flagsOf(commandTable.find((spec) => spec.name === name)!).map(({ flags }) => flags);
    expect([known('hook').includes('--guest'), known('mcp').length > 0]).toEqual([true, true]);
    expect(json('plugin/.mcp.json')).toEqual({
      mcpServers: {
        signalbox: { command: launcher, args: ['mcp'], alwaysLoad: true },
      },
    });
    expect(statSync('plugin/bin/signalbox').mode & 0o111).toBe(0o111);
  });
});

it('there are seven commands', () => {
  expect(commands.map((file) => basename(file, '.md'))).toEqual(
    ['batch', 'decide', 'implement', 'orchestrate', 'set', 'status', 'verify'].sort(),
  );
});

describe.each([...commands, skill, 'docs/plugin.md'])('%s', (file) => {
  const { text } = file.startsWith('docs/') ? { text: readFileSync(file, 'utf8') } : parts(file);

  it('names tools that guests have', () => {
    expect(toolsIn(text).filter((name) => !guestTools.includes(name))).toEqual([]);
  });

  it('names commands and flags that exist', () => {
    for (const code of codeIn(text)) {
      const [program, ...words] = code.replace(/^env -u \w+ /, '').split(' ');
      const flags = words.filter((word) => word.startsWith('--'));
      if (program !== 'signalbox' || words.length === 0) continue;
      const found = findCommand(words, commandTable);
      expect(found ?? findFamily(words[0], commandTable), code).not.toBeNull();
      const known = found ? flagsOf(found.spec).flatMap(({ flags: written }) => written.split(/[ ,]+/)) : [];
      expect(
        flags.filter((flag) => !known.includes(flag)),
        code,
      ).toEqual([]);
    }
  });

  it('names commands of the plugin that exist, and links to what is there', () => {
    const named = [...text.matchAll(/\/plan:([a-z]+)/g)].map(([, name]) => name!);
    const all = commands.map((command) => basename(command, '.md'));
    expect(named.filter((name) => !all.includes(name))).toEqual([]);
    const links = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, to]) => join(dirname(file), to!));
    expect(links.filter((to) => globSync(to).length === 0)).toEqual([]);
  });
});

describe.each(commands)('%s', (file) => {
  it('may call exactly the tools of the server that it names', () => {
    const { text } = parts(file);
    const own = allowed(file).flatMap((tool) => (tool.startsWith(prefix) ? [tool.slice(prefix.length)] : []));
    expect(own.sort()).toEqual(toolsIn(text));
    expect(own.filter((name) => `${prefix}${name}`.length > 64)).toEqual([]);
  });

  it('tells what it is for, and gets what the person typed', () => {
    const { keys, text } = parts(file);
    expect(keys).toMatchObject({ description: expect.any(String), 'argument-hint': expect.any(String) });
    expect(text.split('$ARGUMENTS')).toHaveLength(2);
  });

  // The person is asked by Claude Code before such a command runs, and sees it.
  it('lets nothing pass unasked that decides, forces or skips', () => {
    const shell = allowed(file).filter((tool) => tool.startsWith('Bash('));
    expect(shell.filter((rule) => /decide|retry|skip|force|approve|reject|stop|Bash\(signalbox:/.test(rule))).toEqual(
      [],
    );
  });
});

it('the plan in the skill has no mistakes', async () => {
  const [, example = ''] = /```markdown\n([\s\S]*?)```/.exec(readFileSync(skill, 'utf8')) ?? [];
  const { code, out } = await new Workspace({ 'plan.md': example }).run('check', 'plan.md', '--json');
  expect(code, out).toBe(0);
  expect(example).toContain('- [ ] db:');
});
