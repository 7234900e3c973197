// The launcher stands before everything else: it finds a Node that is new enough, and each thing that would break later is said in
// one clear sentence.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { Workspace } from '../rig.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-launcher-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Alone, with neither a build nor a Node beside it. */
const lonely = join(folder, 'bin', 'signalbox.cjs');
cpSync('bin/signalbox.cjs', lonely);

/** As if on another machine: what the launcher looks at is replaced before it starts. */
function launch(launcher: string, pretend = '') {
  const before = join(folder, 'pretend.cjs');
  writeFileSync(before, pretend);
  const { status, stderr } = spawnSync(process.execPath, ['-r', before, launcher, '--version'], { encoding: 'utf8' });
  return { status, stderr };
}

const versions = (node: string) => `Object.defineProperty(process, 'versions', { value: { node: '${node}' } });`;

describe('the launcher', () => {
  it.each(['20.20.2', '22.12.0', '18.0.0'])('refuses Node %s before anything is loaded', (version) => {
    const { status, stderr } = launch(lonely, versions(version));
    expect(status).toBe(70);
    expect(stderr).toMatch(/^signalbox: Node 22\.13 or newer is needed, and this is .*\n$/);
  });

  it.each(['22.13.0', '24.0.0', '26.1.0'])('takes Node %s', (version) => {
    expect(launch('bin/signalbox.cjs', versions(version)).status).toBe(0);
  });

  it('says that the build is missing', () => {
    const { status, stderr } = launch(lonely);
    expect(status).toBe(70);
    expect(stderr).toMatch(/the build is missing.*npm ci/);
  });

  it('refuses Windows with a word about WSL', () => {
    const { status, stderr } = launch(
      'bin/signalbox.cjs',
      "Object.defineProperty(process, 'platform', { value: 'win32' });",
    );
    expect(status).toBe(70);
    expect(stderr).toMatch(/WSL/);
  });
});

/** A real one, wherever this machine has it. */
const oldNode = [...(process.env.PATH ?? '').split(':'), '/usr/local/bin', '/usr/bin']
  .map((place) => join(place, 'node'))
  .filter((file) => existsSync(file))
  .find((file) => {
    const [major, minor] = execFileSync(file, ['--version'], { encoding: 'utf8' }).slice(1).split('.').map(Number);
    return major! < 22 || (major === 22 && minor! < 13);
  });
const broughtNode = resolve('node_modules/node/bin/node');

describe.skipIf(!oldNode || !existsSync(broughtNode))(
  'started with a Node that is too old (skipped without one)',
  () => {
    const byOldNode = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(oldNode!, args, { encoding: 'utf8', input: 'Found.\n' });
      return { status, stdout, stderr };
    };

    it('goes on with the one that npm ci brought', () => {
      const version = `${packageJson.version}\n`;
      expect(byOldNode('bin/signalbox.cjs', '--version')).toEqual({ status: 0, stdout: version, stderr: '' });
    });

    it('passes the exit code on', () => {
      const { status, stderr } = byOldNode('bin/signalbox.cjs', 'statsu');
      expect(status).toBe(2);
      expect(stderr).toContain('did you mean status?');
    });

    it('says so where none was brought', () => {
      const { status, stderr } = byOldNode(lonely, '--version');
      expect(status).toBe(70);
      expect(stderr).toMatch(/^signalbox: Node 22\.13 or newer is needed, and this is .*"npm ci".*\n$/);
    });

    it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGVTALRM'] as const)(
      'passes %s on, and ends as the program does',
      async (signal) => {
        const w = new Workspace({ 'plan.yaml': 'tasks:\n  a: {run: "true"}\n' });
        await w.run('set', 'plan.yaml');
        const end = async (node: string) => {
          const args = [resolve('bin/signalbox.cjs'), 'events', 'plan.yaml', '--follow'];
          const child = spawn(node, args, { cwd: w.folder, stdio: ['ignore', 'pipe', 'ignore'] });
          const ended = new Promise((done) => child.on('exit', (code, by) => done({ code, by })));
          // Closed when the last process that could write to it is gone.
          const closed = new Promise((done) => child.stdout.on('close', done));
          await new Promise((done) => child.stdout.once('data', done));
          child.kill(signal);
          await closed;
          return ended;
        };
        expect(await end(oldNode!)).toEqual(await end(broughtNode));
      },
    );
  },
);
