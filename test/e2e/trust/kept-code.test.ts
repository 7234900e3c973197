// The launcher keeps the compiled code of commands: it must be used, never be believed from a stranger, and never matter.
import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const made: string[] = [];
afterAll(() => {
  for (const folder of made) fs.rmSync(folder, { recursive: true, force: true });
});

const launcher = resolve('bin/signalbox.cjs');
const isFree = { status: 0, stdout: 'a.ts is free\n', stderr: '' };

function place() {
  const folder = fs.mkdtempSync(join(tmpdir(), 'signalbox-code-test-'));
  made.push(folder);
  const caches = join(folder, 'caches');
  const code = join(caches, 'signalbox');
  const env = (more: Record<string, string> = {}) => ({
    PATH: process.env.PATH,
    HOME: folder,
    XDG_CACHE_HOME: caches,
    ...more,
  });
  const call = (args: readonly string[], more: Record<string, string> = {}, program = launcher) => {
    const options = { cwd: folder, encoding: 'utf8', env: env(more) } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], options);
    return { status, stdout, stderr };
  };
  const check = (more?: Record<string, string>) => call(['lock', 'check', 'a.ts'], more);
  const kept = () => (fs.existsSync(code) ? fs.readdirSync(code).map((name) => join(code, name)) : []);
  return { folder, caches, code, env, call, check, kept };
}

/** What an attacker would plant: code of another program, of which V8 sees no more than that it is as long as ours. */
function evilCode(): Buffer {
  const { folder, call, kept } = place();
  const evil = join(folder, 'bin', 'signalbox.cjs');
  fs.cpSync('bin', join(folder, 'bin'), { recursive: true });
  fs.symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  fs.mkdirSync(join(folder, 'dist'));
  const text = fs.readFileSync('dist/signalbox.cjs', 'utf8');
  fs.writeFileSync(join(folder, 'dist', 'signalbox.cjs'), text.replaceAll(' is free', ' is EVIL'));
  expect(call(['lock', 'check', 'a.ts'], {}, evil).stdout).toBe('a.ts is EVIL\n');
  return fs.readFileSync(kept()[0]!);
}

