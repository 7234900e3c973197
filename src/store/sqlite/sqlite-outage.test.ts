import { describe, expect, it } from 'vitest';
import { Outage } from '../outage.ts';
import { toOutage } from './sqlite-outage.ts';

const withCode = (code: string) => Object.assign(new Error('raw text'), { code });
const trouble = { file: '/w/.signalbox/state.db', freeBytes: () => 1e9 };

describe('sqlite outage', () => {
  it.each([
    ['SQLITE_BUSY', 'busy'],
    ['SQLITE_BUSY_RECOVERY', 'busy'],
    ['SQLITE_FULL', 'disk-full'],
    ['ENOSPC', 'disk-full'],
    ['EDQUOT', 'disk-full'],
    ['SQLITE_READONLY', 'read-only'],
    ['SQLITE_READONLY_DIRECTORY', 'read-only'],
    ['SQLITE_CANTOPEN', 'read-only'],
    ['EROFS', 'read-only'],
    ['EACCES', 'read-only'],
    ['SQLITE_NOTADB', 'broken-database'],
    ['SQLITE_CORRUPT', 'broken-database'],
    ['SQLITE_CORRUPT_INDEX', 'broken-database'],
    ['SQLITE_IOERR_FSYNC', 'io'],
    ['EIO', 'io'],
  ])('%s is %s', (code, kind) => {
    const outage = toOutage(withCode(code), trouble);
    expect(outage).toBeInstanceOf(Outage);
    expect(outage).toMatchObject({ kind, message: expect.stringContaining('/w/.signalbox/state.db') });
    expect((outage as Outage).message).toContain('raw text');
  });

  it('calls an I/O error on a full disk by its name', () => {
    expect(toOutage(withCode('SQLITE_IOERR_SHMSIZE'), { ...trouble, freeBytes: () => 0 })).toMatchObject({
      kind: 'disk-full',
    });
  });

  it('gives damage found above SQLite the file and the way out', () => {
    const found = new Outage('broken-database', 'the log has a gap');
    expect(toOutage(found, trouble)).toMatchObject({ kind: 'broken-database', cause: found });
    expect((toOutage(found, trouble) as Outage).message).toMatch(/state\.db is broken.*keeps it aside.*a gap/);
  });

  it.each([
    ['a bug of ours', withCode('SQLITE_CONSTRAINT_PRIMARYKEY')],
    ['an error without a code', new Error('x')],
    ['an outage that is clear already', new Outage('busy', 'busy')],
    ['what is no error', 'text'],
  ])('passes on %s as it is', (_, error) => {
    expect(toOutage(error, trouble)).toBe(error);
  });
});
