// Why a named file cannot be written, where the name is wrong: the person's mistake, not an outage.
import { statSync } from 'node:fs';
import { dirname } from 'node:path';

const reasons: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'its folder does not exist'],
  ['ENOTDIR', 'its folder is a file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'this user may not write there'],
  ['EPERM', 'this user may not write there'],
  ['EROFS', 'the file system is read-only'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['ELOOP', 'a link on its way leads to itself'],
]);

/** The end of a sentence; undefined: it is something else. */
export const writeMistake = (error: unknown): string | undefined => reasons.get((error as NodeJS.ErrnoException).code);

/** Why there can be no folder of this name; undefined: it is there, or can be made. */
export function folderMistake(folder: string): string | undefined {
  try {
    return statSync(folder).isDirectory() ? undefined : 'it is a file';
  } catch (error) {
    const above = dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === folder) return writeMistake(error);
    return folderMistake(above) === undefined ? undefined : reasons.get('ENOTDIR');
  }
}
