// After an exclusive grant, and before the agent hears of it, copies the locked files. Contents are copied first, then one manifest
// gives them a meaning: a crash leaves no image, or a whole one.
import type { BigIntStats } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileResource } from '../locks/resource.ts';
import {
  type BeforeFile,
  type BeforeImage,
  type BeforeManifest,
  beforeFolderNames,
  fileResources,
  type NotKept,
  nameOfManifest,
  readBeforeImage,
  type Token,
} from './before-image.ts';
import { onDisk } from './disk/disk-name.ts';
import { codeOf, orOutage } from './disk/file-outage.ts';
import { freshName } from './disk/fresh-name.ts';
import { claimName, privateFolder, syncFile, syncFolder, writePrivate } from './disk/private-files.ts';
import { severalAtOnce } from './disk/several-at-once.ts';
import { copyWhole, modeOf, settledStamp, targetOf } from './file-state.ts';
import { type Walk, walkWorkspace } from './walk-workspace.ts';

export interface BeforeRequest {
  /** The root of the workspace. */
  readonly root: string;
  /** `.signalbox`. */
  readonly folder: string;
  readonly token: Token;
  /** Of exclusive locks. Named resources may be among them, and have no image. */
  readonly keys: readonly string[];
  readonly limits?: Partial<ImageLimits>;
}

export interface ImageLimits {
  /** Of one token. */
  readonly files: number;
  readonly bytes: number;
  /** How many files and folders are looked at for one grant. */
  readonly looks: number;
}

export interface BeforeReport {
  /** What was recorded by this call; nothing when the same keys had been recorded before. */
  readonly files: number;
  readonly bytes: number;
  /** What was there and cannot be put back. */
  readonly notKept: readonly NotKept[];
  /** There was more to look at than the limit allows. */
  readonly cut: boolean;
}

const defaultLimits: ImageLimits = { files: 10_000, bytes: 256 * 1024 * 1024, looks: 200_000 };

export async function takeBeforeImage(request: BeforeRequest): Promise<BeforeReport> {
  const { root, folder, token } = request;
  return orOutage('What was there before could not be recorded', async () => {
    const known = readBeforeImage(folder, token);
    const resources = freshResources(known, request.keys);
    if (resources.length === 0) return { files: 0, bytes: 0, notKept: [], cut: false };
    const home = privateFolder(folder, ...beforeFolderNames(token));
    const content = privateFolder(home, 'content');
    const taking = new Taking({ root, content, known, limits: { ...defaultLimits, ...request.limits } });
    try {
      await taking.take(resources);
      await taking.publish({ folder, token, home, resources });
    } catch (error) {
      // Half an image has no meaning, and on a full disk no place.
      await taking.discard().catch(() => undefined);
      throw error;
    }
    return taking.report;
  });
}

const freshResources = (known: BeforeImage | null, keys: readonly string[]): FileResource[] =>
  fileResources([...new Set(keys)]).filter(({ key }) => !known?.knows(key));

interface Place {
  readonly root: string;
  readonly content: string;
  readonly known: BeforeImage | null;
  readonly limits: ImageLimits;
}

class Taking {
  readonly #place: Place;
  /** Two may work for the same token at once. */
  readonly #own = freshName();
  readonly #copies: string[] = [];
  #files: BeforeFile[] = [];
  #notKept: NotKept[] = [];
  #walk: Walk = { files: new Map(), folders: new Map(), unseen: new Map(), cut: false };

  constructor(place: Place) {
    this.#place = place;
  }

