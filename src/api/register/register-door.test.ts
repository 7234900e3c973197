// `init --mcp` in the home of a person, byte by byte: what is there before, what is there afterwards, and that undo gives back what was.
import { chmodSync, chownSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHere } from '../../../test/e2e/run-here.ts';
import { Home } from '../../../test/rigs/agent-home.ts';
import { disownDrafts, dyingAt } from '../../../test/rigs/dead-writes.ts';
import { treeListing } from '../../../test/rigs/tree-listing.ts';

const passed =
  '["SIGNALBOX_AGENT", "SIGNALBOX_ATTEMPT", "SIGNALBOX_PLAN", "SIGNALBOX_STATE", "SIGNALBOX_TASK", "SIGNALBOX_TOKEN", "SIGNALBOX_TREE", "SIGNALBOX_WORKSPACE", "XDG_STATE_HOME"]';
const codex = (args = '"mcp"') =>
  `[mcp_servers.signalbox]\ncommand = "signalbox"\nargs = [${args}]\nenv_vars = ${passed}\n`;
const gemini =
  '{\n  "mcpServers": {\n    "signalbox": {\n      "command": "signalbox",\n      "args": [\n        "mcp"\n      ]\n    }\n  }\n}\n';
const opencode = (args = '') =>
  `{\n  "$schema": "https://opencode.ai/config.json",\n  "mcp": {\n    "signalbox": {\n      "type": "local",\n      "command": [\n        "signalbox",\n        "mcp"${args}\n      ],\n      "enabled": true\n    }\n  }\n}\n`;
const places = {
  codex: '.codex/config.toml',
  gemini: '.gemini/settings.json',
  opencode: '.config/opencode/opencode.json',
};

describe('an empty home', () => {
  it.each([
    ['codex', codex()],
    ['gemini', gemini],
    ['opencode', opencode()],
  ] as const)('gets the file of %s, private, and loses it again with its folder', async (kind, text) => {
    const h = new Home();
    const before = h.tree();
    expect((await h.type(kind, '--yes')).code).toBe(0);
    expect(h.read(places[kind])).toBe(text);
    expect(statSync(join(h.home, places[kind])).mode & 0o777).toBe(0o600);
    const again = await h.type(kind, '--yes');
    expect([again.code, again.out]).toEqual([
      0,
      expect.stringContaining(`${places[kind]} already registers it like this.\n`),
    ]);
    expect((await h.type(kind, '--undo', '--yes')).code).toBe(0);
    expect(h.tree()).toEqual(before);
    expect((await h.type(kind, '--undo')).out).toBe(
      `Nothing to take back: init has registered nothing with ${kind}.\n`,
    );
  });
});

