// A disk of a megabyte and a folder that cannot be written, for real: both are mounts, which only root may make.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { paused } from '../../../test/rigs/sample-events.ts';
import { openSqlite } from './open-sqlite.ts';

const mount = (...args: string[]) => spawnSync('mount', args).status === 0;
const canMount = probe();

describe.skipIf(!canMount)('a disk in trouble (needs root to mount one)', () => {
  let disk: string;
  const open = (folder = join(disk, '.signalbox')) => openSqlite({ folder, create: true, programVersion: '0.2.0' });

  beforeEach(() => {
    disk = mkdtempSync(join(tmpdir(), 'signalbox-disk-'));
    expect(mount('-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk)).toBe(true);
  });
  afterEach(() => {
    spawnSync('umount', [disk]);
    rmdirSync(disk);
  });

  it('that is full says so, loses nothing, and goes on when there is space again', async () => {
    const store = (await open())!;
    let acknowledged = 0;
    const ballast = join(disk, 'ballast');
    writeFileSync(ballast, Buffer.alloc(600 * 1024));
    const filling = (async () => {
      for (;;) {
        await store.transact((tx) => tx.record(paused('x'.repeat(5000))));
        acknowledged++;
      }
    })();
    await expect(filling).rejects.toMatchObject({
      kind: 'disk-full',
      message: expect.stringContaining('free some space'),
    });
    expect(acknowledged).toBeGreaterThan(5);
    expect(await store.events({})).toHaveLength(acknowledged);
    rmSync(ballast);
    await store.transact((tx) => tx.record(paused('again')));
    await store.close();
    const again = (await open())!;
    expect(await again.read((state) => state.seq)).toBe(acknowledged + 1);
    await again.close();
  });

  it('that is full from the start says so too', async () => {
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(1024 * 1024));
    await expect(open()).rejects.toMatchObject({ kind: 'disk-full' });
  });

  it('that is read-only says so, with a database there and without', async () => {
    await (await open())!.close();
    mkdirSync(join(disk, 'empty'));
    expect(mount('-o', 'remount,ro', disk)).toBe(true);
    await expect(open()).rejects.toMatchObject({
      kind: 'read-only',
      message: expect.stringContaining('Make it writable'),
    });
    await expect(open(join(disk, 'empty', '.signalbox'))).rejects.toMatchObject({ kind: 'read-only' });
  });
});

function probe(): boolean {
  const place = mkdtempSync(join(tmpdir(), 'signalbox-probe-'));
  const mounted = mount('-t', 'tmpfs', 'tmpfs', place);
  if (mounted) spawnSync('umount', [place]);
  rmdirSync(place);
  return mounted;
}