  get report(): BeforeReport {
    const bytes = this.#files.reduce((sum, file) => sum + (file.kind === 'file' ? file.size : 0), 0);
    return { files: this.#files.length, bytes, notKept: this.#notKept, cut: this.#walk.cut };
  }

  async take(resources: readonly FileResource[]): Promise<void> {
    const { root, known, limits } = this.#place;
    this.#walk = await walkWorkspace(root, resources, limits.looks);
    for (const [path, why] of this.#walk.unseen) this.#notKept.push({ path, why });
    const room = roomLeft(known, limits);
    const copied: { readonly path: string; readonly stats: BigIntStats }[] = [];
    for (const [path, stats] of this.#walk.files) {
      if (known?.covers(path)) continue;
      const size = stats.isFile() ? Number(stats.size) : 0;
      if (!stats.isFile() && !stats.isSymbolicLink()) this.#notKept.push({ path, why: 'special', mode: modeOf(stats) });
      else if (room.files < 1 || room.bytes < size) this.#leave(path, 'limit', stats);
      else {
        room.files--;
        room.bytes -= size;
        copied.push({ path, stats });
      }
    }
    await severalAtOnce(copied, ({ path, stats }) => (stats.isFile() ? this.#copy(path, stats) : this.#link(path)));
    // In the order of the walk, whichever was copied first.
    const order = new Map(copied.map(({ path }, i) => [path, i]));
    this.#files.sort((a, b) => order.get(a.path)! - order.get(b.path)!);
    // Copies end in any order.
    this.#notKept.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  async #copy(path: string, seen: BigIntStats): Promise<void> {
    const name = `${this.#own}-${this.#copies.length}`;
    const to = join(this.#place.content, name);
    this.#copies.push(to);
    try {
      const stats = await copyWhole(onDisk(this.#place.root, path), to);
      if (!stats) return this.#leave(path, 'changing', null);
      await chmod(to, 0o600);
      await syncFile(to);
      const [mode, size] = [modeOf(stats), Number(stats.size)];
      this.#files.push({ path, kind: 'file', mode, size, content: name, ...settledStamp(stats) });
    } catch (error) {
      // Somebody removed it meanwhile: it is not there.
      if (codeOf(error) === 'ENOENT') return;
      if (!/^E(ACCES|PERM)$/.test(codeOf(error))) throw error;
      this.#leave(path, 'unreadable', seen);
    }
  }

  async #link(path: string): Promise<void> {
    this.#files.push({ path, kind: 'symlink', target: targetOf(onDisk(this.#place.root, path)) });
  }

  #leave(path: string, why: NotKept['why'], stats: BigIntStats | null): void {
    this.#notKept.push({ path, why, ...(stats ? settledStamp(stats) : {}) });
  }

  async publish(place: {
    readonly folder: string;
    readonly token: Token;
    readonly home: string;
    readonly resources: readonly FileResource[];
  }): Promise<void> {
    const { folder, token, home } = place;
    await syncFolder(this.#place.content);
    for (;;) {
      // A faster caller saw an earlier state, and its agent may be at work already.
      const known = readBeforeImage(folder, token);
      const resources = freshResources(
        known,
        place.resources.map(({ key }) => key),
      );
      this.#files = this.#files.filter(({ path }) => !known?.covers(path));
      this.#notKept = this.#notKept.filter(({ path }) => !known?.covers(path));
      if (resources.length === 0) return;
      const manifest: BeforeManifest = {
        version: 1,
        keys: resources.map(({ key }) => key),
        files: this.#files,
        folders: [...this.#walk.folders.keys()],
        folderModes: [...this.#walk.folders],
        notKept: this.#notKept,
        cut: this.#walk.cut,
      };
      const written = join(home, `writing-${freshName()}`);
      this.#copies.push(written);
      await writePrivate(written, `${JSON.stringify(manifest)}\n`);
      if (await claimName(written, join(home, nameOfManifest((known?.grants.length ?? 0) + 1)))) return;
      await rm(written);
    }
  }

  async discard(): Promise<void> {
    for (const file of this.#copies) await rm(file, { force: true });
  }
}

function roomLeft(known: BeforeImage | null, limits: ImageLimits): { files: number; bytes: number } {
  const kept = known?.grants.flatMap(({ files }) => [...files.values()]) ?? [];
  const bytes = kept.reduce((sum, file) => sum + (file.kind === 'file' ? file.size : 0), 0);
  return { files: limits.files - kept.length, bytes: limits.bytes - bytes };
}
