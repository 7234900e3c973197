// Every step killed at every kind of moment, in a real process, and then repeated: what was there before and what the attempt made of it
// are never mixed in one file, saved work is whole or absent, and in the end nothing is lost.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { about, removeScratchTrees, ScratchTree } from '../../test/rigs/scratch-tree.ts';
import { readBeforeImage } from './before-image.ts';
import { putBack } from './put-back.ts';
import { saveWork } from './save-work.ts';
import { contentFile, listSaved } from './saved-manifest.ts';
import { takeBeforeImage } from './take-before-image.ts';

const script = fileURLToPath(new URL('../../test/rigs/killed-process.ts', import.meta.url));
afterAll(removeScratchTrees);

const aTree = () =>
  new ScratchTree({
    ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`src/${i}.ts`, `old ${i} `.repeat(1000 * i)])),
    'src/folder/x': 'x',
    'src/file': 'file',
    'lib/a.ts': 'a',
    'lib/b.ts': 'b',
  });

function change(tree: ScratchTree): void {
  for (let i = 0; i < 8; i++) tree.write(`src/${i}.ts`, `new ${i} `.repeat(1000 * (8 - i)), i % 2 ? 0o755 : 0o600);
  rmSync(tree.at('src/9.ts'));
  rmSync(tree.at('src/folder'), { recursive: true });
  tree.write('src/folder', 'now a file');
  rmSync(tree.at('src/file'));
  tree.write('src/file/deep/y', 'now a folder');
  tree.link('lib/link', 'a.ts');
  tree.write('lib/new.ts', 'new');
}

interface Ended {
  readonly calls: number | null;
  readonly failed: string | null;
}

/** @param killAfterMs from when it begins to work; negative: only where it kills itself. */
async function perform(step: string, tree: ScratchTree, nth = 0, killAfterMs = -1): Promise<Ended> {
  const child = spawn(process.execPath, [script, step, tree.root, String(nth)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk) => {
    if (killAfterMs >= 0 && !said.includes('ready')) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    said += chunk;
  });
  await new Promise((done) => child.on('close', done));
  const calls = /calls (\d+)/.exec(said)?.[1];
  return { calls: calls === undefined ? null : Number(calls), failed: /failed (.*)/.exec(said)?.[1] ?? null };
}

/** The same without a process of its own, for what is not killed. */
async function finish(tree: ScratchTree, ...steps: readonly ('take' | 'save' | 'put')[]): Promise<void> {
  for (const step of steps) {
    if (step === 'take') await takeBeforeImage({ ...tree, token: 7, keys: ['src', 'lib/**'] });
    if (step === 'save') await saveWork({ ...tree, token: 7, about: about() });
    if (step === 'put') expect((await putBack({ ...tree, token: 7 })).left).toEqual([]);
  }
}

type All = Record<string, string>;

function expectNothingMixed(tree: ScratchTree, before: All, after: All): void {
  for (const [path, what] of Object.entries(tree.all())) {
    if (what !== 'folder') expect([before[path], after[path]], path).toContain(what);
  }
}

function expectSavedWhole(tree: ScratchTree, after: All): boolean {
  const all = listSaved(tree.folder);
  expect(all.length).toBeLessThanOrEqual(1);
  for (const { id, files } of all) {
    expect(readdirSync(join(tree.folder, 'saved'))).toEqual([id]);
    expect(files.map(({ path, was }) => `${was} ${path}`)).toHaveLength(15);
    for (const { path, saved, content } of files) {
      if (saved.kind !== 'file') continue;
      const bytes = readFileSync(contentFile(tree.folder, id, content!));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(saved.sha256);
      expect(`${saved.mode.toString(8)} ${bytes.toString('base64')}`).toBe(after[path]);
    }
  }
  return all.length === 1;
}

/** A few moments in `npm test`, many in `npm run prove -- kill-parts`. */
const many = process.env.SIGNALBOX_LONG === '1' ? 12 : 2;

/** Moments from the first call to the last, so that every kind of call is among them. */
const moments = (calls: number, many: number) => [
  ...new Set(Array.from({ length: many }, (_, i) => 1 + Math.floor((i * calls) / many))),
];

async function inPairs<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const worker = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all([worker(), worker()]);
}

describe('killed in the middle', () => {
  const imaged = async () => {
    const tree = aTree();
    const before = tree.all();
    await finish(tree, 'take');
    change(tree);
    return { tree, before, after: tree.all() };
  };

  it('an image is whole or not there', async () => {
    const { calls } = await perform('take', aTree());
    await inPairs(moments(calls!, 3 * many), async (nth) => {
      const tree = aTree();
      const before = tree.all();
      expect(await perform('take', tree, nth)).toEqual({ calls: null, failed: null });
      const grants = readBeforeImage(tree.folder, 7)?.grants ?? [];
      if (grants.length > 0) expect(grants[0]!.files.size).toBe(16);
      await finish(tree, 'take');
      change(tree);
      const after = tree.all();
      await finish(tree, 'save');
      expect(expectSavedWhole(tree, after)).toBe(true);
      await finish(tree, 'put');
      expect(tree.all()).toEqual(before);
    });
  });

  it('saved work is whole or not there', async () => {
    const { calls } = await perform('save', (await imaged()).tree);
    const seen = { saved: 0, absent: 0 };
    await inPairs(moments(calls!, 3 * many), async (nth) => {
      const { tree, before, after } = await imaged();
      expect(await perform('save', tree, nth)).toEqual({ calls: null, failed: null });
      seen[expectSavedWhole(tree, after) ? 'saved' : 'absent']++;
      expect(tree.all()).toEqual(after);
      await finish(tree, 'save');
      expect(expectSavedWhole(tree, after)).toBe(true);
      await finish(tree, 'put');
      expect(tree.all()).toEqual(before);
    });
    expect(seen.absent).toBeGreaterThan(2 * many);
  });

  it('files are as before or as saved, also when it is killed again and again', async () => {
    const first = await imaged();
    await finish(first.tree, 'save');
    const { calls } = await perform('put', first.tree);
    await inPairs(moments(calls!, many), async (nth) => {
      const { tree, before, after } = await imaged();
      await finish(tree, 'save');
      for (const at of [nth, Math.ceil(nth / 2), Math.ceil(nth / 3)]) {
        expect((await perform('put', tree, at)).failed).toBeNull();
        expectNothingMixed(tree, before, after);
        expect(expectSavedWhole(tree, after)).toBe(true);
      }
      await finish(tree, 'put');
      expect(tree.all()).toEqual(before);
      expect(expectSavedWhole(tree, after)).toBe(true);
    });
  });

  it('from outside, at any time, and then all of it at once in two processes', async () => {
    await inPairs(Array.from({ length: many }), async () => {
      const tree = aTree();
      const before = tree.all();
      await perform('take', tree, 0, Math.random() * 30);
      await Promise.all([perform('take', tree), perform('take', tree)]);
      change(tree);
      const after = tree.all();
      await perform('save', tree, 0, Math.random() * 60);
      expect(tree.all()).toEqual(after);
      const saving = await Promise.all([perform('save', tree), perform('save', tree)]);
      expect(saving.map(({ failed }) => failed)).toEqual([null, null]);
      expect(expectSavedWhole(tree, after)).toBe(true);
      await perform('put', tree, 0, Math.random() * 60);
      expectNothingMixed(tree, before, after);
      const putting = await Promise.all([perform('put', tree), perform('put', tree)]);
      expect(putting.map(({ failed }) => failed)).toEqual([null, null]);
      expect(tree.all()).toEqual(before);
      expect(expectSavedWhole(tree, after)).toBe(true);
    });
  });
});
