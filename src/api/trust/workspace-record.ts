// What is written down about one workspace in the user's own folder, where no repository can reach it: one small JSON file for each matter.
import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../files/disk/write-whole.ts';
import { encodeName } from '../../status/output-places.ts';
import { withOutage } from '../files/with-outage.ts';
import { makeUserFolder } from './user-folder.ts';

export interface RecordPlace {
  readonly root: string;
  readonly userFolder: string | null;
}

/** Null: nothing readable is there. Long paths share a name, so a record that can be mixed up names its workspace too. */
export function readRecord<T>({ root, userFolder }: RecordPlace, file: string): T | null {
  if (userFolder === null) return null;
  try {
    return JSON.parse(readFileSync(join(userFolder, ...namesOf(root), file), 'utf8')) as T;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof SyntaxError || code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/** Durable when it returns. */
export function writeRecord({ root, userFolder }: RecordPlace, file: string, recorded: object): void {
  const folder = makeUserFolder(userFolder, ...namesOf(root));
  withOutage(`${folder} could not be written`, () =>
    writeWhole(join(folder, file), `${JSON.stringify(recorded)}\n`, { mode: 0o600 }),
  );
}

export function removeRecord({ root, userFolder }: RecordPlace, file: string): void {
  if (userFolder === null) return;
  const record = join(userFolder, ...namesOf(root), file);
  withOutage(`${record} could not be removed`, () => rmSync(record, { force: true }));
}

/** Without links: a workspace that was moved or copied is another one. */
const namesOf = (root: string): readonly string[] => ['workspaces', encodeName(realpathSync.native(root))];
