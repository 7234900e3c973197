// A settings file of a person, which belongs to a program of theirs: read, and looked at before the first write. A link is followed,
// because people keep such files elsewhere.
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { SettingsMistake } from '../../agents/config/settings-mistake.ts';
import { readNotes } from '../files/read-text.ts';
import { realPath } from '../files/real-path.ts';
import { nothing, notWritable } from '../init/own-place.ts';
import { Refusal } from '../refusal.ts';
import { otherOwner, statsOf } from '../trust/owner.ts';
import type { ServerText } from './server-text.ts';

/** Null: nothing is there. */
export function readPersonal(file: string): string | null {
  const found = statsOf(file);
  if (!found) return null;
  if (found.isSymbolicLink() && !statsOf(realPath(file))?.isFile())
    throw refused(file, 'is a link that leads to no file');
  if (found.isDirectory()) throw refused(file, 'is a folder');
  const other = otherOwner(file);
  if (other !== null) throw refused(file, `belongs to another user (${other})`);
  return readNotes(realPath(file), file);
}

/** Also where it has to be made, with the folders above it. */
export function refuseUnwritable(file: string): void {
  const real = realPath(file);
  if (statsOf(dirname(file)) && !statsOf(dirname(real)))
    throw refused(file, `cannot be written: ${dirname(file)} is a link that leads nowhere`);
  const folder = standing(dirname(real));
  const other = otherOwner(folder);
  if (other !== null) throw refused(file, `cannot be written: ${folder} belongs to another user (${other})`);
  if (!statSync(folder).isDirectory()) throw refused(file, `cannot be written: ${folder} is no folder`);
  for (const place of statsOf(real) ? [real, folder] : [folder]) {
    const because = notWritable(place);
    if (because !== null) throw refused(file, place === real ? because : `cannot be written: ${place} ${because}`);
  }
}

/** The folders that are missing above it, outermost first. */
export function missingFolders(file: string): readonly string[] {
  const folder = dirname(file);
  return statsOf(folder) ? [] : [...missingFolders(folder), folder];
}

/** The nearest folder that is there. */
const standing = (folder: string): string => (statsOf(folder) ? realPath(folder) : standing(dirname(folder)));

/** What cannot be read is named with its line, and left alone. */
function understood<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingsMistake)) throw error;
    throw new Refusal(3, `${file}, line ${error.line}: ${error.message}; ${nothing}`, {
      instead: 'put that line right, and try again',
    });
  }
}

/** The same three functions, with every mistake as a refusal that names the file. */
export const guarded = (file: string, text: ServerText): ServerText => ({
  find: (all) => understood(file, () => text.find(all)),
  set: (all, entry) => understood(file, () => text.set(all, entry)),
  cut: (all) => understood(file, () => text.cut(all)),
});

const refused = (file: string, because: string): Refusal =>
  new Refusal(2, `${file} ${because}; ${nothing}`, { instead: 'put that right, and try again' });
