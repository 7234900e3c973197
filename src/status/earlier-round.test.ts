// The files of a round that is over, whatever was done of it when somebody was killed.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { setEarlierAside } from './earlier-round.ts';
import { type OutputPlaces, outputPlaces } from './output-places.ts';

let root: string;
let places: OutputPlaces;
const earlier = { rounds: 2, seq: 10, attempts: {}, results: null };
const status = (seq: number, log = 'mine') => `{\n  "schemaVersion": 1,\n  "seq": ${seq},\n  "log": "${log}"\n}\n`;
const aside = () =>
  existsSync(join(places.folder, 'earlier/2')) ? readdirSync(join(places.folder, 'earlier/2')).sort() : [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-round-'));
  places = outputPlaces({ root, stateFolder: join(root, '.signalbox') }, join(root, 'docs/plan-outputs/plan'));
  for (const folder of [places.findings, places.timestamps]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(places.findings, 'a.md'), 'old');
  writeFileSync(places.status, status(9));
  writeFileSync(places.backup, status(8));
});
afterEach(() => rmSync(root, { recursive: true }));

it('move together, and once', () => {
  setEarlierAside(places, 'mine', earlier);
  const all = ['findings', 'status.json', 'status.json.bak', 'timestamps'];
  expect([aside(), readdirSync(places.folder)]).toEqual([all, ['earlier']]);
  writeFileSync(places.status, status(11));
  setEarlierAside(places, 'mine', earlier);
  expect([aside(), existsSync(places.status)]).toEqual([all, true]);
});

it('follow those that were moved before a kill, and replace nothing', () => {
  mkdirSync(join(places.folder, 'earlier/2/findings'), { recursive: true });
  writeFileSync(join(places.folder, 'earlier/2/findings/a.md'), 'before the kill');
  setEarlierAside(places, 'mine', earlier);
  expect(aside()).toEqual(['findings', 'findings-2', 'status.json', 'status.json.bak', 'timestamps']);
  expect(readFileSync(join(places.folder, 'earlier/2/findings/a.md'), 'utf8')).toBe('before the kill');
});

it.each([
  ['the plan was never started over', null, status(9), status(8)],
  ['both are of this round', earlier, status(12), status(11)],
  ['they were made from another log', earlier, status(9, 'other'), status(8, 'other')],
  ['they are not ours', earlier, '{}', '{}'],
])('stay where %s', (_, rounds, text, backup) => {
  writeFileSync(places.status, text);
  writeFileSync(places.backup, backup);
  setEarlierAside(places, 'mine', rounds);
  expect([aside(), readFileSync(places.status, 'utf8')]).toEqual([[], text]);
});

it('go with a backup of before, where the status itself is gone', () => {
  rmSync(places.status);
  setEarlierAside(places, 'mine', earlier);
  expect(aside()).toEqual(['findings', 'status.json.bak', 'timestamps']);
});
