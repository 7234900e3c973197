// What `init --mcp` wrote into the settings of an agent: `--undo` takes back this and nothing else. There is one record for each settings
// file, in the user's own folder. It is written before the settings are. So after a kill it may tell what was never written.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { shortHash } from '../../core/model/short-hash.ts';
import { writeWhole } from '../../files/disk/write-whole.ts';
import { withOutage } from '../files/with-outage.ts';
import { folderTrouble, makeUserFolder } from '../trust/user-folder.ts';
import type { PersonalSettings } from './agent-settings.ts';
import type { Entry } from './server-text.ts';

export interface Registered {
  readonly v: 1;
  readonly file: string;
  /** The server as it stood there afterwards. */
  readonly entry: Entry;
  /** As it stood there before; null: it did not. */
  readonly was: Entry | null;
  /** The one place of the text that was changed. */
  readonly change: TextChange;
  /** Nothing was there before. */
  readonly madeFile: boolean;
  /** Outermost first. */
  readonly madeFolders: readonly string[];
  /** What was recorded before. After a kill that may be what stands there. */
  readonly earlier: Registered | null;
}

export interface TextChange {
  readonly removed: string;
  readonly inserted: string;
}

type Whose = Pick<PersonalSettings, 'agent' | 'file'>;

export class RegistrationRecord {
  readonly #folder: string | null;

  constructor(userFolder: string | null) {
    this.#folder = userFolder;
  }

  read(whose: Whose): Registered | null {
    if (folderTrouble(this.#folder) !== null) return null;
    try {
      const read = JSON.parse(readFileSync(join(this.#folder!, ...namesOf(whose)), 'utf8')) as Registered;
      return read.v === 1 && read.file === whose.file ? read : null;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (error instanceof SyntaxError || code === 'ENOENT' || code === 'ENOTDIR') return null;
      throw error;
    }
  }

  /** Durable when it returns. */
  write(whose: Whose, registered: Registered): void {
    const [room, name] = namesOf(whose);
    const folder = makeUserFolder(this.#folder, room);
    withOutage(`${folder} could not be written`, () =>
      writeWhole(join(folder, name), `${JSON.stringify(registered)}\n`, { mode: 0o600 }),
    );
  }

  remove(whose: Whose): void {
    if (this.#folder === null) return;
    const record = join(this.#folder, ...namesOf(whose));
    withOutage(`${record} could not be removed`, () => rmSync(record, { force: true }));
  }
}

const namesOf = ({ agent, file }: Whose) => ['registrations', `${agent}-${shortHash(file)}.json`] as const;

/** Where two texts differ: all between the beginning and the end that they share. */
export function changeBetween(before: string, after: string): TextChange {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return { removed: before.slice(start, before.length - end), inserted: after.slice(start, after.length - end) };
}

/** The text before it; null: the place is not found, or not only once. */
export function withoutChange(text: string, { removed, inserted }: TextChange): string | null {
  const at = text.indexOf(inserted);
  if (inserted === '' || at < 0 || text.indexOf(inserted, at + 1) >= 0) return null;
  return text.slice(0, at) + removed + text.slice(at + inserted.length);
}
