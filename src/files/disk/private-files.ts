// Files below `.signalbox` with people's work in them: private (0700, 0600), never written through a planted symlink, and on disk
// before anything refers to them.
import {
  close as closeFile,
  link as linkFile,
  lstatSync,
  mkdirSync,
  open as openFile,
  type PathLike,
  rm as removeFile,
  rename as renameFile,
  fsync as syncDescriptor,
  writeFile as writeWhole,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { codeOf, FileOutage } from './file-outage.ts';

// Node's own with callbacks: `node:fs/promises` loads line editing and folder watching first, 3 ms of every hook that an edit waits for.
const close = promisify(closeFile);
const fsync = promisify(syncDescriptor);
const link = promisify(linkFile);
const open = promisify(openFile);
const rename = promisify(renameFile);
const rm = promisify(removeFile);
const writeFile = promisify(writeWhole);

/** The folder at the end of `names`, each made if it is not there. */
export function privateFolder(base: string, ...names: readonly string[]): string {
  let folder = base;
  for (const name of ['', ...names]) {
    folder = join(folder, name);
    if (!lstatSync(folder, { throwIfNoEntry: false })) makeFolder(folder);
    refuseSymlink(folder);
  }
  return folder;
}

/** Another process may be faster. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** The folder at the end of `names`, or null while it is not there. Creates nothing. */
export function existingFolder(base: string, ...names: readonly string[]): string | null {
  let folder = base;
  for (const name of ['', ...names]) {
    folder = join(folder, name);
    if (!lstatSync(folder, { throwIfNoEntry: false })) return null;
    refuseSymlink(folder);
  }
  return folder;
}

function refuseSymlink(folder: string): void {
  if (lstatSync(folder).isDirectory()) return;
  throw new FileOutage(
    'unsafe-path',
    `${folder} is no plain folder, and nothing is kept behind it: whoever put it there could redirect it. Remove it, and Signalbox makes a folder of its own.`,
  );
}

export async function writePrivate(file: string, text: string): Promise<void> {
  const descriptor = await open(file, 'wx', 0o600);
  try {
    await writeFile(descriptor, text);
    await fsync(descriptor);
  } finally {
    await close(descriptor);
  }
}

/** Gives a whole file its name, unless that is taken: false then, and the file stays where it is. */
export async function claimName(file: string, name: string): Promise<boolean> {
  try {
    await link(file, name);
    await rm(file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // A file system without hard links: all we can do against two at once is to look first.
    if (!/^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/.test(codeOf(error))) throw error;
    if (lstatSync(name, { throwIfNoEntry: false })) return false;
    await rename(file, name);
  }
  await syncFolder(dirname(name));
  return true;
}

export async function syncFile(file: PathLike): Promise<void> {
  const descriptor = await open(file, 'r');
  try {
    await fsync(descriptor);
  } finally {
    await close(descriptor);
  }
}

/** Makes new names durable; some file systems refuse to, and then they are as durable as those make them. */
export async function syncFolder(folder: PathLike): Promise<void> {
  try {
    await syncFile(folder);
  } catch (error) {
    if (!/^(EINVAL|EPERM|ENOTSUP|EISDIR)$/.test(codeOf(error))) throw error;
  }
}
