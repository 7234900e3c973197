// plugin/bin/signalbox finds the program: beside the plugin, in the project, on the PATH; never itself.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Workspace } from '../rig.ts';

const says = (word: string) => `#!/bin/sh\necho ${word} "$@"\n`;

/** A folder with the plugin alone, as Claude Code keeps it. */
function installed(files: Readonly<Record<string, string>>) {
  const w = new Workspace(files);
  for (const name of Object.keys(files)) chmodSync(join(w.folder, name), 0o755);
  cpSync('plugin', join(w.folder, 'cache/plan/1'), { recursive: true });
  mkdirSync(join(w.folder, 'project/deep'), { recursive: true });
  return w;
}

const at = (w: Workspace, ...names: string[]) => names.map((name) => join(w.folder, name)).join(':');
const own = 'cache/plan/1/bin';
const system = `${dirname(process.execPath)}:/usr/bin:/bin`;

function launch(w: Workspace, path: string, args: readonly string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(join(w.folder, own, 'signalbox'), args, {
    cwd: join(w.folder, 'project/deep'),
    env: { PATH: path, ...env },
    encoding: 'utf8',
    timeout: 20_000,
  });
  return { status, stdout, stderr };
}

describe('the launcher of the plugin', () => {
  const inProject = 'project/node_modules/.bin/signalbox';

  it('takes the clone that it lies in', () => {
    const version = JSON.parse(execFileSync('cat', ['package.json'], { encoding: 'utf8' })).version;
    const out = execFileSync('plugin/bin/signalbox', ['--version'], { encoding: 'utf8', env: { PATH: system } });
    expect(out).toBe(`${version}\n`);
  });

  it('takes that of the project before that on the PATH, and passes everything on', () => {
    const w = installed({ [inProject]: says('project'), 'bin/signalbox': says('path') });
    expect(launch(w, `${at(w, 'bin')}:${system}`, ['hook', 'a b'])).toMatchObject({
      status: 0,
      stdout: 'project hook a b\n',
    });
  });

  it('looks in the project of the session too, wherever its shell is', () => {
    const w = installed({ 'other/node_modules/.bin/signalbox': says('other') });
    expect(launch(w, system, ['x'], { CLAUDE_PROJECT_DIR: at(w, 'other') })).toMatchObject({ stdout: 'other x\n' });
  });

  it('passes over itself, another version of the plugin, a link to itself and a relative folder on the PATH', () => {
    const w = installed({
      'bin/signalbox': says('path'),
      'cache/plan/2/bin/signalbox': says('plugin'),
      'cache/plan/2/.claude-plugin/plugin.json': '{}',
      'project/deep/signalbox': says('relative'),
    });
    mkdirSync(join(w.folder, 'links'));
    symlinkSync(join(w.folder, own, 'signalbox'), join(w.folder, 'links/signalbox'));
    const path = `:.:${at(w, own, 'links', 'cache/plan/2/bin', 'bin')}:${system}`;
    expect(launch(w, path, ['status'])).toMatchObject({ status: 0, stdout: 'path status\n' });
  });

  it.each([
    [['hook', 'claude', '--guest'], 0, ''],
    [
      ['mcp'],
      1,
      'signalbox: Signalbox is not installed. Type "npm install -g signalbox", or "npm ci && npm install -g ." in a clone of it.\n',
    ],
    [
      [],
      1,
      'signalbox: Signalbox is not installed. Type "npm install -g signalbox", or "npm ci && npm install -g ." in a clone of it.\n',
    ],
  ])('where there is none: %j', (args, status, stderr) => {
    const w = installed({});
    expect(launch(w, `${system}:${at(w, own)}`, args)).toEqual({ status, stdout: '', stderr });
  });

  it('calls none that is older than the plugin for hooks, because its exit code 2 would block every edit', () => {
    const old = 'project/node_modules/signalbox/bin/signalbox.cjs';
    const w = installed({ [old]: '#!/bin/sh\necho no such flag\nexit 2\n' });
    mkdirSync(join(w.folder, 'project/node_modules/.bin'));
    symlinkSync('../signalbox/bin/signalbox.cjs', join(w.folder, inProject));
    expect(launch(w, system, ['hook', 'claude', '--guest'])).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(launch(w, system, ['mcp'])).toMatchObject({ status: 1, stderr: expect.stringContaining('is older than') });
    expect(launch(w, system, ['status'])).toMatchObject({ status: 2 });
    mkdirSync(join(w.folder, 'project/node_modules/signalbox/plugin'));
    expect(launch(w, system, ['mcp'])).toMatchObject({ status: 2 });
  });

  it.runIf(process.getuid?.() === 0)('takes none from a folder that belongs to somebody else', () => {
    const w = installed({ [inProject]: says('theirs'), 'bin/signalbox': says('path') });
    execFileSync('chown', ['65534', at(w, 'project/node_modules/.bin')]);
    expect(launch(w, `${at(w, 'bin')}:${system}`, ['x'])).toMatchObject({ stdout: 'path x\n' });
  });
});
