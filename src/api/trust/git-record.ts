// Whether a person trusts what the repository of the workspace names: its hooks and filters run then. Kept in the user's own folder, so
// that no repository can say it of itself.
import { statSync } from 'node:fs';
import { findGitFolders } from '../../git/git-folders.ts';
import { folderTrouble } from './user-folder.ts';
import { type RecordPlace, readRecord, removeRecord, writeRecord } from './workspace-record.ts';

interface Recorded {
  /** The shared git folder, without links. */
  readonly gitFolder: string;
  /** When it was made, as the file system has it: another clone in its place is another repository. */
  readonly born: string;
}

export type GitStanding = 'none' | 'trusted' | 'untrusted';

export class GitRecord {
  readonly #place: RecordPlace;

  constructor({ root, userFolder }: RecordPlace) {
    this.#place = { root, userFolder };
  }

  standing(): GitStanding {
    const found = this.#find();
    if (found === null) return 'none';
    if (folderTrouble(this.#place.userFolder) !== null) return 'untrusted';
    const recorded = readRecord<Recorded>(this.#place, file);
    return recorded?.gitFolder === found.gitFolder && recorded.born === found.born ? 'trusted' : 'untrusted';
  }

  /** Durable when it returns; where there is no repository, there is nothing to trust. */
  trust(): void {
    const found = this.#find();
    if (found !== null) writeRecord(this.#place, file, found);
  }

  takeBack(): void {
    removeRecord(this.#place, file);
  }

  #find(): Recorded | null {
    const folders = findGitFolders(this.#place.root);
    const stats = folders && statSync(folders.common, { bigint: true, throwIfNoEntry: false });
    return folders && stats ? { gitFolder: folders.common, born: String(stats.birthtimeNs) } : null;
  }
}

const file = 'git.json';
