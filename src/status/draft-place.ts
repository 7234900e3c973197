// Where drafts of the files in a plan's folder lie: in `.signalbox/drafts`. An agent's `git add -A` fails on a file that is gone a moment
// after it was listed, and outputs may be committed. Only where the outputs are on another file system is a draft beside its file.
import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { privateFolder } from '../files/disk/private-files.ts';
import { pidIsAlive } from '../files/disk/write-whole.ts';
import type { OutputPlaces } from './output-places.ts';

/** Folders of outputs that nothing can be renamed into from there. */
const apart = new Set<string>();

export const draftsFolder = ({ stateFolder }: Pick<OutputPlaces, 'stateFolder'>): string =>
  privateFolder(stateFolder, 'drafts');

type NameDraft = (file: string, mark?: string) => string;

/** Names for drafts of files. The folder is made and looked at once. */
export function draftsFor({ folder, stateFolder }: OutputPlaces): NameDraft {
  const there = apart.has(folder) ? null : draftsFolder({ stateFolder });
  return (file, mark) => {
    const end = `${mark === undefined ? '' : `.${mark}`}.${process.pid}.new`;
    return there === null ? `${file}${end}` : join(there, `${basename(folder)}.${basename(file)}${end}`);
  };
}

/** A name for one. @param mark tells two of one process apart */
export const draftOf = (places: OutputPlaces, file: string, mark?: string): string => draftsFor(places)(file, mark);

/** Whether a rename or a link failed for where the draft is. From now on they are beside their files. */
export function isElsewhere({ folder }: OutputPlaces, error: unknown): boolean {
  if ((error as NodeJS.ErrnoException).code !== 'EXDEV' || apart.has(folder)) return false;
  apart.add(folder);
  return true;
}

const ours = /\.(\d+)\.new$/;

/** Removes drafts of killed processes. A living one on another host that loses its draft makes it again. */
export function sweepDrafts(places: OutputPlaces, isInUse: (file: string) => boolean): void {
  const { folder, status } = places;
  const there = draftsFolder(places);
  const all = readdirSync(there).map((name) => join(there, name));
  // Of earlier versions, or where there is another file system.
  const beside = readdirSync(folder).map((name) => join(folder, name));
  for (const file of [...all, ...beside.filter((one) => one.startsWith(status))]) {
    const pid = Number(ours.exec(file)?.[1]);
    // An earlier process with our number may have left some; what else is ours may be in use.
    const isStatus =
      file.startsWith(`${status}.`) || file.startsWith(join(there, `${basename(folder)}.${basename(status)}.`));
    const isLeft = pid === process.pid ? isStatus && !isInUse(file) : pid > 0 && !pidIsAlive(pid);
    if (isLeft) rmSync(file, { force: true });
  }
}
