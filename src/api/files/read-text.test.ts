import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { largestFile } from '../../plan/limits.ts';
import { Refusal } from '../refusal.ts';
import { readNotes, readShown, readSource, readStart, readText } from './read-text.ts';

const folder = mkdtempSync(join(tmpdir(), 'read-text-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

function made(name: string, text: string): string {
  writeFileSync(at(name), text);
  return at(name);
}

/** Sparse: it takes no room. */
function sized(name: string, size: number): string {
  made(name, '');
  truncateSync(at(name), size);
  return at(name);
}

function pipe(name: string): string {
  execFileSync('mkfifo', [at(name)]);
  return at(name);
}

function refusal(read: () => string): { code: number; message: string; codes: string[] } {
  try {
    read();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { code: error.exitCode, message: error.message, codes: error.diagnostics.map(({ code }) => code) };
  }
  return expect.fail('it was read');
}

it('reads text as it is, byte order mark and line ends too', () => {
  expect(readText(made('a.md', '\ufeffé → b\r\n'), 'a.md')).toBe('\ufeffé → b\r\n');
  expect(readText(made('empty.md', ''), 'empty.md')).toBe('');
});

it('reads as much as is allowed, and refuses one byte more by its size', () => {
  expect(readText(sized('most.md', largestFile), 'most.md').length).toBe(largestFile);
  const { code, codes } = refusal(() => readText(sized('more.md', largestFile + 1), 'more.md'));
  expect({ code, codes }).toEqual({ code: 3, codes: ['file-too-large'] });
});

it('reads nothing of a file that is too large', () => {
  const before = process.resourceUsage().maxRSS;
  // More than any memory: reading it would be noticed.
  refusal(() => readText(sized('gigabytes.md', 500_000_000_000), 'gigabytes.md'));
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(20_000);
});

it('tells the size, and never that it is the limit itself', () => {
  try {
    readText(sized('more.md', largestFile + 1), 'more.md');
  } catch (error) {
    expect((error as Refusal).diagnostics[0]).toMatchObject({ file: 'more.md', line: 1, severity: 'error' });
    expect((error as Refusal).diagnostics[0]!.message).toContain('has 45.1 MB, and a plan 45 MB at most');
  }
  expect.assertions(2);
});

it('tells what cannot be read, and why', () => {
  mkdirSync(at('folder'));
  symlinkSync('loop.md', at('loop.md'));
  const said = (name: string) => {
    const { code, message } = refusal(() => readText(at(name), name));
    return `${code} ${message}`;
  };
  expect(said('none.md')).toBe('2 there is no file none.md');
  expect(said('a.md/none.md')).toBe('2 there is no file a.md/none.md');
  expect(said('folder')).toBe('2 folder is a folder; name a file in it');
  expect(said('loop.md')).toBe('2 loop.md is a link that leads to itself');
  writeFileSync(at('latin.md'), Buffer.from([0x2d, 0xe9]));
  expect(said('latin.md')).toBe('3 latin.md is not text in UTF-8');
  expect(readShown(at('latin.md'), 'latin.md')).toBe('-\ufffd');
});

describe.skipIf(process.platform === 'win32')('what is no file', () => {
  test('a pipe is no plan, and not waited for', () => {
    expect(refusal(() => readText(pipe('p.md'), 'p.md'))).toMatchObject({
      code: 2,
      message: 'p.md is a pipe, not a file',
    });
    expect(refusal(() => readShown(at('p.md'), 'p.md')).code).toBe(2);
    expect(refusal(() => readStart(at('p.md'), 'p.md', 100)).code).toBe(2);
  });

  test('a device is no plan, and never read', () => {
    const { code, message } = refusal(() => readText('/dev/zero', 'z.md'));
    expect({ code, message }).toEqual({ code: 2, message: 'z.md is a device, not a file' });
  });

  test('a source without an end is read up to the limit', () => {
    expect(refusal(() => readSource('/dev/zero', 'z.json'))).toMatchObject({ code: 3, codes: ['file-too-large'] });
    expect(refusal(() => readNotes('/dev/zero', 'z.txt')).message).toBe('z.txt is larger than 45 MB');
  });

  test('a pipe that nobody writes to has nothing in it', () => {
    expect(readSource(pipe('nobody.json'), 'nobody.json')).toBe('');
  });

  test('a pipe is read from whoever writes to it, late and in pieces', async () => {
    const writer = spawn('sh', [
      '-c',
      `sleep 0.1; exec 3>'${pipe('late.json')}'; sleep 0.1; echo a >&3; sleep 0.1; echo b >&3`,
    ]);
    const ended = new Promise((resolve) => writer.on('close', resolve));
    expect(readSource(at('late.json'), 'late.json')).toBe('a\nb\n');
    await ended;
  });

  test.skipIf(process.platform !== 'linux')('a file of the system that says that it is empty is read', () => {
    expect(readText('/proc/self/status', 'status.md')).toContain('VmPeak');
  });
});

it('reads one of many up to what is left for it', () => {
  expect(readSource(made('few.md', 'abc'), 'few.md', 3)).toBe('abc');
  expect(refusal(() => readSource(at('few.md'), 'few.md', 2))).toMatchObject({
    code: 3,
    message: 'the files up to few.md are too large for a plan',
  });
});

it('reads no more than the start of what names something', () => {
  expect(readStart(made('long', 'x'.repeat(1_000)), 'long', 10)).toBe('x'.repeat(10));
  expect(readStart(made('short', 'xy'), 'short', 10)).toBe('xy');
});

it('a file that does not exist is answered with the nearest in its folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-near-file-'));
  writeFileSync(join(folder, 'issues.jsonl'), '');
  const refusal = (name: string) => {
    try {
      return readSource(join(folder, name), `x/${name}`);
    } catch (error) {
      return (error as { instead?: string }).instead;
    }
  };
  expect(refusal('isues.jsonl')).toBe('did you mean x/issues.jsonl?');
  expect(refusal('other')).toBeUndefined();
  rmSync(folder, { recursive: true });
});
