// The file itself: in its place whole, newest, with a good one behind it.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planPath } from '../core/model/ids.ts';
import { encodeName, type OutputPlaces, outputNames, outputPlaces } from './output-places.ts';
import { type StatusFile, statusText } from './status-file.ts';
import { draftStatus, dropDraft, placeStatus, writtenMark } from './write-status.ts';

let places: OutputPlaces;
beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'signalbox-status-'));
  places = outputPlaces({ root, stateFolder: join(root, '.signalbox') }, join(root, 'plan'));
});
afterEach(() => rmSync(join(places.folder, '..'), { recursive: true, force: true }));

const statusOf = (seq: number, log = 'one') =>
  ({ schemaVersion: 1, seq, log, tasks: [{ id: 'a', status: 'pending' }] }) as unknown as StatusFile;
const textOf = (seq: number) => statusText(statusOf(seq));
const put = async (seq: number, { log = 'one', head = seq, replaces = -1 } = {}) => {
  const status = statusOf(seq, log);
  const draft = draftStatus(places, status, statusText(status));
  const placing = placeStatus(places, draft, { head, replaces });
  dropDraft(draft);
  return placing;
};
const seqOf = (file: string) => JSON.parse(readFileSync(file, 'utf8')).seq;

describe('status.json', () => {
  it('appears with its folder, and keeps the one before it', async () => {
    expect(await put(3)).toBe('placed');
    expect(existsSync(places.backup)).toBe(false);
    expect(await put(5)).toBe('placed');
    expect([seqOf(places.status), seqOf(places.backup)]).toEqual([5, 3]);
    expect(readdirSync(places.folder).sort()).toEqual(['status.json', 'status.json.bak']);
  });

  it('is never replaced by an older one, nor by one that is as old', async () => {
    await put(5);
    expect(await put(4, { head: 5 })).toBe('older');
    expect(await put(5)).toBe('older');
    expect(seqOf(places.status)).toBe(5);
    expect(readdirSync(places.folder)).toEqual(['status.json']);
  });

  it('is replaced when it claims to know more than the log, or is of another log', async () => {
    await put(9);
    expect(await put(4, { head: 4 })).toBe('placed');
    expect(await put(1, { log: 'two' })).toBe('placed');
    expect(writtenMark(places.status)).toEqual({ seq: 1, log: 'two' });
  });

  it('is replaced by one of the same number when that is known to be wrong, which is no backup', async () => {
    await put(3);
    await put(4);
    expect(await put(4, { replaces: 4 })).toBe('placed');
    expect(seqOf(places.backup)).toBe(3);
  });

  it.each([
    ['cut off', textOf(4).slice(0, 80)],
    ['empty', ''],
    ['garbage', '\0\0\0'],
    ['a list', '[]'],
  ])('is replaced when it is %s, which never becomes the backup', async (_, broken) => {
    await put(3);
    await put(4);
    writeFileSync(places.status, broken);
    expect(await put(4)).toBe('placed');
    expect([seqOf(places.status), seqOf(places.backup)]).toEqual([4, 3]);
  });

  it.each([
    ['a task without a status', '"status":"pending"', '"state":"pending"'],
    ['half a task', '"status":"pending"}', '"status":"pen'],
    ['a number that is none', '"seq": 4', '"seq": 4x'],
    ['a comma too few', '"log": "one",', '"log": "one"'],
  ])('never keeps one with %s as the backup', async (_, good, bad) => {
    await put(3);
    await put(4);
    writeFileSync(places.status, readFileSync(places.status, 'utf8').replace(good, bad));
    expect(await put(5)).toBe('placed');
    expect([seqOf(places.status), seqOf(places.backup)]).toEqual([5, 3]);
  });

  it('keeps one in which a task was edited well', async () => {
    await put(3);
    writeFileSync(places.status, readFileSync(places.status, 'utf8').replace('"pending"', '"completed"'));
    await put(5);
    expect(readFileSync(places.backup, 'utf8')).toContain('"completed"');
  });

  it('of another program is kept as the backup', async () => {
    mkdirSync(places.folder, { recursive: true });
    writeFileSync(places.status, '{"planPath":"x","tasks":[]}');
    await put(1);
    expect(readFileSync(places.backup, 'utf8')).toBe('{"planPath":"x","tasks":[]}');
  });

  it('removes what killed processes have left, and nothing of living ones', async () => {
    mkdirSync(places.folder, { recursive: true });
    const dead = 2 ** 22 + 1;
    for (const name of [`status.json.${dead}.new`, `status.json.bak.${dead}.new`, 'status.json.1.new', 'other.9.new'])
      writeFileSync(join(places.folder, name), '');
    await put(1);
    expect(readdirSync(places.folder).sort()).toEqual(['other.9.new', 'status.json', 'status.json.1.new']);
  });

  it('of two that are written at once in one process is whole', async () => {
    expect(await Promise.all([put(1), put(2), put(3)])).toContain('placed');
    expect(readFileSync(places.status, 'utf8')).toBe(textOf(seqOf(places.status)));
    expect(readdirSync(places.folder).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('removes what one with the number of this process has left', async () => {
    mkdirSync(places.folder, { recursive: true });
    writeFileSync(join(places.folder, `status.json.ab.${process.pid}.new`), '');
    await put(1);
    expect(readdirSync(places.folder)).toEqual(['status.json']);
  });

  it('tells when what was prepared is gone', async () => {
    const draft = draftStatus(places, statusOf(1), textOf(1));
    rmSync(draft.file);
    expect(placeStatus(places, draft, { head: 1 })).toBe('gone');
  });

  it('leaves nothing behind when it cannot be written', async () => {
    mkdirSync(places.status, { recursive: true });
    const draft = draftStatus(places, statusOf(1), textOf(1));
    expect(() => placeStatus(places, draft, { head: 1 })).toThrow();
    dropDraft(draft);
    expect(readdirSync(places.folder)).toEqual(['status.json']);
  });
});

describe('names', () => {
  it('are what people type, where that is safe', () => {
    for (const name of ['1.1', 'api', 'T014', 'ABC-12', 'a_b']) expect(encodeName(name)).toBe(name);
    for (const name of ['.', '..', '', '-x', 'a/b', 'a%2fb', 'ä', 'con#1', 'a b'])
      expect(encodeName(name)).toMatch(/^%|[A-Za-z0-9]%/);
  });

  it('of different ids differ, and are no paths', () => {
    const ids = fc.uniqueArray(fc.string({ unit: 'binary', maxLength: 300 }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(ids, (all) => {
        // Texts that are no proper Unicode have no bytes of their own.
        const proper = all.filter((id) => Buffer.from(id).toString() === id);
        const names = proper.map(encodeName);
        expect(new Set(names).size).toBe(proper.length);
        for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_%][A-Za-z0-9_%.-]{0,139}$/);
      }),
    );
  });

  it('of plans are the base name, and for a second one all of the path', () => {
    expect(outputNames(planPath('docs/plans/p.md'))).toEqual({ short: 'p', long: 'docs%2fplans%2fp.md' });
    expect(outputNames(planPath('p.yaml'))).toEqual({ short: 'p', long: '%2fp.yaml' });
    expect(outputNames(planPath('a/b/c.md')).long).not.toBe(outputNames(planPath('a-b/c.md')).long);
  });
});
