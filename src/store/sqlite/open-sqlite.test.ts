import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { paused, planLoaded } from '../../../test/rigs/sample-events.ts';
import { Outage, type OutageKind } from '../outage.ts';
import type { Store } from '../store.ts';
import { openDatabase } from './database.ts';
import { openSqlite, type SqliteOptions } from './open-sqlite.ts';

let root: string;
let folder: string;
let database: string;
const stores: Store[] = [];
const notices: string[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-open-'));
  folder = join(root, '.signalbox');
  database = join(folder, 'state.db');
  notices.length = 0;
});
afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
  rmSync(root, { recursive: true });
});

describe('opening', () => {
  it('finds nothing where nothing is, and creates nothing', async () => {
    expect(await open({ create: false })).toBeNull();
    expect(readdirSync(root)).toEqual([]);
    mkdirSync(folder);
    expect(await open({ create: false })).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
    // An empty file is what a process leaves that was killed while creating.
    writeFileSync(database, '');
    expect(await open({ create: false })).toBeNull();
    expect(statSync(database).size).toBe(0);
  });

  it('creates a private folder that git ignores, and finds it again', async () => {
    const store = await opened();
    await store.transact((tx) => tx.record(planLoaded()));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const file of ['state.db', 'state.db-wal', 'state.db-shm']) {
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    }
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n');
    const reader = (await open({ create: false }))!;
    expect(reader.workspace).toBe(store.workspace);
    expect(await reader.read((state) => state.plans.size)).toBe(1);
  });

  it('gives two that create it at the same moment the same identity', async () => {
    const [a, b] = await Promise.all([opened(), opened()]);
    expect(a.workspace).toBe(b.workspace);
    await Promise.all([a, b].map((store) => store.transact((tx) => tx.record(paused('x')))));
    expect(await a.events({})).toHaveLength(2);
  });

  it('refuses a symlink in place of its folder or its files, and leaves the target alone', async () => {
    const target = join(root, 'target');
    mkdirSync(target);
    symlinkSync(target, folder);
    await expectOutage(open(), 'unsafe-path', 'is a symlink');
    expect(readdirSync(target)).toEqual([]);
    rmSync(folder);
    for (const name of ['state.db', 'state.db-wal', 'state.db-shm']) {
      mkdirSync(folder);
      symlinkSync(join(target, 'file'), join(folder, name));
      await expectOutage(open(), 'unsafe-path', `${name} is a symlink`);
      await expectOutage(open({ create: false }), 'unsafe-path', `${name} is a symlink`);
      rmSync(folder, { recursive: true });
    }
    mkdirSync(folder);
    symlinkSync(join(target, 'file'), join(folder, '.gitignore'));
    await opened();
    expect(readdirSync(target)).toEqual([]);
    expect(lstatSync(join(folder, '.gitignore')).isSymbolicLink()).toBe(true);
  });

  it.each([
    [
      'a later schema',
      ["UPDATE meta SET value = '99' WHERE key = 'schema'"],
      /0\.2\.0 or later.*schema is 99.*this is 0\.2\.0/,
    ],
    [
      'a later writer',
      ["UPDATE meta SET value = '2.0.0' WHERE key = 'min_writer'"],
      /2\.0\.0 or later.*this is 0\.2\.0/,
    ],
    [
      'a later schema and other tables',
      ["UPDATE meta SET value = '99' WHERE key = 'schema'", 'ALTER TABLE snapshots RENAME TO pictures'],
      /schema is 99/,
    ],
  ])('refuses a database with %s, and changes nothing', async (_, changes, message) => {
    await (await opened()).close();
    for (const change of changes) sql(change);
    const before = readFileSync(database);
    await expectOutage(open(), 'newer-database', message);
    await expectOutage(open({ create: false }), 'newer-database', 'npm install signalbox@latest');
    expect(readFileSync(database).equals(before)).toBe(true);
    expect(notices).toEqual([]);
  });

  it('stops writing when its file was moved or deleted under it', async () => {
    const store = await opened();
    await store.transact((tx) => tx.record(paused('x')));
    renameSync(folder, join(root, 'elsewhere'));
    await expectOutage(
      store.transact((tx) => tx.record(paused('y'))),
      'moved-database',
      'was moved',
    );
    const second = await opened();
    expect(await second.events({})).toEqual([]);
    await expectOutage(
      store.transact((tx) => tx.record(paused('y'))),
      'moved-database',
      'was moved',
    );
  });
});

