// Restores the files of a stopped attempt as they were before it. Nothing is overwritten or deleted that was not saved: a file that
// somebody changed later stays, and is reported. Every step may be killed, and all of it repeated.
import { rmdirSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { type Before, type BeforeImage, readBeforeImage, type Token } from './before-image.ts';
import { onDisk, shownName } from './disk/disk-name.ts';
import { codeOf, orOutage } from './disk/file-outage.ts';
import { privateFolder } from './disk/private-files.ts';
import { severalAtOnce } from './disk/several-at-once.ts';
import { foldersAround } from './disk/tree-path.ts';
import { type FileState, modeOf, sameState, stateOf, statsOf, symlinkAround } from './file-state.ts';
import { type Difference, findDifferences } from './find-differences.ts';
import { makeFoldersAround, placeFile, removeFile, syncPlaces } from './place-file.ts';
import { findSavedByToken, type SavedFile } from './saved-manifest.ts';

export interface PutBackRequest {
  readonly root: string;
  readonly folder: string;
  readonly token: Token;
  /** The exclusive locks that it still has: nothing else is its own. Absent: all that it ever had. */
  readonly held?: readonly string[];
}

export interface PutBackReport {
  readonly restored: readonly string[];
  readonly deleted: readonly string[];
  /** What is not as it was before, each with the end of a sentence that begins with the path. */
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

export async function putBack({ root, folder, token, held }: PutBackRequest): Promise<PutBackReport> {
  return orOutage('Files could not be put back', async () => {
    const image = readBeforeImage(folder, token, held);
    if (!image) return { restored: [], deleted: [], left: [] };
    const saved = new Map(findSavedByToken(folder, token)?.files.map((file) => [file.path, file]));
    const putting = new PuttingBack(root, image, saved);
    await putting.perform();
    return putting.report;
  });
}

const isFolder = ({ before }: Difference): boolean => before.kind === 'folder';

class PuttingBack {
  readonly #root: string;
  readonly #image: BeforeImage;
  readonly #saved: ReadonlyMap<string, SavedFile>;
  readonly #restored: string[] = [];
  readonly #deleted: string[] = [];
  readonly #left: { path: string; why: string }[] = [];

  constructor(root: string, image: BeforeImage, saved: ReadonlyMap<string, SavedFile>) {
    this.#root = root;
    this.#image = image;
    this.#saved = saved;
  }

  get report(): PutBackReport {
    const left = this.#left.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    return { restored: this.#restored.toSorted(), deleted: this.#deleted, left };
  }

  /** First what is too much, because it may be in the way of the rest. */
  async perform(): Promise<void> {
    const { files, newFolders } = await findDifferences(this.#root, this.#image);
    const emptied = new Set(newFolders);
    for (const { path } of files.filter(({ was }) => was === 'new')) {
      if (!(await this.#mayReplace(path))) continue;
      await removeFile(onDisk(this.#root, path));
      this.#deleted.push(path);
      for (const around of foldersAround(path)) if (!this.#image.hadFolder(around, path)) emptied.add(around);
    }
    // A killed call has deleted files that are no longer in the list. Their folders are known from the files saved as new.
    for (const { path, was } of this.#saved.values()) {
      if (was !== 'new') continue;
      for (const around of foldersAround(path)) if (!this.#image.hadFolder(around, path)) emptied.add(around);
    }
    for (const folder of [...emptied].sort((a, b) => b.length - a.length)) this.#removeEmpty(folder);
    await this.#makeFolders();
    // Whatever was in a folder can be put back into it, and then it gets the mode that it had.
    await this.#setModes((mode) => mode | 0o700);
    const [folders, others] = [files.filter(isFolder), files.filter((file) => !isFolder(file))];
    const staging = privateFolder(this.#image.home, 'putting-back');
    await severalAtOnce(
      others.filter(({ was }) => was !== 'new'),
      (difference) => this.#restore(difference, staging),
    );
    const refused = await this.#setModes((mode) => mode);
    this.#restored.push(...folders.flatMap(({ path }) => (refused.includes(path) ? [] : path)));
    for (const path of refused) this.#left.push({ path, why: 'belongs to another user, so its mode stays' });
    await syncPlaces(this.#root, [...this.#deleted, ...this.#restored]);
  }

  async #restore({ path, before, now }: Difference, staging: string): Promise<void> {
    if (before.kind === 'special') return this.#restoreSpecial(path, before.mode, now);
    const placed = this.#placed(before);
    if (placed === null) {
      this.#left.push({ path, why: 'was not kept before it was changed, so it stays as it is' });
      return;
    }
    if (!(await this.#mayReplace(path))) return;
    const hindrance = await placeFile(this.#root, path, placed, staging);
    if (hindrance === null) this.#restored.push(path);
    else this.#left.push({ path, why: hindrance });
  }

  async #restoreSpecial(path: string, mode: number, now: FileState): Promise<void> {
    if (now.kind !== 'special') {
      this.#left.push({ path, why: 'was a FIFO, a socket or a device, which cannot be made again' });
      return;
    }
    if (!(await this.#mayReplace(path))) return;
    await chmod(onDisk(this.#root, path), mode);
    this.#restored.push(path);
  }

  /** The lock is still held: a mode that a folder got meanwhile is nobody else's. @returns where it was refused */
  async #setModes(wanted: (mode: number) => number): Promise<string[]> {
    const refused: string[] = [];
    for (const [folder, mode] of this.#image.folderModes) {
      const place = onDisk(this.#root, folder);
      const stats = symlinkAround(this.#root, folder) === null ? statsOf(place) : null;
      if (!stats?.isDirectory() || modeOf(stats) === mode || modeOf(stats) === wanted(mode)) continue;
      try {
        await chmod(place, wanted(mode));
      } catch (error) {
        if (codeOf(error) !== 'EPERM') throw error;
        refused.push(folder);
      }
    }
    return refused;
  }

  #placed(before: Before): Parameters<typeof placeFile>[2] | null {
    if (before.kind === 'symlink') return before;
    if (before.kind !== 'file') return null;
    return { kind: 'file', from: this.#image.contentOf(before), mode: before.mode };
  }

  /** Asked right before the change: the path still holds the saved version, or no content. */
  async #mayReplace(path: string): Promise<boolean> {
    const now = await stateOf(this.#root, path);
    if (now.kind === 'behind-symlink') {
      this.#left.push({ path, why: `is behind the symlink ${shownName(now.symlink)}, which is not followed` });
      return false;
    }
    if (now.kind === 'absent' || now.kind === 'folder') return true;
    const saved = this.#saved.get(path)?.saved;
    if (now.kind === 'unreadable') {
      this.#left.push({ path, why: 'may not be read, so it could not be saved and stays as it is' });
      return false;
    }
    if (saved && sameState(saved, now)) return true;
    this.#left.push({ path, why: saved ? 'was changed after it was saved' : 'was not saved, so it stays as it is' });
    return false;
  }

  #removeEmpty(folder: string): void {
    if (symlinkAround(this.#root, folder) !== null || !statsOf(onDisk(this.#root, folder))?.isDirectory()) return;
    try {
      rmdirSync(onDisk(this.#root, folder));
    } catch (error) {
      // Something of somebody else is in it.
      if (!/^(ENOTEMPTY|EEXIST|ENOENT|ENOTDIR|EBUSY)$/.test(codeOf(error))) throw error;
    }
  }

  /** Those that were empty, too. */
  async #makeFolders(): Promise<void> {
    const image = this.#image;
    const known = image.grants.flatMap(({ folders }) => [...folders]);
    for (const folder of [...new Set(known)].sort()) {
      if (!image.covers(folder) || !image.hadFolder(folder, folder) || statsOf(onDisk(this.#root, folder))) continue;
      if (makeFoldersAround(this.#root, folder) !== null) continue;
      await mkdir(onDisk(this.#root, folder), { recursive: true });
    }
  }
}
