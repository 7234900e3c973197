import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostId } from '../../core/model/ids.ts';
import { JournalReader, workerRecord } from './journal.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-journal-'));
  file = join(folder, 'r1.journal');
});
afterEach(() => rmSync(folder, { recursive: true }));

const worker = { host: hostId('abc'), pid: 77, startTime: '1234' };
const read = (text: string): JournalReader => {
  writeFileSync(file, text, 'latin1');
  const reader = new JournalReader(file);
  reader.advance();
  return reader;
};

describe('a journal', () => {
  it('tells who started what and how it ended', () => {
    const reader = read(`${workerRecord(worker)}s 1 77;\ne 1 0;\ns 2 77;\ns 3 99;\ne 4 claim;\ne 3 u127;\n`);
    expect(reader.attempt(1)).toEqual({ worker, ended: 0 });
    expect(reader.attempt(2)).toEqual({ worker, ended: null });
    expect(reader.attempt(3)).toEqual({ worker: null, ended: 'u127' });
    expect(reader.attempt(4)).toEqual({ worker: null, ended: 'claim' });
    expect(reader.attempt(5)).toBeUndefined();
    expect(reader.unoccupiedWorkers()).toEqual([]);
    expect([...reader.hosts()]).toEqual(['abc']);
  });

  it('keeps start times that are words (ps)', () => {
    const byPs = { ...worker, startTime: 'Sun Nov 15 22:20:19 2026' };
    expect(read(workerRecord(byPs)).unoccupiedWorkers()).toEqual([byPs]);
  });

  it.each([
    ['e 12 1', 12, undefined],
    ['e 12 127', 12, undefined],
    ['e 12 1e 13 0;\n', 13, 0],
    ['e 12 1e 13 0;\n', 12, undefined],
    ['e 12 e 13 0;\n', 13, 0],
    ['s 1e 13 0;\n', 13, 0],
    ['\0\0\0e 13 0;\n', 13, 0],
    ['e 13 nonsense;\n', 13, undefined],
    ['e 13 99999;\n', 13, undefined],
    ['e 13 0;', 13, undefined],
  ])('torn or spoilt: %j says about %d: %s', (text, token, ended) => {
    expect(read(text).attempt(token)?.ended).toBe(ended);
  });

  it('is read as it grows, wherever it is cut', () => {
    const text = `${workerRecord(worker)}s 1 77;\ne 1 200;\ns 2 77;\ne 2 3;\n`;
    for (let cut = 0; cut <= text.length; cut++) {
      const reader = read(text.slice(0, cut));
      appendFileSync(file, text.slice(cut));
      reader.advance();
      reader.advance();
      expect([reader.attempt(1)?.ended, reader.attempt(2)?.ended]).toEqual([200, 3]);
    }
  });

  it('survives any garbage between its records', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 300 }).map((s) => s.replace(/;/g, ''))), (garbage) => {
        const reader = read(garbage.map((s, i) => `${s}\ns ${i} 5;\ne ${i} ${i % 256};\n`).join(''));
        for (const i of garbage.keys()) expect(reader.attempt(i)?.ended).toBe(i % 256);
      }),
      { numRuns: 50 },
    );
  });

  it('that is not there is empty', () => {
    const reader = new JournalReader(file);
    reader.advance();
    expect(reader.attempt(1)).toBeUndefined();
    expect(reader.hosts().size).toBe(0);
  });
});
