// What `init` wrote in a workspace, byte by byte: `init --undo` takes back this and nothing else. The record is kept in the user's own
// folder: it survives the loss of the state, and no repository can bring one along. It is written before the files are. So after a kill
// it may name files that were never written. They are not found then, and need no undoing.
import { realpathSync } from 'node:fs';
import { folderTrouble } from '../trust/user-folder.ts';
import { type RecordPlace, readRecord, removeRecord, writeRecord } from '../trust/workspace-record.ts';

export interface Written {
  /** From the root of the workspace. */
  readonly path: string;
  /** whole: a file of ours, as long as it says this. section: a part of a file, whoever made that. */
  readonly kind: 'whole' | 'section';
  /** What was written, with every line end. */
  readonly text: string;
  /** The file was there before. */
  readonly existed: boolean;
}

interface Recorded {
  readonly v: 1;
  readonly root: string;
  readonly written: readonly Written[];
}

const file = 'init.json';

export class InitRecord {
  readonly #place: RecordPlace;

  constructor({ root, userFolder }: RecordPlace) {
    this.#place = { root, userFolder };
  }

  read(): readonly Written[] {
    if (folderTrouble(this.#place.userFolder) !== null) return [];
    const recorded = readRecord<Recorded>(this.#place, file);
    // Long paths share a name.
    return recorded?.root === this.#root ? recorded.written : [];
  }

  /** Durable when it returns. */
  write(written: readonly Written[]): void {
    if (written.length === 0) removeRecord(this.#place, file);
    else writeRecord(this.#place, file, { v: 1, root: this.#root, written } satisfies Recorded);
  }

  get #root(): string {
    return realpathSync.native(this.#place.root);
  }
}
