// Drafts of the files that other programs read: nobody who looks at the outputs ever sees one.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { planPath, taskId } from '../core/model/ids.ts';
import { type AttemptTimes, writeTimes } from './attempt-times.ts';
import { type OutputPlaces, outputPlaces } from './output-places.ts';
import { type StatusFile, statusText } from './status-file.ts';
import { writeFinding } from './write-finding.ts';
import { draftStatus, dropDraft, placeStatus } from './write-status.ts';

let root: string;
let elsewhere: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-drafts-'));
  elsewhere = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'signalbox-drafts-'));
});
afterEach(() => {
  for (const folder of [root, elsewhere]) rmSync(folder, { recursive: true });
});

const placesAt = (stateFolder: string): OutputPlaces => outputPlaces({ root, stateFolder }, join(root, 'out/plan'));
const times: AttemptTimes = {
  ...{ attempt: 'a#1', task: 'a', plan: planPath('plan.md'), run: 'r', parked: 0, duration: 1 },
  ...{ scheduledAt: 'x', startedAt: null, endedAt: 'y' },
};

async function putStatus(places: OutputPlaces, seq: number): Promise<string> {
  const status = {
    schemaVersion: 1,
    seq,
    log: 'one',
    tasks: [{ id: 'a', status: 'pending' }],
  } as unknown as StatusFile;
  const draft = draftStatus(places, status, statusText(status));
  const placing = placeStatus(places, draft, { head: seq });
  dropDraft(draft);
  return placing === 'gone' ? putStatus(places, seq) : placing;
}

async function putAll(places: OutputPlaces): Promise<void> {
  for (const seq of [1, 2, 3]) await putStatus(places, seq);
  for (const text of ['one', 'two']) {
    writeFinding({ stateFolder: places.stateFolder, places, task: taskId('a'), text });
    writeTimes(places, [times, { ...times, attempt: 'a#2' }]);
  }
}

function isWritten(places: OutputPlaces): void {
  expect(readdirSync(places.folder).sort()).toEqual(['findings', 'status.json', 'status.json.bak', 'timestamps']);
  expect([readdirSync(places.findings), readdirSync(places.timestamps)]).toEqual([
    ['a.md'],
    ['a%231.json', 'a%232.json'],
  ]);
  expect(readFileSync(join(places.findings, 'a.md'), 'utf8')).toBe('two');
  expect(readdirSync(join(places.stateFolder, 'drafts'))).toEqual([]);
}

it('come and go in the state folder', async () => {
  const places = placesAt(join(root, '.signalbox'));
  const seen = new Set<string>();
  const watched = [places.folder, places.findings, places.timestamps];
  for (const folder of watched) mkdirSync(folder, { recursive: true });
  let done = 0;
  let isOver: () => void;
  const over = new Promise<void>((resolve) => {
    isOver = resolve;
  });
  const watchers = watched.map((folder) =>
    watch(folder, (_, name) => {
      if (name !== 'over') seen.add(name!);
      else if (++done === watched.length) isOver();
    }),
  );
  await putAll(places);
  // Made in one step each, so each is told once.
  for (const folder of watched) symlinkSync('nowhere', join(folder, 'over'));
  await over;
  for (const watcher of watchers) watcher.close();
  for (const folder of watched) rmSync(join(folder, 'over'));
  seen.delete('findings');
  seen.delete('timestamps');
  expect([...seen].sort()).toEqual(['a%231.json', 'a%232.json', 'a.md', 'status.json', 'status.json.bak']);
  isWritten(places);
});

it('are beside their files where the state folder is on another file system', async (test) => {
  if (statSync(root).dev === statSync(elsewhere).dev) return test.skip('there is only one file system');
  const places = placesAt(join(elsewhere, '.signalbox'));
  await putAll(places);
  isWritten(places);
});

it('of killed processes are removed by the next one that writes', async () => {
  const places = placesAt(join(root, '.signalbox'));
  await putStatus(places, 1);
  const drafts = join(places.stateFolder, 'drafts');
  const dead = 2 ** 22 + 1;
  for (const name of [`plan.status.json.x.${dead}.new`, `plan.a%231.json.${dead}.new`, `.a.md.${dead}.new`])
    writeFileSync(join(drafts, name), '');
  writeFileSync(`${places.status}.x.${dead}.new`, '');
  const kept = [`other.status.json.x.${process.ppid}.new`, `plan.a%231.json.${process.pid}.new`, 'note'];
  for (const name of kept) writeFileSync(join(drafts, name), '');
  await putStatus(places, 2);
  expect(readdirSync(drafts).sort()).toEqual(kept.sort());
  expect(readdirSync(places.folder).sort()).toEqual(['status.json', 'status.json.bak']);
});

it('are written through no link', async () => {
  const places = placesAt(join(root, '.signalbox'));
  mkdirSync(places.stateFolder);
  symlinkSync(elsewhere, join(places.stateFolder, 'drafts'));
  await expect(putStatus(places, 1)).rejects.toMatchObject({ kind: 'unsafe-path' });
  expect(readdirSync(elsewhere)).toEqual([]);
});

it('of times are beside their files too, when no status was written before them', (test) => {
  if (statSync(root).dev === statSync(elsewhere).dev) return test.skip('there is only one file system');
  const places = placesAt(join(elsewhere, '.signalbox'));
  writeTimes(places, [times, { ...times, attempt: 'a#2' }]);
  expect(readdirSync(places.timestamps)).toEqual(['a%231.json', 'a%232.json']);
});

it('of times are written through no link that lies in their place', () => {
  const places = placesAt(join(root, '.signalbox'));
  const target = join(elsewhere, 'theirs');
  writeFileSync(target, 'theirs');
  const drafts = join(places.stateFolder, 'drafts');
  mkdirSync(drafts, { recursive: true });
  symlinkSync(target, join(drafts, `plan.a%231.json.${process.pid}.new`));
  writeTimes(places, [times]);
  expect(readFileSync(target, 'utf8')).toBe('theirs');
  expect(readFileSync(join(places.timestamps, 'a%231.json'), 'utf8')).toContain('"attempt":"a#1"');
});