describe('compiled code that is kept', () => {
  it('is private, and taken as it is the next time', () => {
    const { code, check, kept } = place();
    expect(check()).toEqual(isFree);
    expect(kept()).toHaveLength(1);
    const [file] = kept();
    expect([fs.statSync(code).mode & 0o777, fs.statSync(file!).mode & 0o777]).toEqual([0o700, 0o600]);
    const before = fs.statSync(file!).ino;
    expect(check()).toEqual(isFree);
    // Were it refused, it would be replaced.
    expect([kept(), fs.statSync(file!).ino]).toEqual([[file], before]);
  });

  it.each([
    ['of another build', (bytes: Buffer) => Buffer.concat([Buffer.from('// build other\n'), bytes])],
    ['that V8 does not know', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, bytes.indexOf('\n') + 1), bytes])],
    ['that is cut off', (bytes: Buffer) => bytes.subarray(0, bytes.indexOf('\n') + 1)],
    ['without anything in it', () => Buffer.of()],
  ])('is made anew in place of code %s', (_, spoil) => {
    const { check, kept } = place();
    check();
    const [file] = kept();
    const good = fs.readFileSync(file!);
    fs.writeFileSync(file!, spoil(good));
    expect(check()).toEqual(isFree);
    expect(kept()).toEqual([file]);
    expect(fs.readFileSync(file!).subarray(0, 20)).toEqual(good.subarray(0, 20));
    expect(fs.statSync(file!).size).toBeGreaterThan(100_000);
  });

  it('goes when nobody has used it for a month', () => {
    const { code, check, kept } = place();
    check();
    const [file] = kept();
    const [old, recent] = [join(code, 'status-old'), join(code, 'status-recent')];
    for (const one of [old, recent]) fs.writeFileSync(one, '');
    fs.utimesSync(old, 0, Date.now() / 1000 - 31 * 86_400);
    fs.utimesSync(recent, 0, Date.now() / 1000 - 29 * 86_400);
    fs.rmSync(file!);
    expect(check()).toEqual(isFree);
    expect(kept().sort()).toEqual([file, recent].sort());
  });

  it('is kept of one that answers with 1', () => {
    const { folder, call, kept } = place();
    fs.writeFileSync(join(folder, 'plan.yaml'), 'tasks:\n  a:   {run: "true"}\n');
    expect(call(['fmt', '--check', 'plan.yaml']).status).toBe(1);
    expect(kept()).toHaveLength(1);
  });

  it('is not kept of a command that failed', () => {
    const { call, kept } = place();
    expect(call(['status']).status).toBe(2);
    expect(kept()).toEqual([]);
  });

  it('comes to no harm when many start at once', async () => {
    const { folder, env, check, kept } = place();
    const starts = Array.from({ length: 6 }, () => {
      const child = spawn(process.execPath, [launcher, 'lock', 'check', 'a.ts'], { cwd: folder, env: env() });
      return new Promise((done) => child.on('exit', done));
    });
    expect(await Promise.all(starts)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(kept()).toHaveLength(1);
    expect(check()).toEqual(isFree);
  });

  it('is not kept where the user wants none, or where there is no place for it', () => {
    const { folder, caches, check, kept } = place();
    expect(check({ NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual(isFree);
    expect(check({ XDG_CACHE_HOME: '/dev/null' })).toEqual(isFree);
    expect(check({ XDG_CACHE_HOME: '', HOME: '' })).toEqual(isFree);
    expect(fs.existsSync(caches)).toBe(false);
    expect(kept()).toEqual([]);
    // A relative folder would be another one wherever a command is called.
    expect(check({ XDG_CACHE_HOME: 'here' })).toEqual(isFree);
    expect(fs.readdirSync(join(folder, '.cache', 'signalbox'))).toHaveLength(1);
    expect(fs.existsSync(join(folder, 'here'))).toBe(false);
  });
});

describe('code that somebody planted', () => {
  const evil = evilCode();

  function planted() {
    const { check, kept, ...rest } = place();
    check();
    const [file] = kept();
    fs.writeFileSync(file!, evil);
    return { check, file: file!, ...rest };
  }

  it('would be believed: that is why the folder must be ours alone', () => {
    expect(planted().check().stdout).toBe('a.ts is EVIL\n');
  });

  const link = (code: string) => {
    fs.renameSync(code, `${code}-elsewhere`);
    fs.symlinkSync(`${code}-elsewhere`, code);
  };
  const spoils: [string, (code: string) => void][] = [
    ['everybody can write to', (code) => fs.chmodSync(code, 0o777)],
    ['the group can write to', (code) => fs.chmodSync(code, 0o770)],
    ['others can look into', (code) => fs.chmodSync(code, 0o755)],
    ['is a link', link],
  ];
  // Only root can give a folder away.
  if (process.getuid!() === 0) spoils.push(['belongs to somebody else', (code) => fs.chownSync(code, 65534, 65534)]);
  it.each(spoils)('is not used from a folder that %s, and nothing is put there', (_, spoil) => {
    const { code, file, check } = planted();
    spoil(code);
    expect(check()).toEqual(isFree);
    expect(fs.readFileSync(file).equals(evil)).toBe(true);
    expect(fs.readdirSync(code)).toHaveLength(1);
  });

  it('is not looked for in folders for temporary files, or in the one of Node', () => {
    const { folder, file, code, check } = planted();
    const shared = join(folder, 'shared');
    fs.mkdirSync(join(shared, 'signalbox'), { recursive: true });
    fs.chmodSync(shared, 0o777);
    fs.renameSync(file, join(shared, 'signalbox', file.slice(code.length + 1)));
    expect(check({ NODE_COMPILE_CACHE: shared, TMPDIR: shared })).toEqual(isFree);
    expect(fs.readdirSync(code)).toHaveLength(1);
    // Node itself obeys NODE_COMPILE_CACHE before the launcher runs, for the launcher: the program never gets there.
    const files = fs.readdirSync(shared, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const own = files.filter(({ parentPath }) => !parentPath.endsWith('/signalbox'));
    expect(own.length).toBeGreaterThan(0);
    for (const { parentPath, name } of own) expect(fs.statSync(join(parentPath, name)).size).toBeLessThan(50_000);
  });
});

it('everyday commands load no large part of Node', () => {
  const { folder, env, call } = place();
  fs.writeFileSync(join(folder, 'plan.yaml'), 'tasks:\n  a: {run: "true"}\n');
  expect(call(['set', 'plan.yaml']).status).toBe(0);
  const told = join(folder, 'loaded');
  const preload = join(folder, 'tell.cjs');
  fs.writeFileSync(
    preload,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(told)}, process.moduleLoadList.join('\\n')))`,
  );
  const large = ['crypto', 'child_process', 'stream', 'readline', 'zlib', 'worker_threads'];
  for (const command of [['status'], ['next'], ['why', 'a'], ['lock', 'check', 'a.ts']]) {
    const args = ['--require', preload, launcher, ...command];
    expect(spawnSync(process.execPath, args, { cwd: folder, env: env() }).status).toBe(0);
    const loaded = fs.readFileSync(told, 'utf8').split('\n');
    expect(loaded).toContain('NativeModule fs');
    expect(large.filter((name) => loaded.includes(`NativeModule ${name}`))).toEqual([]);
  }
});
