// Which state is ours: for each workspace, a record in the user's own folder names the store that this user made there. Whatever a
// clone, an archive or another user brings has none, or another one, and is never acted on.
import { type BigIntStats, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { folderTrouble } from './user-folder.ts';
import { type RecordPlace, readRecord, writeRecord } from './workspace-record.ts';

export interface RecordParts extends RecordPlace {
  /** `.signalbox` of the workspace. */
  readonly stateFolder: string;
}

interface Recorded {
  /** Of the workspace, without links: a workspace that was moved or copied is another one. */
  readonly root: string;
  /** The id that the store was made with. */
  readonly store: string;
  /** When the file of the database was made, as the file system has it: a file that git or an archive put there is another one. */
  readonly born: string;
  /** It was trusted: what its plans say is compared with their files before anything of it runs (open-store.ts). */
  readonly isUncompared?: true;
}

export type Standing =
  | { readonly kind: 'none' }
  /** Its store has to have this id. */
  | { readonly kind: 'own'; readonly store: string; readonly isUncompared: boolean }
  | { readonly kind: 'foreign'; readonly because: string };

export const unknown = 'nothing says that you made it here';
export const replaced = 'it is another one than you made here';

export class StateRecord {
  readonly #parts: RecordParts;

  constructor(parts: RecordParts) {
    this.#parts = parts;
  }

  /** What there is to be said without opening the database. An empty one has nothing to believe. */
  standing(): Standing {
    const database = this.#stat();
    if (!database || database.size === 0n) return { kind: 'none' };
    const trouble = folderTrouble(this.#parts.userFolder);
    if (trouble !== null) return { kind: 'foreign', because: trouble };
    const recorded = this.#read();
    if (!recorded) return { kind: 'foreign', because: unknown };
    if (recorded.born !== bornOf(database))
      return { kind: 'foreign', because: 'its file is not the one that you made here' };
    return { kind: 'own', store: recorded.store, isUncompared: recorded.isUncompared === true };
  }

  /** Whether this user ever made or trusted state here. */
  isKnown(): boolean {
    return folderTrouble(this.#parts.userFolder) === null && this.#read() !== null;
  }

  /** Durable when it returns. @param store empty while there is none: what else lies in the state folder is ours then. */
  claim(store: string, isUncompared = false): void {
    const root = realpathSync.native(this.#parts.root);
    const recorded: Recorded = { root, store, born: bornOf(this.#stat()), ...(isUncompared ? { isUncompared } : {}) };
    writeRecord(this.#parts, file, recorded);
  }

  /** Behind a link to itself, or in a folder that is closed to us, there is nothing for us; opening it says why. */
  #stat(): BigIntStats | undefined {
    try {
      return statSync(join(this.#parts.stateFolder, 'state.db'), { bigint: true, throwIfNoEntry: false });
    } catch (error) {
      if (/^(ELOOP|EACCES)$/.test((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw error;
    }
  }

  #read(): Recorded | null {
    const recorded = readRecord<Recorded>(this.#parts, file);
    // Long paths share a name.
    return recorded?.root === realpathSync.native(this.#parts.root) ? recorded : null;
  }
}

const file = 'state.json';

const bornOf = (stats: BigIntStats | undefined): string => String(stats?.birthtimeNs ?? '');