describe('settings that are there', () => {
  it.each([
    ['codex', '# mine\r\nmodel = "x" # c\r\n\r\n[mcp_servers.y]\r\ncommand = "y"\r\n'],
    ['codex', '\uFEFFmodel = "x"'],
    ['codex', ''],
    ['gemini', '{\r\n  // mine\r\n  "mcpServers": {\r\n    "y": {} // y\r\n  }\r\n}\r\n'],
    ['gemini', '\uFEFF{"a":1}'],
    ['gemini', '{}'],
    ['gemini', '{"mcpServers":{}}\n'],
    ['opencode', '{\n  "mcp": {},\n  "model": "x"\n}'],
    ['opencode', ' \n'],
  ] as const)('of %s keep every byte: %j', async (kind, text) => {
    const h = new Home({ [places[kind]]: text });
    chmodSync(join(h.home, places[kind]), 0o640);
    const before = h.tree();
    expect((await h.type(kind, '--yes', '--decide')).code).toBe(0);
    expect(h.read(places[kind])).toMatch(/"mcp",\s*"--decide"/);
    expect(statSync(join(h.home, places[kind])).mode & 0o777).toBe(0o640);
    expect((await h.type(kind, '--undo', '--yes')).code).toBe(0);
    expect(h.tree()).toEqual(before);
  });

  it('are found where the person has them, and behind a link', async () => {
    const h = new Home({
      'dot/c.toml': 'a = 1\n',
      'x/opencode/opencode.jsonc': '{ /* c */ }',
      'g/.gemini/settings.json': '{}',
    });
    mkdirSync(join(h.home, 'own'));
    symlinkSync('../dot/c.toml', join(h.home, 'own/config.toml'));
    h.env = {
      ...h.env,
      CODEX_HOME: join(h.home, 'own'),
      XDG_CONFIG_HOME: join(h.home, 'x'),
      GEMINI_CLI_HOME: join(h.home, 'g'),
    };
    const before = h.tree();
    expect((await h.type('codex,gemini', '--mcp', 'opencode', '--yes')).code).toBe(0);
    expect(h.read('dot/c.toml')).toBe(`a = 1\n\n${codex()}`);
    expect(Object.keys(h.tree())).toEqual(Object.keys(before));
    expect((await h.type('codex,gemini,opencode', '--undo', '--yes')).code).toBe(0);
    expect(h.tree()).toEqual(before);
  });

  it.each([
    ['codex', 'a = 1\nb = oops\n', 3, `line 2: oops is not a value; a text needs quotes; nothing was written`],
    ['gemini', '{\n  "a": 1\n  "b": 2\n}', 3, 'line 3: a comma is missing; nothing was written'],
    ['opencode', '{\n"mcp": 1}', 3, 'line 2: "mcp" must be an object; nothing was written'],
    ['gemini', '\x80', 3, 'is not text in UTF-8'],
  ] as const)('of %s that cannot be read are refused: %j', async (kind, text, code, words) => {
    const h = new Home({ [places.codex]: 'a = 1\n' });
    h.write(places[kind], '');
    writeFileSync(join(h.home, places[kind]), text, 'latin1');
    const before = h.tree();
    const ended = await h.type('codex,gemini,opencode', '--yes');
    expect([ended.code, ended.err]).toEqual([code, expect.stringContaining(`${join(h.home, places[kind])}`)]);
    expect(ended.err).toContain(words);
    expect(h.tree()).toEqual(before);
  });

  const inPlace: Record<string, [(file: string) => void, string]> = {
    'a read-only file': [(file) => writeFileSync(file, '', { mode: 0o444 }), 'is read-only'],
    'a read-only folder': [(file) => chmodSync(dirname(file), 0o555), 'is read-only'],
    'a folder': [(file) => mkdirSync(file), 'is a folder'],
    'a link to nothing': [(file) => symlinkSync('nowhere', file), 'is a link that leads to no file'],
    'a link to no folder': [
      (file) => {
        rmSync(dirname(file), { recursive: true });
        symlinkSync('nowhere', dirname(file));
      },
      'is a link that leads nowhere',
    ],
    'a file for a folder': [
      (file) => {
        rmSync(dirname(file), { recursive: true });
        writeFileSync(dirname(file), '');
      },
      'is no folder',
    ],
  };
  if (process.getuid?.() === 0) {
    inPlace['the file of another user'] = [
      (file) => {
        writeFileSync(file, '');
        chownSync(file, 12345, 12345);
      },
      'belongs to another user (12345)',
    ];
    inPlace['the folder of another user'] = [
      (file) => chownSync(dirname(file), 12345, 12345),
      'belongs to another user (12345)',
    ];
  }
  it.each(Object.entries(inPlace))('%s is refused, and nothing is written', async (_, [make, words]) => {
    const h = new Home({ '.gemini/x': '' });
    make(join(h.home, places.gemini));
    const before = h.tree();
    const { code, err } = await h.type('codex,gemini', '--yes');
    expect([code, err]).toEqual([2, expect.stringMatching(/; nothing was written\n/)]);
    expect(err).toContain(words);
    expect(h.tree()).toEqual(before);
  });
});

