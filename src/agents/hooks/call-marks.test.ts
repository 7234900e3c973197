import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  beginEdit,
  beginShell,
  endShell,
  markSeen,
  marksFolder,
  openSince,
  wasBusySince,
  wasSeen,
} from './call-marks.ts';

let attempts: string;
beforeEach(() => {
  attempts = mkdtempSync(join(tmpdir(), 'signalbox-marks-'));
});
afterEach(() => rmSync(attempts, { recursive: true, force: true }));

describe('the marks of calls', () => {
  it('prove that a hook has reached us', () => {
    const marks = marksFolder(attempts, 7);
    expect(wasSeen(marks)).toBe(false);
    markSeen(marks);
    expect(wasSeen(marks)).toBe(true);
    expect(wasSeen(marksFolder(attempts, 8))).toBe(false);
  });

  it('bring no folder of attempts back that is gone', () => {
    const marks = marksFolder(join(attempts, 'gone'), 7);
    expect(() => markSeen(marks)).toThrow('ENOENT');
    expect(existsSync(join(attempts, 'gone'))).toBe(false);
  });

  it('tell when a shell command began, once', () => {
    const marks = marksFolder(attempts, 7);
    markSeen(marks);
    beginShell(marks, 'toolu_1');
    const { mtimeMs } = statSync(join(marks, 'shell-toolu_1'));
    expect(endShell(marks, 'toolu_1')).toBe(mtimeMs);
    expect(endShell(marks, 'toolu_1')).toBeNull();
    expect(endShell(marks, 'never')).toBeNull();
  });

  it('tell whether an attempt was busy: it made a call since, or a command of it is not over', () => {
    const marks = marksFolder(attempts, 7);
    expect(wasBusySince(marks, 0)).toBe(false);
    markSeen(marks);
    utimesSync(join(marks, 'seen'), 1_000, 1_000);
    expect([wasBusySince(marks, 999_999), wasBusySince(marks, 1_000_001)]).toEqual([true, false]);
    beginShell(marks, 'x');
    expect(wasBusySince(marks, Number.MAX_SAFE_INTEGER)).toBe(true);
  });

  it('tell since when a command is open', () => {
    const marks = marksFolder(attempts, 7);
    expect(openSince(marks)).toBeNull();
    markSeen(marks);
    beginEdit(marks, 'e');
    expect(openSince(marks)).toBeNull();
    for (const [id, seconds] of [
      ['x', 2],
      ['y', 1],
    ] as const) {
      beginShell(marks, id);
      utimesSync(join(marks, `shell-${id}`), seconds, seconds);
    }
    expect(openSince(marks)).toBe(1_000);
  });

  it('of a command whose end may never be told do not make the attempt busy', () => {
    const marks = marksFolder(attempts, 7);
    markSeen(marks);
    utimesSync(join(marks, 'seen'), 1_000, 1_000);
    beginEdit(marks, 'x');
    expect(wasBusySince(marks, 1_000_001)).toBe(false);
    const { mtimeMs } = statSync(join(marks, 'edit-x'));
    expect([endShell(marks, 'x'), endShell(marks, 'x')]).toEqual([mtimeMs, null]);
  });

  it('follow no link that was put in their place', () => {
    const marks = marksFolder(attempts, 7);
    markSeen(marks);
    const precious = join(attempts, 'precious');
    writeFileSync(precious, 'kept');
    symlinkSync(precious, join(marks, 'shell-x'));
    beginShell(marks, 'x');
    endShell(marks, 'x');
    expect([existsSync(precious), readFileSync(precious, 'utf8')]).toEqual([true, 'kept']);
  });
});
