// The files as they were before an attempt got its locks. Every grant adds a manifest. The first manifest that covers a path counts,
// because later ones may have seen the attempt's own work. A covered path that is not in the manifest did not exist. A released lock
// adds a manifest too: from then on others may change the path, and its older image means nothing any more.
import { constants, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { covers } from '../locks/covers.ts';
import { type FileResource, parseResource } from '../locks/resource.ts';
import { FileOutage } from './disk/file-outage.ts';
import { existingFolder } from './disk/private-files.ts';
import { safeName } from './disk/safe-name.ts';
import { foldersAround, isTreePath } from './disk/tree-path.ts';
import { type FileState, sha256Of } from './file-state.ts';

export interface BeforeManifest {
  readonly version: 1;
  /** Of paths and patterns, canonical. */
  readonly keys: readonly string[];
  readonly files: readonly BeforeFile[];
  readonly folders: readonly string[];
  /** Of folders; an older version did not look at them. */
  readonly folderModes?: readonly (readonly [string, number])[];
  readonly notKept: readonly NotKept[];
  /** There was too much to look at: a path that is not listed may have existed. */
  readonly cut: boolean;
  /** These keys were given back, and those were not. */
  readonly released?: { readonly keys: readonly string[]; readonly held: readonly string[] };
}

export type BeforeFile =
  | {
      readonly path: string;
      readonly kind: 'file';
      readonly mode: number;
      readonly size: number;
      /** The name of the copy, in the folder `content`. */
      readonly content: string;
      /** Tells without reading it that the file is still the same; absent when that cannot be told. */
      readonly stamp?: string;
    }
  | { readonly path: string; readonly kind: 'symlink'; readonly target: string };

/** It was there, or something below it, and cannot be put back. */
export interface NotKept {
  readonly path: string;
  /** `name`: an older version could not keep names that are no UTF-8. */
  readonly why: 'limit' | 'unreadable' | 'special' | 'symlink' | 'name' | 'changing';
  /** Of what is `special`. */
  readonly mode?: number;
  /** Tells whether the file is still the same; absent when that cannot be told. */
  readonly stamp?: string;
}

export type Before =
  | BeforeFile
  | { readonly kind: 'absent' }
  | { readonly kind: 'folder'; readonly mode: number }
  | { readonly kind: 'special'; readonly mode: number }
  | { readonly kind: 'unknown'; readonly notKept: NotKept };

/** A token is unique for all time in one folder; where a store may be lost, the caller puts the store's own id into it. */
export type Token = number | string;

export const beforeFolderNames = (token: Token): readonly [string, string] => ['before', safeName(String(token))];

/** Null: nothing was recorded for this token. @param held only what these keys cover; absent: everything. */
export function readBeforeImage(folder: string, token: Token, held?: readonly string[]): BeforeImage | null {
  const home = existingFolder(folder, ...beforeFolderNames(token));
  if (home === null) return null;
  const names = readdirSync(home).filter((name) => manifestName.test(name));
  return new BeforeImage(
    home,
    names.sort().map((name) => readManifest(join(home, name))),
    held,
  );
}

const manifestName = /^grant-\d{8}\.json$/;
export const nameOfManifest = (at: number): string => `grant-${String(at).padStart(8, '0')}.json`;

export class BeforeImage {
  readonly home: string;
  readonly grants: readonly Grant[];

  readonly #held: readonly FileResource[] | null;

  constructor(home: string, manifests: readonly BeforeManifest[], held?: readonly string[]) {
    this.home = home;
    this.grants = manifests.map((manifest) => new Grant(manifest));
    this.#held = held ? fileResources(held) : null;
  }

  /** Since it was last given back. */
  knows(key: string): boolean {
    let isKnown = false;
    for (const grant of this.grants) isKnown = !grant.releasedKeys.has(key) && (isKnown || grant.keys.has(key));
    return isKnown;
  }

  get resources(): FileResource[] {
    return this.grants.flatMap(({ resources }) => resources);
  }

  /** Undefined: no lock of this attempt is about it. */
  before(path: string): Before | undefined {
    return this.#tellerOf(path)?.before(path);
  }

  covers(path: string): boolean {
    return this.#tellerOf(path) !== undefined;
  }

  /** Every path that is known to have been there. */
  get paths(): string[] {
    return this.grants.flatMap((grant) => {
      const own = [...grant.files.keys(), ...grant.notKept.keys()];
      return own.filter((path) => this.#tellerOf(path) === grant);
    });
  }

  /** Whether a folder was there before; told by the grant that covers what is in it. */
  hadFolder(folder: string, path: string): boolean {
    const grant = this.#tellerOf(path);
    return !grant || grant.folders.has(folder) || grant.mayHaveHad(folder);
  }

  /** The mode of every folder that is its own. */
  get folderModes(): ReadonlyMap<string, number> {
    const modes = new Map<string, number>();
    for (const grant of this.grants)
      for (const [folder, mode] of grant.folderModes) if (this.#tellerOf(folder) === grant) modes.set(folder, mode);
    return modes;
  }

  async stateOf(before: Before): Promise<FileState | null> {
    if (before.kind === 'unknown') return null;
    if (before.kind === 'absent' || before.kind === 'folder' || before.kind === 'special') return before;
    if (before.kind === 'symlink') return { kind: 'symlink', target: before.target };
    const { mode, size } = before;
    return { kind: 'file', mode, size, sha256: await sha256Of(this.contentOf(before)) };
  }

  #tellerOf(path: string): Grant | undefined {
    if (this.#held && !this.#held.some((resource) => covers(resource, path))) return undefined;
    let teller: Grant | undefined;
    for (const grant of this.grants) {
      if (grant.releases(path)) teller = undefined;
      else if (teller === undefined && grant.covers(path)) teller = grant;
    }
    return teller;
  }

  contentOf(file: { readonly content: string }): string {
    return join(this.home, 'content', file.content);
  }
}

class Grant {
  readonly resources: readonly FileResource[];
  readonly files: ReadonlyMap<string, BeforeFile>;
  readonly notKept: ReadonlyMap<string, NotKept>;
  readonly folders: ReadonlySet<string>;
  readonly folderModes: readonly (readonly [string, number])[];
  readonly keys: ReadonlySet<string>;
  readonly releasedKeys: ReadonlySet<string>;
  readonly #released: readonly FileResource[];
  readonly #stillHeld: readonly FileResource[];
  readonly #cut: boolean;

  constructor({ keys, files, notKept, folders, folderModes = [], cut, released }: BeforeManifest) {
    this.keys = new Set(keys);
    this.releasedKeys = new Set(released?.keys);
    this.#released = fileResources(released?.keys ?? []);
    this.#stillHeld = fileResources(released?.held ?? []);
    this.resources = fileResources(keys);
    this.files = new Map(files.map((file) => [file.path, file]));
    this.notKept = new Map(notKept.map((one) => [one.path, one]));
    this.folders = new Set(folders);
    this.folderModes = folderModes;
    this.#cut = cut;
  }

  covers(path: string): boolean {
    return this.resources.some((resource) => covers(resource, path));
  }

  releases(path: string): boolean {
    const isAbout = (resource: FileResource) => covers(resource, path);
    return this.#released.some(isAbout) && !this.#stillHeld.some(isAbout);
  }

  before(path: string): Before {
    const file = this.files.get(path);
    if (file) return file;
    const around = [path, ...foldersAround(path)].flatMap((place) => this.notKept.get(place) ?? []);
    const [nearest] = around;
    if (nearest?.path === path && nearest.mode !== undefined) return { kind: 'special', mode: nearest.mode };
    if (nearest) return { kind: 'unknown', notKept: nearest };
    return this.#cut ? { kind: 'unknown', notKept: { path, why: 'limit' } } : { kind: 'absent' };
  }

  mayHaveHad(folder: string): boolean {
    return this.#cut || [folder, ...foldersAround(folder)].some((place) => this.notKept.has(place));
  }
}

/** Names such as `db:test` are no files, so there is nothing to keep. */
export function fileResources(keys: readonly string[]): FileResource[] {
  return keys.flatMap((key) => {
    const read = parseResource(key);
    if (!read.ok) throw new Error(`the key ${key} ${read.problem}`);
    return read.resource.kind === 'named' ? [] : [read.resource];
  });
}

function readManifest(file: string): BeforeManifest {
  // A pipe in its place is not waited for: it is empty, and so no manifest.
  const flag = (constants.O_RDONLY | constants.O_NONBLOCK) as unknown as string;
  const manifest = parse(readFileSync(file, { encoding: 'utf8', flag }));
  if (manifest) return manifest;
  throw new FileOutage('broken-manifest', `${file} is not what Signalbox wrote: nothing was put back from it.`);
}

function parse(text: string): BeforeManifest | null {
  try {
    const manifest = JSON.parse(text) as BeforeManifest;
    const isWhole =
      manifest.version === 1 &&
      manifest.files.every((one) => isTreePath(one.path) && (one.kind !== 'file' || contentName.test(one.content))) &&
      manifest.folders.every(isTreePath) &&
      (manifest.folderModes ?? []).every(([folder, mode]) => isTreePath(folder) && Number.isInteger(mode));
    return isWhole ? manifest : null;
  } catch {
    return null;
  }
}

export const contentName = /^[a-z0-9-]+$/;
