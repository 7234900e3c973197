// The file itself: in its place whole, newest, with a good one behind it.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planPath } from '../core/ids.ts';
import { encodeName, type OutputPlaces, outputNames, outputPlaces } from './output-places.ts';
import { placeStatus, prepareStatus, writtenMark } from './write-status.ts';

let places: OutputPlaces;
beforeEach(() => {
  places = outputPlaces(join(mkdtempSync(join(tmpdir(), 'signalbox-status-')), 'plan'));
});
afterEach(() => rmSync(join(places.folder, '..'), { recursive: true, force: true }));

const textOf = (seq: number, log = 'one') =>
  `{\n  "schemaVersion": 1,\n  "seq": ${seq},\n  "log": "${log}",\n  "tasks": [\n    {"id":"a","status":"pending"}\n  ]\n}\n`;
const put = (seq: number, { log = 'one', head = seq, replaces = -1 } = {}) =>
  placeStatus(places, prepareStatus(places, { seq, log }, [Buffer.from(textOf(seq, log))]), { head, replaces });
const seqOf = (file: string) => JSON.parse(readFileSync(file, 'utf8')).seq;

describe('status.json', () => {
  it('appears with its folder, and keeps the one before it', () => {
    expect(put(3)).toBe('placed');
    expect(existsSync(places.backup)).toBe(false);
    expect(put(5)).toBe('placed');
    expect([seqOf(places.status), seqOf(places.backup)]).toEqual([5, 3]);
    expect(readdirSync(places.folder).sort()).toEqual(['status.json', 'status.json.bak']);
  });

  it('is never replaced by an older one, nor by one that is as old', () => {
    put(5);
    expect(put(4, { head: 5 })).toBe('older');
    expect(put(5)).toBe('older');
    expect(seqOf(places.status)).toBe(5);
    expect(readdirSync(places.folder)).toEqual(['status.json']);
  });

  it('is replaced when it claims to know more than the log, or is of another log', () => {
    put(9);
    expect(put(4, { head: 4 })).toBe('placed');
    expect(put(1, { log: 'two' })).toBe('placed');
    expect(writtenMark(places.status)).toEqual({ seq: 1, log: 'two' });
  });

  it('is replaced by one of the same number when that is known to be wrong, which is no backup', () => {
    put(3);
    put(4);
    expect(put(4, { replaces: 4 })).toBe('placed');
    expect(seqOf(places.backup)).toBe(3);
  });

  it.each([
    ['cut off', textOf(4).slice(0, 80)],
    ['empty', ''],
    ['garbage', '\0\0\0'],
    ['a list', '[]'],
  ])('is replaced when it is %s, which never becomes the backup', (_, broken) => {
    put(3);
    put(4);
    writeFileSync(places.status, broken);
    expect(put(4)).toBe('placed');
    expect([seqOf(places.status), seqOf(places.backup)]).toEqual([4, 3]);
  });

  it.each([
    ['a task without a status', '"status":"pending"', '"state":"pending"'],
    ['half a task', '"status":"pending"}', '"status":"pen'],
    ['a number that is none', '"seq": 4', '"seq": 4x'],
    ['a comma too few', '"log": "one",', '"log": "one"'],
  ])('never keeps one with %s as the backup', (_, good, bad) => {
    put(3);
    put(4);
    writeFileSync(places.status, readFileSync(places.status, 'utf8').replace(good, bad));
    expect(put(5)).toBe('placed');
    expect([seqOf(places.status), seqOf(places.backup)]).toEqual([5, 3]);
  });

  it('keeps one in which a task was edited well', () => {
    put(3);
    writeFileSync(places.status, readFileSync(places.status, 'utf8').replace('"pending"', '"completed"'));
    put(5);
    expect(readFileSync(places.backup, 'utf8')).toContain('"completed"');
  });

  it('of another program is kept as the backup', () => {
    mkdirSync(places.folder, { recursive: true });
    writeFileSync(places.status, '{"planPath":"x","tasks":[]}');
    put(1);
    expect(readFileSync(places.backup, 'utf8')).toBe('{"planPath":"x","tasks":[]}');
  });

  it('removes what killed processes have left, and nothing of living ones', () => {
    mkdirSync(places.folder, { recursive: true });
    const dead = 2 ** 22 + 1;
    for (const name of [`status.json.${dead}.new`, `status.json.bak.${dead}.new`, 'status.json.1.new', 'other.9.new'])
      writeFileSync(join(places.folder, name), '');
    put(1);
    expect(readdirSync(places.folder).sort()).toEqual(['other.9.new', 'status.json', 'status.json.1.new']);
  });

  it('tells when what was prepared is gone', () => {
    const prepared = prepareStatus(places, { seq: 1, log: 'one' }, [Buffer.from(textOf(1))]);
    rmSync(prepared.file);
    expect(placeStatus(places, prepared, { head: 1 })).toBe('gone');
  });

  it('leaves nothing behind when it cannot be written', () => {
    mkdirSync(places.status, { recursive: true });
    const prepared = prepareStatus(places, { seq: 1, log: 'one' }, [Buffer.from(textOf(1))]);
    expect(() => placeStatus(places, prepared, { head: 1 })).toThrow();
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
