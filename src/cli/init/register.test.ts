// What `init --mcp` and its undo say, ask and answer with.
import { describe, expect, it } from 'vitest';
import { CliRig, type RigOptions } from '../../../test/rigs/cli-rig.ts';
import { setup } from '../../../test/rigs/setup-samples.ts';
import type { RegisterReport, UnregisterReport } from '../../api/reports/register.ts';
import { lineDiff } from '../../files/disk/line-diff.ts';

const calls = [['/bin/claude', 'mcp', 'add-json', '{"a":"b c"}']];
const report: RegisterReport = {
  agents: ['claude', 'codex'],
  command: ['/a b/node', 'signalbox.cjs', 'mcp'],
  decide: false,
  changes: [
    { agent: 'claude', path: '/h/.claude.json', action: 'add', diff: lineDiff('', '{}\n'), calls },
    { agent: 'codex', path: '/h/\x1b[2Jc.toml', action: 'replace', diff: lineDiff('a\n', 'b\n', 0), calls: [] },
  ],
  leftAlone: [],
  notes: ['codex is not on your PATH; it finds the server once it is installed'],
  written: false,
};
const undo: UnregisterReport = {
  agents: ['codex'],
  changes: [{ agent: 'codex', path: '/h/c.toml', action: 'cut', diff: lineDiff('a\nb\n', 'a\n', 0), calls: [] }],
  stays: [],
  written: false,
};

function rigOf(more: Partial<RegisterReport & UnregisterReport> = {}, options: RigOptions = {}) {
  const asked: unknown[] = [];
  const door = {
    ...setup,
    register: async ({ write, shown, agents, decide }: Parameters<typeof setup.register>[0]) => {
      if (write) asked.push([...agents, decide, shown !== undefined]);
      return { ...report, ...more, decide: decide === true, written: write } as RegisterReport;
    },
    unregister: async ({ write, agents }: Parameters<typeof setup.unregister>[0]) => {
      if (write) asked.push(['undo', ...agents]);
      return { ...undo, ...more, written: write } as UnregisterReport;
    },
  };
  return { rig: new CliRig({ setup: async () => door }, options), asked };
}

const offer = (decide: boolean) => `The MCP server signalbox, for you and in every folder. Agents start it with:
  '/a b/node' signalbox.cjs mcp
${decide ? 'It may answer decisions in your place.\n' : ''}
/h/.claude.json (added)
+{}

by: /bin/claude mcp add-json '{"a":"b c"}'

/h/c.toml (changed)
@@ -1,1 +1,1 @@
-a
+b

⚠ codex is not on your PATH; it finds the server once it is installed
`;
const done = `✔ Registered with claude and codex. Sessions that begin from now on have it.

Next:
  claude mcp list                           see it
  codex mcp list                            see it
  signalbox init --mcp claude,codex --undo  take it back
`;

describe('init --mcp', () => {
  it.each([
    ['y', [], false],
    ['y', ['--decide'], true],
    ['', ['--decide'], true],
  ])('shows everything and asks once; the answer %j to %j', async (typed, flags, decide) => {
    const { rig, asked } = rigOf({}, { answers: [typed] });
    expect(await rig.run('init', '--mcp', 'claude', '--mcp', 'codex', ...flags)).toBe(0);
    const may = decide ? ', and let them decide for you' : '';
    const question = `  ? Register signalbox with claude and codex, in place of what is there${may}? [y/N]: \n`;
    expect(rig.out).toBe(`${offer(decide)}${question}${typed === 'y' ? done : 'Nothing was changed.\n'}`);
    expect(asked).toEqual(typed === 'y' ? [['claude', 'codex', decide, true]] : []);
  });

  it.each([
    [['--yes'], 0, done],
    [[], 4, 'signalbox init --mcp claude,codex --yes does this.\n'],
    [['--decide'], 4, 'signalbox init --mcp claude,codex --decide --yes does this.\n'],
    [['--dry-run'], 0, 'Nothing was changed.\n'],
  ])('without a terminal: %j', async (flags, code, end) => {
    const { rig } = rigOf();
    expect(await rig.run('init', '--mcp', 'claude,codex', ...flags)).toBe(code);
    expect(rig.out).toBe(`${offer(flags[0] === '--decide')}${end}`);
  });

  it('says where it is registered already', async () => {
    const leftAlone = [{ path: '/h/c.toml', because: 'already registers it like this' }];
    const { rig } = rigOf({ changes: [], leftAlone });
    expect(await rig.run('init', '--mcp', 'codex')).toBe(0);
    expect(rig.out).toBe('✔ Nothing was changed.\n/h/c.toml already registers it like this.\n');
  });

  it('prints the report with --json, and never asks', async () => {
    const { rig } = rigOf({}, { answers: ['y'] });
    expect(await rig.run('init', '--mcp', 'codex', '--json')).toBe(4);
    expect(rig.json()).toEqual([report]);
  });
});

describe('init --mcp --undo', () => {
  it('shows what goes and asks', async () => {
    const { rig, asked } = rigOf({}, { answers: ['y'] });
    expect([await rig.run('init', '--mcp', 'codex', '--undo'), asked]).toEqual([0, [['undo', 'codex']]]);
    expect(rig.out).toBe(`/h/c.toml (cut out)
@@ -2,1 +1,0 @@
-b

  ? Take back the registration with codex? [y/N]: 
✔ Taken back from codex.
`);
  });

  it('says what stays, with exit code 1', async () => {
    const { rig } = rigOf({ changes: [], stays: [{ path: '/h/c.toml', because: 'was changed since' }] });
    expect(await rig.run('init', '--mcp', 'codex', '--undo')).toBe(1);
    expect(rig.out).toBe('⚠ /h/c.toml stays: it was changed since\n');
  });
});