describe('another registration', () => {
  it('is shown with ours, replaced in its own keys, and comes back with undo', async () => {
    const text =
      '[mcp_servers.signalbox]\ncommand = "npx" # slow\nargs = ["signalbox", "mcp"]\nstartup_timeout_sec = 30\n';
    const h = new Home({ [places.codex]: text });
    const { code, out } = await h.type('codex');
    expect([code, out]).toEqual([4, expect.stringContaining('-command = "npx" # slow\n')]);
    expect(out).toContain('+command = "signalbox"\n');
    expect(h.read(places.codex)).toBe(text);
    await h.type('codex', '--yes');
    expect(h.read(places.codex)).toBe(`${codex()}startup_timeout_sec = 30\n`);
    await h.type('codex', '--decide', '--yes');
    expect(h.read(places.codex)).toBe(`${codex('"mcp", "--decide"')}startup_timeout_sec = 30\n`);
    expect((await h.type('codex', '--undo', '--yes')).code).toBe(0);
    expect(h.read(places.codex)).toBe(text);
  });

  it('of ours is replaced by ours, and undo takes back both', async () => {
    const h = new Home();
    const before = h.tree();
    await h.type('opencode', '--yes');
    await h.type('opencode', '--decide', '--yes');
    expect(h.read(places.opencode)).toBe(opencode(',\n        "--decide"'));
    await h.type('opencode', '--undo', '--yes');
    expect(h.tree()).toEqual(before);
  });

  it.each([
    ['codex', (text: string) => text.replace('"mcp"', '"mcp", "--agent", "me"')],
    ['codex', (text: string) => `${text}\n[mcp_servers.signalbox.tools.why]\napproval_mode = "approve"\n`],
    ['gemini', (text: string) => text.replace('"args"', '"trust": true, "args"')],
  ] as const)('of ours in %s that was changed stays, and is said', async (kind, change) => {
    const h = new Home();
    await h.type(kind, '--yes');
    const changed = change(h.read(places[kind]));
    h.write(places[kind], changed);
    const { code, out } = await h.type(kind, '--undo', '--yes');
    expect([code, out]).toEqual([
      1,
      `⚠ ${join(h.home, places[kind])} stays: it was changed since: the server ${kind} starts is not what init wrote; to take it out: ${kind} mcp remove ${kind === 'gemini' ? '--scope user ' : ''}signalbox\n`,
    ]);
    expect(h.read(places[kind])).toBe(changed);
  });

  it('is cut out by what it means where the file was written anew around it', async () => {
    const h = new Home();
    await h.type('gemini,codex', '--yes');
    const servers = { ...JSON.parse(h.read(places.gemini)).mcpServers, y: { command: 'y' } };
    h.write(places.gemini, JSON.stringify({ a: 1, mcpServers: servers }, null, 4));
    h.write(places.codex, `a = 1\r\n\r\n${codex().replaceAll('\n', '\r\n')}\r\n[b]\r\n`);
    expect((await h.type('gemini,codex', '--undo', '--yes')).code).toBe(0);
    expect(h.read(places.gemini)).toBe(JSON.stringify({ a: 1, mcpServers: { y: { command: 'y' } } }, null, 4));
    expect(h.read(places.codex)).toBe('a = 1\r\n\r\n[b]\r\n');
  });

  it('that somebody took out by hand needs no undoing', async () => {
    const h = new Home();
    await h.type('codex', '--yes');
    h.write(places.codex, 'a = 1\n');
    expect(await h.type('codex', '--undo', '--yes')).toMatchObject({ code: 0 });
    expect(h.read(places.codex)).toBe('a = 1\n');
  });
});

