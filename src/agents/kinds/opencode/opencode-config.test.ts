// The configuration that opencode gets in an attempt: whose files are behind it, and which of them it may write to.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { furnish } from '../../process/furnish.ts';
import { opencode } from '../opencode.ts';
import { configHome, configuredModel, instructionsFor } from './opencode-config.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-config-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);

function put(name: string, text = ''): void {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
}

describe('the folder with its configuration', () => {
  const furnished = () => furnish({ argv: ['opencode'], ...configHome(at('own'), at('theirs')) });

  it('has copies of what the program writes to, and links to all else', () => {
    for (const name of [
      'opencode.json',
      'opencode.jsonc',
      'AGENTS.md',
      'plugin/p.ts',
      'package.json',
      'node_modules/x/i.js',
    ])
      put(`theirs/opencode/${name}`, name);
    put('theirs/git/config', 'git');
    furnished();
    writeFileSync(at('own/opencode/opencode.json'), 'changed');
    expect(readFileSync(at('theirs/opencode/opencode.json'), 'utf8')).toBe('opencode.json');
    expect(readFileSync(at('own/opencode/opencode.jsonc'), 'utf8')).toBe('opencode.jsonc');
    for (const name of ['opencode/AGENTS.md', 'opencode/plugin', 'git'])
      expect(readlinkSync(at(`own/${name}`))).toBe(at(`theirs/${name}`));
    expect(existsSync(at('own/opencode/package.json'))).toBe(false);
    expect(existsSync(at('own/opencode/node_modules/x'))).toBe(false);
  });

  it('begins anew each time, whatever an attempt has left there', () => {
    put('theirs/opencode/opencode.json', 'one');
    furnished();
    put('own/gh/hosts.yml', 'left');
    put('own/opencode/plugin/left.ts', 'left');
    put('theirs/gh/hosts.yml', 'hers');
    furnished();
    expect(readFileSync(at('own/gh/hosts.yml'), 'utf8')).toBe('hers');
    expect(existsSync(at('own/opencode/plugin'))).toBe(false);
  });

  it('is there without any of the person', () => {
    furnished();
    expect(existsSync(at('own/opencode/package-lock.json'))).toBe(true);
  });
});

describe('the model that it uses unless it is told one', () => {
  const agent = (env: Record<string, string>) => ({ kind: 'opencode', command: [], args: [], env, line: 0 });

  it('is the one in the last of its files that names one', () => {
    const configured = (env = {}) => configuredModel(agent(env), { HOME: folder });
    expect(configured()).toBeNull();
    put('.config/opencode/opencode.json', '{"model": "p/a"}');
    put('.config/opencode/opencode.jsonc', '{"theme": "x"} // no model');
    expect(configured()).toBe('p/a');
    put('elsewhere/opencode/opencode.json', '{"model": "p/b"}');
    expect(configured({ XDG_CONFIG_HOME: at('elsewhere') })).toBe('p/b');
    put('named.json', '{"model": "p/c"}');
    expect(configured({ OPENCODE_CONFIG: at('named.json') })).toBe('p/c');
  });
});

describe('what the repository says', () => {
  it('comes from all folders up to its top, by the first name that is there', () => {
    put('AGENTS.md');
    put('top/.git/HEAD');
    put('top/AGENTS.md');
    put('top/CLAUDE.md');
    put('top/sub/work/AGENTS.md');
    expect(instructionsFor(at('top/sub/work'))).toEqual([at('top/sub/work/AGENTS.md'), at('top/AGENTS.md')]);
    rmSync(at('top/AGENTS.md'));
    expect(instructionsFor(at('top'))).toEqual([at('top/CLAUDE.md')]);
  });

  it('is handed in, and its configuration is not read unless the settings say so', () => {
    put('w/.git/HEAD');
    put('w/AGENTS.md');
    const launched = (env: Record<string, string>) =>
      opencode.launch(
        { kind: 'opencode', command: [], args: [], env, line: 0 },
        {
          ...{
            task: 'a',
            attempt: 'a#1',
            promptFile: '/p',
            model: '',
            resume: null,
            workspace: at('w'),
            home: at('h'),
          },
          ...{ hook: null, server: null, environment: { HOME: folder }, isRoot: false, instructions: [] },
        },
      ).env!;
    const { OPENCODE_CONFIG_CONTENT: content, OPENCODE_DISABLE_PROJECT_CONFIG: disabled } = launched({});
    expect([JSON.parse(content!).instructions, disabled]).toEqual([[at('w/AGENTS.md')], '1']);
    expect(launched({ OPENCODE_DISABLE_PROJECT_CONFIG: '0' }).OPENCODE_DISABLE_PROJECT_CONFIG).toBe('0');
  });
});
