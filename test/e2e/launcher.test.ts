// The launcher stands before everything else: each thing that would break later is said in one clear sentence.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-launcher-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
    const { status, stderr } = launch('bin/signalbox.cjs', versions(version));
    expect(status).toBe(70);
    expect(stderr).toMatch(/^signalbox: Node 22\.13 or newer is needed, and this is .*\n$/);
  });

  it.each(['22.13.0', '24.0.0', '26.1.0'])('takes Node %s', (version) => {
    expect(launch('bin/signalbox.cjs', versions(version)).status).toBe(0);
  });

  it('says that the build is missing', () => {
    cpSync('bin/signalbox.cjs', join(folder, 'bin', 'signalbox.cjs'));
    const { status, stderr } = launch(join(folder, 'bin', 'signalbox.cjs'));
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
