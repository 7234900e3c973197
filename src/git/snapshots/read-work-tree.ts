// The files of the workspace as one tree in our own repository. A repository inside the workspace is read like any folder: git itself
// would only note its last commit.
import { createHash } from 'node:crypto';
import { accessSync, constants, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { GitTrouble } from '../git-caller.ts';
import type { OwnRepository } from './own-repository.ts';

export interface WorkTree {
  /** The folder that patterns of ignored files are about. */
  readonly top: string;
  /** The workspace: `top`, or a folder in it. */
  readonly root: string;
  /** A file with patterns. */
  readonly excludesFile: string;
  /** Null terminated paths that count although a pattern ignores them. */
  readonly also: Buffer;
  readonly isApart: (path: Buffer) => boolean;
}

export interface TreeRead {
  readonly tree: string;
  /** Ignored files and folders, by their paths from the root; folders end with a slash. */
  readonly ignored: readonly Buffer[];
  /** Folders of packages, in the same way. */
  readonly packages: readonly Buffer[];
  /** Files that may not be read, and are not in the tree. */
  readonly unread: readonly Buffer[];
}

export async function readWorkTree(own: OwnRepository, work: WorkTree): Promise<TreeRead> {
  const { top, root, excludesFile, isApart } = work;
  const how = ['-z', `--exclude-from=${excludesFile}`, '--exclude-per-directory=.gitignore'];
  const name = createHash('sha256').update(`${top}\0${root}`).digest('hex').slice(0, 16);
  return own.withIndex(name, async (index) => {
    const variables = { GIT_WORK_TREE: top, GIT_INDEX_FILE: index };
    const listAll = (...args: string[]) =>
      own.names({ args: ['ls-files', ...how, '--others', ...args], variables }, root);
    const all = (await listAll('--cached')).filter((path) => !isApart(path));
    const inside = all.filter(isFolder);
    const files = Buffer.concat([...all.filter((path) => !isFolder(path)).flatMap((path) => [path, end]), work.also]);
    const unread = await update(own, { root, variables, files });
    const hidden = await listAll('--ignored', '--directory', '--no-empty-directory');
    const ignored = hidden.filter((path) => !isApart(path));
    const packages = hidden.filter(isPackages);
    let tree = await own.line({ args: ['write-tree'], variables });
    for (const folder of inside) {
      const nested = await readNested(own, work, folder);
      ignored.push(...nested.ignored.map((path) => Buffer.concat([folder, path])));
      packages.push(...nested.packages.map((path) => Buffer.concat([folder, path])));
      unread.push(...nested.unread.map((path) => Buffer.concat([folder, path])));
      tree = await joined(own, {
        tree,
        nested: nested.tree,
        at: join(root.slice(top.length), folder.toString('utf8')),
      });
    }
    return { tree, ignored, packages, unread };
  });
}

const end = Buffer.of(0);
const isFolder = (path: Buffer): boolean => path.at(-1) === 0x2f;
const isPackages = (path: Buffer): boolean => /(?:^|\/)node_modules\/$/.test(path.toString('latin1'));

function readNested(own: OwnRepository, { root, isApart, ...work }: WorkTree, folder: Buffer): Promise<TreeRead> {
  const name = folder.toString('utf8');
  if (!Buffer.from(name).equals(folder))
    throw new GitTrouble('a repository in the workspace has a name that is no UTF-8');
  const nested = join(root, name);
  return readWorkTree(own, {
    ...work,
    top: nested,
    root: nested,
    also: Buffer.alloc(0),
    isApart: (path) => isApart(Buffer.concat([folder, path])),
  });
}

async function joined(own: OwnRepository, one: { tree: string; nested: string; at: string }): Promise<string> {
  return own.withNewIndex(async (index) => {
    const variables = { GIT_INDEX_FILE: index, GIT_WORK_TREE: own.folder };
    await own.run({ args: ['read-tree', one.tree], variables });
    await own.run({ args: ['read-tree', `--prefix=${one.at.replace(/^\/|\/$/g, '')}/`, one.nested], variables });
    return own.line({ args: ['write-tree'], variables });
  });
}

interface Updating {
  readonly root: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Null terminated. */
  readonly files: Buffer;
}

/** @returns what may not be read */
async function update(own: OwnRepository, { root, variables, files }: Updating): Promise<Buffer[]> {
  const args = ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'];
  try {
    await own.run({ args, input: files, variables }, root);
    return [];
  } catch (error) {
    if (!(error instanceof GitTrouble)) throw error;
  }
  // Git gives up at what it cannot take: a FIFO, a file behind a symlink, one that may not be read. It goes on without those.
  const taken: Buffer[] = [];
  const gone: Buffer[] = [];
  const unread: Buffer[] = [];
  for (const path of split(files)) {
    const kind = kindOf(root, path);
    (kind === 'file' ? taken : gone).push(path, end);
    if (kind === 'unreadable') unread.push(path);
  }
  const removing = ['update-index', '-z', '--force-remove', '--stdin'];
  await own.run({ args: removing, input: Buffer.concat(gone), variables }, root);
  await own.run({ args, input: Buffer.concat(taken), variables }, root);
  return unread;
}

function* split(files: Buffer): Generator<Buffer> {
  for (let at = 0; at < files.length; ) {
    const next = files.indexOf(0, at);
    yield files.subarray(at, next);
    at = next + 1;
  }
}

function kindOf(root: string, path: Buffer): 'file' | 'unreadable' | 'none' {
  const file = Buffer.concat([Buffer.from(`${root}/`), path]);
  try {
    for (let at = path.indexOf(0x2f); at !== -1; at = path.indexOf(0x2f, at + 1)) {
      const folder = file.subarray(0, root.length + 1 + at);
      if (!lstatSync(folder).isDirectory()) return 'none';
    }
    const stats = lstatSync(file);
    if (stats.isFile()) accessSync(file, constants.R_OK);
    return stats.isFile() || stats.isSymbolicLink() ? 'file' : 'none';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? 'unreadable' : 'none';
  }
}
