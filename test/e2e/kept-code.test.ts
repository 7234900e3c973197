// The launcher keeps the compiled code of small commands: it must be used, never be believed from a stranger, and never matter.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-code-test-'));
  made.push(folder);
  const code = join(folder, `signalbox-code-${process.getuid!()}`);
  const check = (env: Record<string, string> = {}) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(process.cwd(), 'bin/signalbox.cjs'), 'lock', 'check', 'a.ts'],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '', NODE_COMPILE_CACHE: folder, ...env },
      },
    );
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'a.ts is free\n', stderr: '' });
  };
  const kept = () => readdirSync(code).map((name) => join(code, name));
  return { code, check, kept };
}

describe('compiled code that is kept', () => {
  it('is private, whole, and taken as it is the next time', () => {
    const { code, check, kept } = place();
    check();
    expect(kept()).toHaveLength(1);
    expect(kept()[0]).toMatch(/\/lock-check-[0-9a-f]{32}-v[0-9.]+-\w+$/);
    expect([statSync(code).mode & 0o777, statSync(kept()[0]!).mode & 0o777]).toEqual([0o700, 0o600]);
    // Fresh for a long time: were it refused, it would be written again and say so in its last byte.
    const bytes = readFileSync(kept()[0]!);
    bytes[bytes.length - 1] = 20;
    writeFileSync(kept()[0]!, bytes);
    check();
    expect(readFileSync(kept()[0]!).equals(bytes)).toBe(true);
  });

  it('is added to when it gets old', () => {
    const { check, kept } = place();
    check();
    const bytes = readFileSync(kept()[0]!);
    bytes[bytes.length - 1] = 0;
    writeFileSync(kept()[0]!, bytes);
    spawnSync('touch', ['-d', '2 seconds ago', kept()[0]!]);
    check();
    expect(readFileSync(kept()[0]!).at(-1)).toBe(1);
  });

  it.each(['', 'no code at all, but long enough for a header of some sort, which it has not'])(
    'is made anew where V8 does not know it: %j',
    (text) => {
      const { check, kept } = place();
      check();
      const [file] = kept();
      writeFileSync(file!, text);
      check();
      expect(kept()).toEqual([file]);
      expect(statSync(file!).size).toBeGreaterThan(10_000);
    },
  );

  it('is neither read from nor put into a folder that others may write to', () => {
    const { code, check, kept } = place();
    mkdirSync(code);
    chmodSync(code, 0o777);
    check();
    expect(kept()).toEqual([]);
  });

  it('is not kept where the user wants none, or where there is no place for it', () => {
    const { code, check } = place();
    check({ NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(() => statSync(code)).toThrow(/ENOENT/);
    check({ NODE_COMPILE_CACHE: '/dev/null' });
  });
});
