// Whether a person trusts what the repository of the workspace names: its hooks and filters run then. Kept in the user's own folder, so
// that no repository can say it of itself.
import { readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../files/write-whole.ts';
import { findGitFolders } from '../../git/git-folders.ts';
import { encodeName } from '../../status/output-places.ts';
import { withOutage } from '../files/with-outage.ts';
import { folderTrouble, makeUserFolder } from './user-folder.ts';

interface Recorded {
  /** The shared git folder, without links. */
  readonly gitFolder: string;
  /** When it was made, as the file system has it: another clone in its place is another repository. */
  readonly born: string;
}

export type GitStanding = 'none' | 'trusted' | 'untrusted';

export class GitRecord {
  readonly #root: string;
  readonly #userFolder: string | null;

  constructor({ root, userFolder }: { readonly root: string; readonly userFolder: string | null }) {
    this.#root = root;
    this.#userFolder = userFolder;
  }

  standing(): GitStanding {
    const found = this.#find();
    if (found === null) return 'none';
    if (folderTrouble(this.#userFolder) !== null) return 'untrusted';
    const recorded = this.#read();
    return recorded?.gitFolder === found.gitFolder && recorded.born === found.born ? 'trusted' : 'untrusted';
  }

  /** Durable when it returns; where there is no repository, there is nothing to trust. */
  trust(): void {
    const found = this.#find();
    if (found === null) return;
    const folder = makeUserFolder(this.#userFolder, ...this.#names);
    withOutage(`${folder} could not be written`, () =>
      writeWhole(join(folder, file), `${JSON.stringify(found)}\n`, { mode: 0o600 }),
    );
  }

  takeBack(): void {
    if (this.#userFolder === null) return;
    const record = join(this.#userFolder, ...this.#names, file);
    withOutage(`${record} could not be removed`, () => rmSync(record, { force: true }));
  }

  get #names(): readonly string[] {
    return ['workspaces', encodeName(realpathSync.native(this.#root))];
  }

  #find(): Recorded | null {
    const folders = findGitFolders(this.#root);
    const stats = folders && statSync(folders.common, { bigint: true, throwIfNoEntry: false });
    return folders && stats ? { gitFolder: folders.common, born: String(stats.birthtimeNs) } : null;
  }

  #read(): Recorded | null {
    try {
      return JSON.parse(readFileSync(join(this.#userFolder!, ...this.#names, file), 'utf8')) as Recorded;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (error instanceof SyntaxError || code === 'ENOENT' || code === 'ENOTDIR') return null;
      throw error;
    }
  }
}

const file = 'git.json';
