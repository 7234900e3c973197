import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { until } from '../../../test/rigs/pool-rig.ts';
import { hostId } from '../../core/model/ids.ts';
import { identify, isAlive, parseStat, thisHost } from './process-identity.ts';
import { markerIn, ProcessTable } from './process-table.ts';

describe('identity', () => {
  it('of a host is stable and has no name in it', () => {
    expect(thisHost().id).toMatch(/^[0-9a-f]{16}$/);
    expect(thisHost()).toBe(thisHost());
  });

  it.each(['proc', 'ps'] as const)('tells the living from the dead, through %s', async (source) => {
    const child = spawn('/bin/sleep', ['1000']);
    await once(child, 'spawn');
    const identity = identify(child.pid!, source)!;
    expect(isAlive(identity, undefined, source)).toBe(true);
    expect(isAlive({ ...identity, startTime: '1' }, undefined, source)).toBe(false);
    expect(isAlive({ ...identity, host: hostId('other') }, undefined, source)).toBe('unknown');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isAlive(identity, undefined, source)).toBe(false);
    expect(identify(child.pid!, source)).toBeNull();
  });

  it('counts a zombie as ended', async () => {
    const parent = spawn('/bin/sh', ['-c', 'head -c 1 <&3 >/dev/null & echo $!; exec sleep 1000 3<&-'], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    });
    const [line] = await once(parent.stdout!, 'data');
    const pid = Number(String(line));
    // Before that the shell would take note of its end.
    await until(() => readFileSync(`/proc/${parent.pid}/comm`, 'latin1') === 'sleep\n');
    (parent.stdio[3] as Writable).end('x');
    await until(() => parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.state === 'Z');
    expect(identify(pid)).toBeNull();
    expect(identify(pid, 'ps')).toBeNull();
    expect((await new ProcessTable().snapshot()).some((row) => row.pid === pid)).toBe(false);
    expect((await new ProcessTable('ps').snapshot()).some((row) => row.pid === pid)).toBe(false);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
  });

  it('is not fooled by the name of the command', async () => {
    const fields = 'S 7 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 98765 1 2 3';
    for (const name of ['sh', ') S 1 (', 'a b', ')) R 99 99', '\n)', '']) {
      expect(parseStat(`42 (${name}) ${fields}`)).toEqual({ state: 'S', ppid: 7, startTime: '98765' });
    }
    for (const bad of ['', '42', '42 (x)', '42 (x) S', `42 (x) ${'x '.repeat(30)}`]) expect(parseStat(bad)).toBeNull();
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-name-'));
    const program = join(folder, 'a) R 1 (b');
    copyFileSync('/bin/sleep', program);
    const child = spawn(program, ['1000']);
    await once(child, 'spawn');
    expect(identify(child.pid!)?.startTime).toMatch(/^\d+$/);
    child.kill('SIGKILL');
    await once(child, 'exit');
    rmSync(folder, { recursive: true });
  });
});

describe('the table of processes', () => {
  it.each(['proc', 'ps'] as const)('knows parents, start times and markers, through %s', async (source) => {
    const env = { A: 'SIGNALBOX_TOKEN=no', SIGNALBOX_TOKEN: 'w1:5', Z: 'x' };
    const child = spawn('/bin/sleep', ['1000'], { env });
    await once(child, 'spawn');
    const rows = await new ProcessTable(source).snapshot();
    expect(rows.find((row) => row.pid === child.pid)).toEqual({
      pid: child.pid,
      ppid: process.pid,
      startTime: identify(child.pid!, source)!.startTime,
      marker: 'w1:5',
    });
    expect(rows.find((row) => row.pid === process.pid)?.marker ?? null).toBeNull();
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  it('is taken once for all who ask at the same time, and anew for those who ask later', async () => {
    const table = new ProcessTable();
    const [first, second] = [table.snapshot(), table.snapshot()];
    expect(first).toBe(second);
    await first;
    expect(table.snapshot()).not.toBe(first);
  });

  it.each([
    ['A=1\0SIGNALBOX_TOKEN=w:1\0B=2\0', 'w:1'],
    ['SIGNALBOX_TOKEN=w:1', 'w:1'],
    ['SIGNALBOX_TOKEN=\0', ''],
    ['XSIGNALBOX_TOKEN=w:1\0', null],
    ['A=SIGNALBOX_TOKEN=w:1\0', null],
    ['SIGNALBOX_TOKEN=w:1\0X=SIGNALBOX_TOKEN=w:2\0', 'w:1'],
    ['', null],
  ])('finds the marker in %j', (environ, marker) => {
    expect(markerIn(Buffer.from(environ))).toBe(marker);
  });
});
