import { describe, expect, it } from 'vitest';
import { CliRig, type RigOptions, startOfTime } from '../../../test/rigs/cli-rig.ts';
import type { ResultsDoor, SavedRestoreOptions } from '../../api/results/results-door.ts';

const about = {
  ...{ id: 'api-1', task: 'api', attempt: 'api#1', plan: 'plan.md' },
  ...{ at: new Date(startOfTime - 90_000).toISOString(), reason: 'deadlock with docs' },
};
const file = { path: 'src/a.ts', was: 'changed', mode: '0644', bytes: 4, target: null } as const;
const rigged = (door: Partial<ResultsDoor>, options?: RigOptions) =>
  new CliRig({ results: async () => door as ResultsDoor }, options);
const diff = '@@ -1,1 +1,1 @@\n-\told\n+new\n';

describe('signalbox saved list', () => {
  it('is a table', async () => {
    const second = { ...about, id: '1.2-3', task: '1.2', files: 1200 };
    const rig = rigged({ savedList: async () => ({ saved: [{ ...about, files: 2 }, second] }) });
    expect(await rig.run('saved', 'list')).toBe(0);
    expect(rig.out).toBe(
      [
        'id     task  when            why                 files',
        'api-1  api   1 min 30 s ago  deadlock with docs  2',
        '1.2-3  1.2   1 min 30 s ago  deadlock with docs  1,200',
        '',
      ].join('\n'),
    );
  });

  it('is what the family alone means', async () => {
    const rig = rigged({ savedList: async () => ({ saved: [{ ...about, files: 2 }] }) });
    expect(await rig.run('saved', '--absolute')).toBe(0);
    expect(rig.out).toMatch(/^id .*\napi-1 .*2026-/);
  });

  it('says so when there is nothing', async () => {
    const rig = rigged({ savedList: async () => ({ saved: [] }) });
    expect(await rig.run('saved', 'list')).toBe(0);
    expect(rig.out).toBe('No work was saved here.\n');
  });

  it('gives whole times to who wants them', async () => {
    const rig = rigged({ savedList: async () => ({ saved: [{ ...about, files: 2 }] }) });
    await rig.run('saved', 'list', '--absolute');
    expect(rig.out).toMatch(/2026-11-1\d \d\d:\d\d:\d\d [+-]/);
  });
});

describe('signalbox saved show', () => {
  const show: ResultsDoor['savedShow'] = async () => ({
    ...about,
    files: [
      { ...file, diff, without: null },
      { ...file, path: 'b', was: 'deleted', bytes: null, diff: null, without: 'deleted' },
      { ...file, path: 'c', diff: null, without: 'binary' },
      { ...file, path: 'd', bytes: 2_000_000, diff: null, without: 'large' },
      { ...file, path: 'e', diff: null, without: 'same' },
      { ...file, path: 'f', mode: null, bytes: null, target: 'a', diff: null, without: 'no-file' },
      { ...file, path: 'g', diff: null, without: 'unreadable' },
      { ...file, path: 'h', diff: null, without: 'lost' },
    ],
  });

  it('tells about every file, with the differences of texts', async () => {
    const rig = rigged({ savedShow: show });
    expect(await rig.run('saved', 'show', 'api-1')).toBe(0);
    expect(rig.out).toBe(`api-1: api#1 of plan.md, 1 min 30 s ago
Why: deadlock with docs

src/a.ts (changed, mode 0644)
--- src/a.ts as it is now
+++ src/a.ts as it was saved
@@ -1,1 +1,1 @@
-    old
+new

b (deleted, mode 0644)
  the attempt had deleted it

c (changed, mode 0644)
  not text: 4 bytes

d (changed, mode 0644)
  too large to compare here: 2,000,000 bytes

e (changed, mode 0644)
  the file is now as it was saved

f (changed, a symlink to a)
  not a file: nothing to compare

g (changed, mode 0644)
  not compared: this user may not read it

h (changed, mode 0644)
  not compared: the saved copy is gone

signalbox saved restore api-1 writes it back.
`);
  });

  it('in colours on a terminal', async () => {
    const rig = rigged({ savedShow: show }, { color: true });
    await rig.run('saved', 'show', 'api-1');
    expect(rig.out).toContain('\x1b[32m+new\x1b[39m');
    expect(rig.out).toContain('\x1b[31m-    old\x1b[39m');
  });
});

describe('signalbox saved restore', () => {
  const seen: [string, SavedRestoreOptions][] = [];
  const restoring = (left: readonly { path: string; why: string }[] = []) =>
    rigged({
      savedRestore: async (id, options) => {
        seen.push([id, options]);
        return { id, to: '/w', written: ['a', 'b'], deleted: ['c'], same: ['d'], left };
      },
    });

  it('tells what it did', async () => {
    const rig = restoring();
    expect(await rig.run('saved', 'restore', 'api-1', '--to', 'x', '--force')).toBe(0);
    expect(rig.out).toMatch(/^\S+ \/w: 2 files written, 1 file deleted, 1 file already as saved\n$/);
    expect(seen.at(-1)).toEqual(['api-1', { to: 'x', force: true }]);
  });

  it('and what it could not do, with exit code 1', async () => {
    const rig = restoring([{ path: 'e', why: 'is behind the symlink x, which is not followed' }]);
    expect(await rig.run('saved', 'restore', 'api-1')).toBe(1);
    expect(seen.at(-1)).toEqual(['api-1', {}]);
    expect(rig.err).toContain('e is behind the symlink x, which is not followed\n');
  });

  it('completes its ids and its folder', async () => {
    const completed = async (...typed: string[]) => {
      const rig = rigged({ savedList: async () => ({ saved: [{ ...about, files: 2 }] }) });
      await rig.run('__complete', '--', 'saved', ...typed);
      return rig.out;
    };
    expect(await completed('show', '')).toBe('api-1\tapi: deadlock with docs\n');
    expect(await completed('restore', 'api-1', '--to', '')).toBe(':any-files\n');
  });
});
