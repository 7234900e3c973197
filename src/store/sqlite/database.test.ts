import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase as open, openCopy } from './database.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-database-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a database', () => {
  it('is never created', () => {
    const file = join(folder, 'none.db');
    expect(() => open(file)).toThrow(expect.objectContaining({ code: expect.stringMatching(/^SQLITE_CANTOPEN/) }));
    expect(existsSync(file)).toBe(false);
  });

  it.each(['plain.db', 'with space #and?more%20.db', 'ünï.db'])('may be called %s', (name) => {
    const file = join(folder, name);
    writeFileSync(file, '');
    const db = open(file);
    db.exec('CREATE TABLE t (a, b)');
    db.prepare<[string, number]>('INSERT INTO t VALUES (?, ?)').run('x', 1);
    expect(db.prepare<[string], { a: string; b: number }>('SELECT a, b FROM t WHERE a = ?').get('x')).toMatchObject({
      a: 'x',
      b: 1,
    });
    expect(db.prepare<[string]>('SELECT a FROM t WHERE a = ?').get('y')).toBeUndefined();
    db.close();
    const again = open(file, { readonly: true });
    expect(again.prepare<[], { b: number }>('SELECT b FROM t').all()).toHaveLength(1);
    expect(() => again.exec('DELETE FROM t')).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^SQLITE_READONLY/) }),
    );
    again.close();
  });

  it('says by the codes of SQLite what is wrong', () => {
    const file = join(folder, 'a.db');
    writeFileSync(file, '');
    const [one, two] = [open(file), open(file)];
    one.exec('BEGIN IMMEDIATE');
    expect(one.inTransaction).toBe(true);
    expect(() => two.exec('BEGIN IMMEDIATE')).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^SQLITE_BUSY/) }),
    );
    expect(two.inTransaction).toBe(false);
    one.exec('ROLLBACK');
    expect(() => one.prepare('SELECT nothing FROM nowhere')).toThrow(expect.objectContaining({ code: 'SQLITE_ERROR' }));
    one.close();
    two.close();
    writeFileSync(file, 'no database at all, but long enough to be looked at '.repeat(100));
    const broken = open(file);
    expect(() => broken.prepare('SELECT * FROM sqlite_schema').all()).toThrow(
      expect.objectContaining({ code: 'SQLITE_NOTADB' }),
    );
    broken.close();
  });
});

describe('a copy of a database', () => {
  it('shows what is there, makes no files beside it and takes nothing in', () => {
    const file = join(folder, 'a.db');
    writeFileSync(file, '');
    const db = open(file);
    db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)');
    db.close();
    const copy = openCopy(file);
    expect(copy.prepare('SELECT a FROM t').all()).toEqual([{ a: 1 }]);
    expect(() => copy.exec('INSERT INTO t VALUES (2)')).toThrow(expect.objectContaining({ code: 'SQLITE_READONLY' }));
    expect(readdirSync(folder)).toEqual(['a.db']);
    copy.close();
  });
});
