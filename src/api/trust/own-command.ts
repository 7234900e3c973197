// The `signalbox` command that attempts find: a two-line script in the user's own folder, written anew each time. A workspace has no
// say in what is on the PATH.
import { join } from 'node:path';
import { shortHash } from '../../core/model/short-hash.ts';
import { writeWhole } from '../../files/disk/write-whole.ts';
import { withOutage } from '../files/with-outage.ts';
import { makeUserFolder } from './user-folder.ts';

export interface OwnCommand {
  /** The Node to run it with. */
  readonly nodePath: string;
  readonly launcher: string;
}

/** The folder that goes on the PATH. Installations have one each, so that two of them take nothing from each other. */
export function installCommand(userFolder: string | null, { nodePath, launcher }: OwnCommand): string {
  const text = `#!/bin/sh\nexec ${quoted(nodePath)} ${quoted(launcher)} "$@"\n`;
  const folder = makeUserFolder(userFolder, 'bin', shortHash(text));
  // Replaced in one step: an attempt may be about to run it.
  withOutage(`${folder} could not be written`, () => writeWhole(join(folder, 'signalbox'), text, { mode: 0o755 }));
  return folder;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
