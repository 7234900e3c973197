import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { putBack } from '../../files/put-back.ts';
import { saveWork } from '../../files/save-work.ts';
import { takeBeforeImage } from '../../files/take-before-image.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';
import { restoreWork, savedListReport, savedShowReport } from './saved-work.ts';

let root: string;
let workspace: Workspace;
const write = (name: string, content: string | Buffer) => writeFileSync(join(root, name), content);

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-saved-'));
  mkdirSync(join(root, '.signalbox'));
  workspace = await openWorkspace(root, {});
});
afterEach(() => rmSync(root, { recursive: true }));

async function save(change: () => void): Promise<void> {
  const place = { root, folder: workspace.stateFolder, token: 1 };
  await takeBeforeImage({ ...place, keys: ['./'] });
  change();
  await saveWork({ ...place, about: { attempt: 'a#1', task: 'a', plan: 'p.md', at: 0, reason: 'deadlock' } });
  await putBack(place);
}

it('is empty where nothing was saved, and creates nothing', () => {
  expect(savedListReport(workspace)).toEqual({ saved: [] });
  expect(() => savedShowReport(workspace, 'a-1')).toThrow(
    expect.objectContaining({ exitCode: 2, instead: 'see what was saved: signalbox saved' }),
  );
});

it('shows each kind of file as what it is', async () => {
  for (const name of ['text', 'gone', 'large', 'link']) write(name, `${name}\n`);
  await save(() => {
    write('text', 'text\nmore\n');
    write('new', 'new');
    write('binary', Buffer.from([0, 1]));
    write('latin1', Buffer.from([0xe4]));
    write('large', 'x'.repeat(1024 * 1024 + 1));
    rmSync(join(root, 'gone'));
    rmSync(join(root, 'link'));
    symlinkSync('text', join(root, 'link'));
  });
  write('new', 'new');
  const { files, ...about } = savedShowReport(workspace, 'a-1');
  expect(about).toMatchObject({ id: 'a-1', task: 'a', plan: 'p.md', at: '1970-01-01T00:00:00.000Z' });
  expect(files.map(({ path, was, without, diff, target }) => [path, was, without, diff ?? target])).toEqual([
    ['binary', 'new', 'binary', null],
    ['gone', 'deleted', 'deleted', null],
    ['large', 'changed', 'large', null],
    ['latin1', 'new', 'binary', null],
    ['link', 'changed', 'no-file', 'text'],
    ['new', 'new', 'same', null],
    ['text', 'changed', null, '@@ -1,1 +1,2 @@\n text\n+more\n'],
  ]);
  expect(savedListReport(workspace).saved).toMatchObject([{ id: 'a-1', files: 7 }]);
});

describe('restoring', () => {
  beforeEach(async () => {
    for (let i = 0; i < 12; i++) write(`${i}`, 'before');
    await save(() => {
      for (let i = 0; i < 12; i++) write(`${i}`, 'victim');
    });
  });

  it('names what would be overwritten, and overwrites it when it is forced', async () => {
    for (let i = 0; i < 12; i++) write(`${i}`, 'since');
    await expect(restoreWork(workspace, root, 'a-1', {})).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/^nothing was restored: 0, 1, 10, 11, .* and 2 more would be overwritten/),
    });
    expect((await restoreWork(workspace, root, 'a-1', { force: true })).written).toHaveLength(12);
    expect(readFileSync(join(root, '3'), 'utf8')).toBe('victim');
  });

  it('writes below a folder that is named from the current one', async () => {
    const report = await restoreWork(workspace, join(root, 'sub'), 'a-1', { to: '../elsewhere' });
    expect(report).toMatchObject({ to: join(root, 'elsewhere') });
    expect(readFileSync(join(root, 'elsewhere', '3'), 'utf8')).toBe('victim');
  });

  it('answers an unknown id with the nearest', async () => {
    await expect(restoreWork(workspace, root, 'a-2', {})).rejects.toMatchObject({ instead: 'did you mean a-1?' });
  });
});
