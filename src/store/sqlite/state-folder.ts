// The folder of the state and the files in it: made private, ignored by git, and never followed through a symlink that
// somebody planted. Looks at the database only from outside: opening and closing it here would drop the locks that this
// process's own connections hold on it (POSIX locks belong to the process, not to the file handle).
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Outage } from '../outage.ts';
import { networkFileSystem } from './network-file-system.ts';
import { codeOf } from './sqlite-outage.ts';

export interface StateFiles {
  readonly folder: string;
  readonly database: string;
  readonly wal: string;
  readonly shm: string;
}

export function stateFiles(folder: string): StateFiles {
  const database = join(resolve(folder), 'state.db');
  return { folder: resolve(folder), database, wal: `${database}-wal`, shm: `${database}-shm` };
}

/** Throws for what must not be touched, and changes nothing. */
export function refuseUnsafe({ folder, database, wal, shm }: StateFiles): void {
  const kind = lstatSync(folder, { throwIfNoEntry: false });
  if (kind && !kind.isDirectory()) throw unsafe(folder, kind.isSymbolicLink(), 'folder');
  // SQLite looks for a journal of its older mode before anything else, and would wait for a pipe there.
  for (const file of [database, wal, shm, `${database}-journal`]) {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (stat && !stat.isFile()) throw unsafe(file, stat.isSymbolicLink(), 'file');
  }
  refuseNetwork(folder);
}

/** Makes the folder (0700), its `.gitignore` and an empty database (0600; SQLite gives -wal and -shm the same mode). */
export function createFiles({ folder, database }: StateFiles): void {
  // Not recursive: the workspace around it exists, and on a read-only disk that variant throws a misleading ENOENT.
  ifAbsent(() => mkdirSync(folder, { mode: 0o700 }));
  ifAbsent(() => writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 }));
  ifAbsent(() => closeSync(openSync(database, 'wx', 0o600)));
}

/** Of the folder, or while it does not exist, of the nearest one around it. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(nearest(folder));
  return bavail * bsize;
}

function refuseNetwork(folder: string): void {
  if (process.platform !== 'linux') return;
  const place = nearest(folder);
  const mounts = () => readFileSync('/proc/self/mountinfo', 'utf8');
  const name = networkFileSystem(statfsSync(place).type, mounts, place);
  if (name === null) return;
  throw new Outage(
    'network-file-system',
    `${folder} lies on a network file system (${name}), where SQLite databases break when several processes use them. ` +
      'Work in a folder on a local disk, or share a PostgreSQL database between machines.',
  );
}

function nearest(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));
}

/** Neither mkdir nor `wx` follows a symlink or touches what is there. */
function ifAbsent(create: () => void): void {
  try {
    create();
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function unsafe(path: string, symlink: boolean, expected: 'folder' | 'file'): Outage {
  const found = symlink ? 'a symlink' : `no plain ${expected}`;
  return new Outage(
    'unsafe-path',
    `${path} is ${found}, and the state is not written through it: whoever put it there could redirect it. ` +
      `Remove it, and Signalbox makes a ${expected} of its own.`,
  );
}