describe('others at the same moment', () => {
  it('of two, one writes', async () => {
    const h = new Home({ [places.codex]: 'a = 1\n' });
    const before = h.tree();
    const ended = await Promise.all([h.type('codex', '--yes'), h.type('codex', '--yes')]);
    expect(ended.map(({ code }) => code).sort()).toEqual([0, 2]);
    expect(ended.map(({ err }) => err).join('')).toMatch(/; nothing was written\n {2}help: try again\n$/);
    expect(h.read(places.codex)).toBe(`a = 1\n\n${codex()}`);
    expect((await h.type('codex', '--undo', '--yes')).code).toBe(0);
    expect(h.tree()).toEqual(before);
  });

  it('nothing is written but what was shown', async () => {
    const h = new Home();
    const setup = await h.door();
    const { changes } = await setup.register({ agents: ['codex'], write: false });
    h.write(places.codex, 'a = 1\n');
    await expect(setup.register({ agents: ['codex'], write: true, shown: changes })).rejects.toMatchObject({
      exitCode: 2,
    });
    expect(h.read(places.codex)).toBe('a = 1\n');
  });

  it('killed at any write, it is completed by the next call, or taken back', async () => {
    let writes = 0;
    for (let nth = 1; ; nth++) {
      const h = new Home({ [places.gemini]: '{"a":1}' });
      const before = h.tree();
      if (nth % 3 === 0) await h.type('codex,gemini', '--decide', '--yes');
      if (await dyingAt(nth, () => h.type('codex,gemini', '--yes'))) writes = nth;
      for (const folder of ['.codex', '.gemini']) if (folder in h.tree()) disownDrafts(join(h.home, folder));
      if (writes < nth) break;
      if (nth % 2 === 0) {
        expect((await h.type('codex,gemini', '--yes')).code).toBe(0);
        expect([nth, h.read(places.codex)]).toEqual([nth, codex()]);
      }
      expect((await h.type('codex,gemini', '--undo', '--yes')).code).toBe(0);
      expect([nth, h.tree()]).toEqual([nth, before]);
    }
    expect(writes).toBeGreaterThan(10);
  });

  it('killed at any write while it is taken back, it is taken back by the next call', async () => {
    let writes = 0;
    for (let nth = 1; ; nth++) {
      const h = new Home({ [places.gemini]: '{"a":1}' });
      const before = h.tree();
      await h.type('codex,gemini', '--yes');
      if (await dyingAt(nth, () => h.type('codex,gemini', '--undo', '--yes'))) writes = nth;
      disownDrafts(join(h.home, '.gemini'));
      if (writes < nth) break;
      expect((await h.type('codex,gemini', '--undo', '--yes')).code).toBe(0);
      expect([nth, h.tree()]).toEqual([nth, before]);
    }
    expect(writes).toBeGreaterThan(5);
  });
});

describe('wrong calls', () => {
  it.each([
    [['--mcp', 'cursor'], 'there is no such kind of agent'],
    [['--mcp', 'codex,'], 'there is no such kind of agent'],
    [['--mcp', 'codex', '--no-agents-md'], '--no-agents-md does not go with --mcp'],
    [['--mcp', 'codex', '--undo', '--decide'], '--decide does not go with --undo'],
    [['--decide'], '--decide is about the MCP server'],
  ])('%j', async (args, words) => {
    const h = new Home();
    const before = h.tree();
    const ended = await runHere(['init', ...args, '--yes'], { cwd: h.cwd, env: h.env });
    expect([ended.code, ended.err]).toEqual([2, expect.stringContaining(words)]);
    expect([h.tree(), treeListing(h.cwd)]).toEqual([before, { '.': '755' }]);
  });

  it('by an attempt may look, and registers nothing', async () => {
    const h = new Home();
    h.env = { ...h.env, SIGNALBOX_TOKEN: 'x:1', SIGNALBOX_ATTEMPT: 'a#1' };
    const before = h.tree();
    expect((await h.type('codex', '--dry-run')).code).toBe(0);
    for (const flag of ['--decide', '--undo']) {
      const { code, err } = await h.type('codex', '--yes', flag);
      expect([code, err]).toEqual([2, expect.stringContaining('a#1')]);
    }
    expect(h.tree()).toEqual(before);
  });

  it('without a home says so', async () => {
    const h = new Home();
    const { HOME: _, ...env } = h.env;
    h.env = env;
    expect(await h.type('gemini', '--yes')).toMatchObject({ code: 2, err: expect.stringContaining('HOME is not set') });
  });
});
