// Every file that keys are about, as it is in the workspace now. Symlinks are found and never followed.
import type { BigIntStats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { anyDepth, type Claim } from '../locks/claim.ts';
import { covers } from '../locks/covers.ts';
import type { FileResource } from '../locks/resource.ts';
import { nameOf, onDisk } from './disk/disk-name.ts';
import { codeOf } from './disk/file-outage.ts';
import { foldersAround, isNeverKept } from './disk/tree-path.ts';
import { modeOf, statsOf, symlinkAround } from './file-state.ts';

export interface Walk {
  /** What is no folder, by path. */
  readonly files: ReadonlyMap<string, BigIntStats>;
  /** The folders that were looked into, and those around the keys, with their modes. */
  readonly folders: ReadonlyMap<string, number>;
  /** What could not be looked at. */
  readonly unseen: ReadonlyMap<string, 'unreadable' | 'symlink'>;
  /** There is more than was looked at. */
  readonly cut: boolean;
}

export async function walkWorkspace(
  root: string,
  resources: readonly FileResource[],
  most: number = Number.POSITIVE_INFINITY,
): Promise<Walk> {
  const files = new Map<string, BigIntStats>();
  const folders = new Map<string, number>();
  const unseen = new Map<string, 'unreadable' | 'symlink'>();
  let cut = false;
  for (const resource of resources) {
    for (const claim of resource.claims) {
      const start = claim.literal.join('/');
      const around = foldersAround(start);
      if (start !== '' && symlinkAround(root, start) !== null) {
        unseen.set(start, 'symlink');
        continue;
      }
      for (const folder of around) {
        const stats = statsOf(onDisk(root, folder));
        if (stats?.isDirectory()) folders.set(folder, modeOf(stats));
      }
      await visit(start, resource, deepest(claim));
    }
  }
  return { files, folders, unseen, cut };

  /** Not recursive: how deep folders lie is not ours to decide. */
  async function visit(start: string, resource: FileResource, depth: number): Promise<void> {
    const open = [start];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (path !== '' && isNeverKept(path)) continue;
      if (files.size + folders.size >= most) {
        cut = true;
        return;
      }
      const stats = statsOf(onDisk(root, path));
      if (!stats) continue;
      if (!stats.isDirectory()) {
        if (covers(resource, path)) files.set(path, stats);
        continue;
      }
      if (path !== '') folders.set(path, modeOf(stats));
      if (path !== '' && path.split('/').length >= depth) continue;
      for (const name of (await namesIn(path)).reverse()) open.push(path === '' ? name : `${path}/${name}`);
    }
  }

  async function namesIn(path: string): Promise<string[]> {
    try {
      return (await readdir(onDisk(root, path), { encoding: 'buffer' })).map(nameOf).sort();
    } catch (error) {
      if (/^E(NOENT|NOTDIR)$/.test(codeOf(error))) return [];
      if (!/^E(ACCES|PERM)$/.test(codeOf(error))) throw error;
      unseen.set(path, 'unreadable');
      return [];
    }
  }
}

/** How many names a path that it covers can have. */
function deepest({ literal, wild }: Claim): number {
  return wild.length === 0 || wild.includes(anyDepth) ? Number.POSITIVE_INFINITY : literal.length + wild.length;
}