describe('a broken database', () => {
  const damages: readonly [string, () => void][] = [
    ['is no database', () => writeFileSync(database, 'this is not a database, not at all '.repeat(200))],
    ['has a damaged page in its log', () => damagePage()],
    ['has a gap in its log', () => sql('DELETE FROM events WHERE seq = 3')],
    ['has an event that is no JSON', () => sql("UPDATE events SET body = '{' WHERE seq = 4")],
    ['belongs to another program', () => sql('DROP TABLE meta')],
    ['lost its identity', () => sql('DELETE FROM meta')],
    ['lost a table', () => sql('DROP TABLE events')],
  ];

  it.each(damages)('that %s is told to a reader and kept aside by a run', async (_, damage) => {
    const first = await opened();
    await first.transact((tx) => {
      for (let i = 0; i < 200; i++) tx.record(paused('somebody'.repeat(20)));
    });
    await first.close();
    damage();
    const broken = readFileSync(database);
    const reading = open({ create: false }).then((store) => store!.read((state) => state.seq));
    await expectOutage(reading, 'broken-database', /state\.db is broken.*/);
    expect(readdirSync(folder).filter((name) => name.includes('broken'))).toEqual([]);
    for (const store of stores.splice(0)) await store.close();

    const fresh = await opened();
    expect(fresh.workspace).not.toBe(first.workspace);
    expect(await fresh.read((state) => state.seq)).toBe(0);
    const [kept, ...others] = readdirSync(folder).filter((name) => name.includes('.broken-'));
    expect(others.filter((name) => !/-(wal|shm)$/.test(name))).toEqual([]);
    expect(readFileSync(join(folder, kept!)).equals(broken)).toBe(true);
    expect(notices).toEqual([expect.stringContaining(`It is kept as ${join(folder, kept!)}`)]);
  });

  it('never overwrites one that was kept before', async () => {
    await (await opened()).close();
    for (let i = 0; i < 3; i++) {
      writeFileSync(database, `broken ${i} `.repeat(1000));
      await (await opened({ clock: { now: () => 0 } })).close();
    }
    const kept = readdirSync(folder).filter((name) => name.includes('.broken-'));
    expect(kept).toEqual([
      'state.db.broken-19700101T000000Z',
      'state.db.broken-19700101T000000Z-2',
      'state.db.broken-19700101T000000Z-3',
    ]);
  });

  it.each(['missing', 'empty'] as const)('that is %s beside a log still to be merged keeps that log', async (how) => {
    const store = await opened();
    await store.transact((tx) => tx.record(paused('x')));
    const wal = readFileSync(`${database}-wal`);
    await store.close();
    writeFileSync(`${database}-wal`, wal);
    if (how === 'missing') rmSync(database);
    else truncateSync(database);
    if (how === 'empty') await expectOutage(open({ create: false }), 'broken-database', 'missing or empty');
    await opened();
    const kept = readdirSync(folder).find((name) => /\.broken-.*-wal$/.test(name));
    expect(readFileSync(join(folder, kept!)).equals(wal)).toBe(true);
  });

  it('is not one whose last log frames were torn: the rest is whole', async () => {
    const store = await opened();
    for (let i = 0; i < 20; i++) await store.transact((tx) => tx.record(paused(`${i}`)));
    const [db, wal] = [readFileSync(database), readFileSync(`${database}-wal`)];
    await store.close();
    writeFileSync(database, db);
    writeFileSync(`${database}-wal`, wal.subarray(0, wal.length - 6000));
    const after = await opened();
    const seqs = (await after.events({})).map(({ seq }) => seq);
    expect(seqs.length).toBeGreaterThan(10);
    expect(seqs.length).toBeLessThan(20);
    expect(seqs).toEqual(seqs.map((_, i) => i + 1));
    expect(notices).toEqual([]);
  });
});

async function open(options: Partial<SqliteOptions> = {}): Promise<Store | null> {
  const onNotice = (text: string) => notices.push(text);
  const store = await openSqlite({ folder, create: true, programVersion: '0.2.0', onNotice, ...options });
  if (store) stores.push(store);
  return store;
}

async function opened(options: Partial<SqliteOptions> = {}): Promise<Store> {
  return (await open(options))!;
}

async function expectOutage(promise: Promise<unknown>, kind: OutageKind, message: string | RegExp): Promise<void> {
  const error: unknown = await promise.then(
    () => null,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(Outage);
  expect(error).toMatchObject({ kind, message: expect.stringMatching(message) });
}

function sql(statement: string, ...values: (string | number)[]): unknown[] {
  const db = openDatabase(database);
  try {
    const prepared = db.prepare<unknown[]>(statement);
    return prepared.reader ? prepared.all(...values) : [prepared.run(...values)];
  } finally {
    db.close();
  }
}

/** Overwrites a page behind the beginnings of all tables, where the events are. */
function damagePage(): void {
  const bytes = readFileSync(database);
  expect(bytes.length).toBeGreaterThan(16 * 4096);
  bytes.fill(0xa5, 14 * 4096, 15 * 4096);
  writeFileSync(database, bytes);
  expect(existsSync(`${database}-wal`)).toBe(false);
}
