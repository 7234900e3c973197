// The user's own state folder, outside of every workspace: what is trusted, and the command that attempts find. Nothing in a
// repository can reach it. Runners hand it on in SIGNALBOX_STATE, because attempts may get another home.
import { mkdirSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { Outage } from '../../store/outage.ts';
import { withOutage } from '../files/with-outage.ts';
import { writeMistake } from '../files/write-mistake.ts';
import { Refusal } from '../refusal.ts';
import { isOther, statsOf } from './owner.ts';

const stateVariable = 'SIGNALBOX_STATE';

type Environment = Readonly<Record<string, string | undefined>>;

/** Null: the environment names no place. A relative one would be another wherever a command is called. */
export function userFolder({ [stateVariable]: own, XDG_STATE_HOME: given, HOME: home }: Environment): string | null {
  if (own && isAbsolute(own)) return own;
  if (given && isAbsolute(given)) return join(given, 'signalbox');
  return home && isAbsolute(home) ? join(home, '.local', 'state', 'signalbox') : null;
}

/** For the environment of what we start. */
export const toldState = (folder: string | null): Record<string, string> =>
  folder === null ? {} : { [stateVariable]: folder };

/** Why the folder cannot be believed; null: it is ours alone, or not there. */
export function folderTrouble(folder: string | null): string | null {
  if (folder === null) return 'HOME is not set, so there is no place outside of the workspace to keep what is yours';
  const found = statsOf(folder);
  if (!found) return null;
  if (!found.isDirectory()) return `${folder} is no folder`;
  const me = process.getuid?.();
  if (me !== undefined && found.uid !== me) return `${folder} belongs to another user (${found.uid})`;
  return found.mode & 0o022 ? `others can write to ${folder}` : null;
}

/** A folder below it, each made private. Throws a refusal with the way out where there can be none. */
export function makeUserFolder(folder: string | null, ...names: readonly string[]): string {
  const trouble = folderTrouble(folder) ?? parentTrouble(folder!);
  if (trouble !== null) throw noFolder(trouble);
  const made = join(folder!, ...names);
  try {
    withOutage(`${made} could not be made`, () => makePrivate(made));
  } catch (error) {
    const mistake = writeMistake(error instanceof Outage ? error.cause : error);
    if (mistake === undefined) throw error;
    throw noFolder(`the folder ${made} cannot be made: ${mistake}`);
  }
  // Made by another process at the same moment, it need not be ours.
  const late = folderTrouble(folder);
  if (late !== null) throw noFolder(late);
  return made;
}

/** Each by itself: below /proc, mkdir with `recursive` never returns. */
function makePrivate(folder: string): void {
  if (statsOf(folder)) return;
  if (dirname(folder) !== folder) makePrivate(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was faster; what it made is looked at by the caller.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** In the home of another user (root with the environment of somebody) nothing is made: it would be in that user's way. */
function parentTrouble(folder: string): string | null {
  const parent = dirname(folder);
  if (parent === folder) return null;
  const found = statsOf(folder);
  if (!found) return parentTrouble(parent);
  return isOther(found.uid) ? `${folder} belongs to another user (${found.uid})` : null;
}

const noFolder = (trouble: string): Refusal =>
  new Refusal(2, trouble, {
    instead: `Signalbox keeps there which state is yours; name a folder that only you can write to: ${stateVariable}=FOLDER`,
  });
