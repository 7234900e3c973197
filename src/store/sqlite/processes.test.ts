// Real processes on one real file. The ledger of what was acknowledged is kept here, by what the processes said.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from './database.ts';
import { openSqlite } from './open-sqlite.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const script = resolve('test/rigs/writer-process.ts');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-processes-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('several processes', () => {
  it('create one database, and number all their events without a gap', async () => {
    const said = await Promise.all(['a', 'b', 'c'].map((name) => ended(writer(name, 40))));
    expect(new Set(said.map(({ workspace }) => workspace)).size).toBe(1);
    expect(said.map(({ acks }) => acks.size)).toEqual([40, 40, 40]);
    expectRecorded(said.flatMap(({ acks }) => [...acks]));
    expect(recorded()).toHaveLength(120);
  });

  it('lose nothing acknowledged when one is killed at any moment', async () => {
    const ledger: [number, string][] = [];
    for (let round = 0; round < 4; round++) {
      const bystander = ended(writer(`bystander${round}`, 30));
      const victim = writer(`victim${round}`, 0);
      const said = ended(victim);
      await heard(victim, 10 + round * 7);
      victim.kill('SIGKILL');
      for (const { acks } of [await said, await bystander]) ledger.push(...acks);
    }
    expect(ledger.length).toBeGreaterThan(4 * 40);
    expectRecorded(ledger);
  });

  it.skipIf(process.platform !== 'linux')(
    'keep a broken database where it is while one of them has it open',
    async () => {
      const holding = `
      const db = require('better-sqlite3')(process.argv[1]);
      db.prepare('SELECT * FROM meta').all();
      console.log('open');
      process.stdin.resume();`;
      await (await openSqlite({ folder, create: true, programVersion: '0.2.0' }))!.close();
      const database = join(folder, 'state.db');
      const holder = spawn(process.execPath, ['-e', holding, database], {
        stdio: ['pipe', 'pipe', 'inherit'],
        cwd: here,
      });
      const gone = new Promise((done) => holder.on('close', done));
      await new Promise((done) => holder.stdout.once('data', done));
      writeFileSync(database, 'broken '.repeat(2000));
      const opening = openSqlite({ folder, create: true, programVersion: '0.2.0' });
      await expect(opening).rejects.toMatchObject({
        kind: 'broken-database',
        message: expect.stringContaining(`process ${holder.pid} still`),
      });
      expect(readFileSync(database, 'utf8')).toContain('broken');
      holder.stdin.end();
      await gone;
      await (await openSqlite({ folder, create: true, programVersion: '0.2.0' }))!.close();
      expect(readdirSync(folder).filter((name) => name.includes('.broken-'))).not.toEqual([]);
    },
  );
});

const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

describe.skipIf(!canTrace)('system calls (needs strace)', () => {
  it('put every commit on the disk before it is acknowledged', async () => {
    const counts = join(folder, 'counts');
    const said = await ended(writer('x', 30, ['strace', '-f', '-o', counts, '-e', 'trace=fsync,fdatasync']));
    const syncs = readFileSync(counts, 'utf8').match(/sync\(/g)?.length ?? 0;
    expect(said.acks.size).toBe(30);
    expect(syncs).toBeGreaterThanOrEqual(30);
  });

  // Two of them in `npm test`, all in `npm run prove -- kill-parts`.
  const faults = [
    ['fsync,fdatasync:error=EIO', 6, 'io'],
    ['pwrite64:error=ENOSPC', 20, 'disk-full'],
    ['fsync,fdatasync:error=EIO', 9, 'io'],
    ['pwrite64:error=ENOSPC', 31, 'disk-full'],
    ['pwrite64:error=EIO', 24, 'io'],
  ] as const;
  const chosen = process.env.SIGNALBOX_LONG === '1' ? faults : faults.slice(0, 2);
  it.each(chosen)(
    'fail, %s from call %i on: said clearly, and nothing acknowledged is lost',
    async (fault, from, kind) => {
      const said = await ended(
        writer('x', 30, ['strace', '-f', '-o', '/dev/null', '-e', `inject=${fault}:when=${from}+`]),
      );
      expect(said.outage).toBe(kind);
      const before = said.acks.size;
      expect(before).toBeLessThan(30);
      const again = await ended(writer('y', 3));
      expect(again.acks.size).toBe(3);
      expectRecorded([...said.acks, ...again.acks]);
    },
  );
});

interface Said {
  readonly workspace: string | null;
  readonly outage: string | null;
  /** By sequence number: who wrote it. */
  readonly acks: ReadonlyMap<number, string>;
}

function writer(name: string, count: number, around: readonly string[] = []): ChildProcess {
  const [command, ...args] = [...around, process.execPath, script, folder, name, String(count)];
  return spawn(command!, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function ended(child: ChildProcess): Promise<Said> {
  let text = '';
  child.stdout!.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  await new Promise((done) => child.on('close', done));
  // The last line of a killed process may be torn.
  const lines = text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' '));
  return {
    workspace: lines.find(([word]) => word === 'workspace')?.[1] ?? null,
    outage: lines.find(([word]) => word === 'outage')?.[1] ?? null,
    acks: new Map(lines.filter(([word]) => word === 'ack').map(([, seq, by]) => [Number(seq), by!])),
  };
}

/** Resolves when the process has acknowledged so many events. */
function heard(child: ChildProcess, acks: number): Promise<void> {
  let count = 0;
  return new Promise((done) => {
    child.stdout!.on('data', (chunk: string) => {
      count += chunk.split('ack ').length - 1;
      if (count >= acks) done();
    });
  });
}

function recorded(): readonly { readonly seq: number; readonly by: string }[] {
  const db = openDatabase(join(folder, 'state.db'));
  const rows = db
    .prepare<[], { seq: number; by: string }>("SELECT seq, body ->> 'by' AS by FROM events ORDER BY seq")
    .all();
  db.close();
  return rows;
}

function expectRecorded(ledger: readonly (readonly [number, string])[]): void {
  const rows = recorded();
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, i) => i + 1));
  expect(ledger.filter(([seq, by]) => rows[seq - 1]?.by !== by)).toEqual([]);
}
