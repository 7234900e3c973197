// Keeps an attempt's own version of everything it changed, before anything is put back. It is gathered where nobody looks and given
// its name by one rename: saved work is whole, or not there. Repeating it after a crash starts again; the tree has not changed since.
import { randomBytes } from 'node:crypto';
import { chmod, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readBeforeImage, type Token } from './before-image.ts';
import { onDisk, shownName } from './disk/disk-name.ts';
import { codeOf, orOutage } from './disk/file-outage.ts';
import { privateFolder, syncFile, syncFolder, writePrivate } from './disk/private-files.ts';
import { severalAtOnce } from './disk/several-at-once.ts';
import { copyWhole, type FileState, modeOf, sha256Of } from './file-state.ts';
import { type Difference, findDifferences } from './find-differences.ts';
import {
  findSavedByToken,
  readSaved,
  type SavedAbout,
  type SavedFile,
  type SavedManifest,
  savedIds,
  tokenOfSaved,
} from './saved-manifest.ts';

export interface SaveRequest {
  readonly root: string;
  readonly folder: string;
  readonly token: Token;
  /** The exclusive locks that it still has: nothing else is its own. Absent: all that it ever had. */
  readonly held?: readonly string[];
  readonly about: SavedAbout;
}

export interface SaveReport {
  /** Null: nothing differed, so nothing was saved. */
  readonly id: string | null;
  readonly files: number;
  /** Saved too, but they will not be put back: their before-images were beyond the limit. */
  readonly notPutBack: readonly string[];
}

export async function saveWork({ root, folder, token, held, about }: SaveRequest): Promise<SaveReport> {
  return orOutage('The work of an attempt could not be saved', async () => {
    const earlier = findSavedByToken(folder, token);
    if (earlier) return reportOf(earlier);
    const image = readBeforeImage(folder, token, held);
    const { files } = image ? await findDifferences(root, image) : { files: [] };
    if (!image || files.length === 0) return { id: null, files: 0, notPutBack: [] };
    const gathering = privateFolder(image.home, `saving-${randomBytes(6).toString('hex')}`);
    try {
      const kept = await gather(root, files, privateFolder(gathering, 'content'));
      return reportOf(await publish({ folder, gathering, token: String(token), about, files: kept }));
    } finally {
      await rm(gathering, { recursive: true, force: true });
    }
  });
}

const reportOf = ({ id, files }: SavedManifest): SaveReport => ({
  id,
  files: files.length,
  notPutBack: files.filter(({ before }) => before === null).map(({ path }) => path),
});

async function gather(root: string, differences: readonly Difference[], content: string): Promise<SavedFile[]> {
  const kept: SavedFile[] = [];
  const numbered = differences.map((difference, i) => ({ difference, name: String(i + 1).padStart(6, '0') }));
  await severalAtOnce(numbered, async ({ difference, name }) => {
    const saved = await copyVersion(root, difference, join(content, name));
    kept.push(savedFile(difference, saved, saved.kind === 'file' ? name : null));
  });
  await syncFolder(content);
  return kept.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The copy counts: it may be newer than the file that was compared. */
async function copyVersion(root: string, { path, before, now }: Difference, to: string): Promise<FileState> {
  // Of a folder there is only its mode to be saved, and of one in the place of a file only what is in it.
  if (now.kind === 'folder' && before.kind === 'folder') return now;
  if (now.kind === 'absent' || now.kind === 'folder' || now.kind === 'behind-symlink') return { kind: 'absent' };
  if (now.kind !== 'file') return now;
  const from = onDisk(root, path);
  try {
    const stats = await copyWhole(from, to);
    if (!stats)
      throw Object.assign(new Error(`${join(root, shownName(path))} is being written all the time`), { code: 'EBUSY' });
    await chmod(to, 0o600);
    await syncFile(to);
    return { kind: 'file', mode: modeOf(stats), size: Number(stats.size), sha256: await sha256Of(to) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { kind: 'absent' };
    throw error;
  }
}

function savedFile({ path, was, stateBefore }: Difference, saved: FileState, content: string | null): SavedFile {
  const withMode = saved.kind === 'absent' ? stateBefore : saved;
  return {
    path,
    was: saved.kind === 'absent' ? 'deleted' : was,
    mode: (withMode && 'mode' in withMode ? withMode.mode : null) ?? null,
    saved,
    content,
    before: stateBefore,
  };
}

interface Publishing {
  readonly folder: string;
  readonly gathering: string;
  readonly token: string;
  readonly about: SavedAbout;
  readonly files: readonly SavedFile[];
}

async function publish({ folder, gathering, token, about, files }: Publishing): Promise<SavedManifest> {
  const home = privateFolder(folder, 'saved');
  const { attempt, task, plan, reason } = about;
  const written = join(gathering, 'manifest.json');
  for (const id of savedIds(about)) {
    const owner = tokenOfSaved(folder, id);
    // Somebody else was faster with the same work: nothing of it is older or newer.
    if (owner === token) return readSaved(folder, id)!;
    if (owner !== null) continue;
    const at = new Date(about.at).toISOString();
    const manifest: SavedManifest = { version: 1, id, token, attempt, task, plan, at, reason, files };
    await rm(written, { force: true });
    await writePrivate(written, `${JSON.stringify(manifest, null, 2)}\n`);
    await syncFolder(gathering);
    try {
      // Fails where something is: a folder that is not empty is never replaced.
      await rename(gathering, join(home, id));
    } catch (error) {
      if (!/^(ENOTEMPTY|EEXIST|ENOTDIR)$/.test(codeOf(error))) throw error;
      if (tokenOfSaved(folder, id) === token) return readSaved(folder, id)!;
      continue;
    }
    await syncFolder(home);
    return manifest;
  }
  throw new Error('there is always another id');
}
