import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WriteFinding } from '../../core/model/failure.ts';
import { readBeforeImage } from '../../files/before-image.ts';
import { takeBeforeImage } from '../../files/take-before-image.ts';
import { auditWrites } from './audit-writes.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-audit-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function audited(
  writes: string[],
  { keys = [] as string[], found = [] as WriteFinding[], policy = 'report' as 'report' | 'fail' } = {},
) {
  const folder = join(root, '.signalbox');
  if (keys.length > 0) await takeBeforeImage({ root, folder, token: '1', keys });
  return auditWrites({ root, writes, image: readBeforeImage(folder, '1'), found, policy });
}

const unlocked = (path: string): WriteFinding => ({ path, finding: 'unlocked' });

describe('what an attempt wrote without a lock', () => {
  it('is nothing where it held them all, also by a pattern or a folder', async () => {
    expect(
      await audited(['a.ts', join(root, 'src/x/b.ts'), 'lib/c.ts'], { keys: ['a.ts', 'src/**', 'lib'] }),
    ).toBeNull();
  });

  it('is what it says it wrote and never held', async () => {
    expect(await audited(['a.ts', 'b.ts', './b.ts', join(root, 'b.ts')], { keys: ['a.ts'] })).toEqual({
      files: [unlocked('b.ts')],
    });
  });

  it('does not count what lies elsewhere, in .signalbox, in .git or in the outputs', async () => {
    const elsewhere = [
      '/tmp/x',
      '../x',
      '.signalbox/x',
      '.git/config',
      'node_modules/x',
      'docs/plan-outputs/plan/findings/a.md',
    ];
    expect(await audited(elsewhere)).toBeNull();
  });

  it('knows the workspace by its real name too', async () => {
    const link = `${root}-link`;
    symlinkSync(root, link);
    try {
      expect(
        auditWrites({ root: link, writes: [join(root, 'a.ts')], image: null, found: [], policy: 'report' }),
      ).toEqual({
        files: [unlocked('a.ts')],
      });
    } finally {
      rmSync(link);
    }
  });

  it.each([
    ['late', undefined],
    ['suspect', undefined],
    ['foreign', true],
    ['unlocked', true],
  ] as const)('fails the attempt where the settings say so: %s', async (finding, fails) => {
    const found = [{ path: 'a.ts', finding }];
    expect((await audited(['a.ts'], { found, policy: 'fail' }))?.fails).toBe(fails);
    expect((await audited(['a.ts'], { found }))?.fails).toBeUndefined();
  });

  it('is at most fifty files', async () => {
    const many = Array.from({ length: 80 }, (_, i) => `f${i}.ts`);
    expect((await audited(many))?.files).toHaveLength(50);
    const late = many.map((path): WriteFinding => ({ path: `late-${path}`, finding: 'late' }));
    const { files } = (await audited(['mine.ts'], { found: late, policy: 'fail' }))!;
    expect([files.length, files[0]]).toEqual([50, unlocked('mine.ts')]);
  });
});
