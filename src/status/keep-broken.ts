// Keeps an unusable file, or one of another program, under another name before it is replaced. A person can then look at it. A hard link does
// it: the file exists at every moment, and a second call sees that it is kept already.
import { copyFileSync, linkSync, lstatSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

export interface Kept {
  readonly place: string;
  /** False: it was kept before. */
  readonly isNew: boolean;
}

/** Null when there is nothing to keep: nothing is there, or a folder, which nothing replaces. */
export function keepBroken(file: string, now: Date): Kept | null {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found || found.isDirectory()) return null;
  const folder = dirname(file);
  const start = `${basename(file)}${mark}`;
  const kept = readdirSync(folder).filter((name) => name.startsWith(start));
  const same = kept.find((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.ino === found.ino);
  if (same !== undefined) return { place: join(folder, same), isNew: false };
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '');
  let name = `${start}${stamp}`;
  for (let n = 2; kept.includes(name); n++) name = `${start}${stamp}-${n}`;
  const place = join(folder, name);
  try {
    linkSync(file, place);
  } catch (error) {
    // Some file systems have no links.
    if (!/^(EPERM|ENOTSUP|ENOSYS|EMLINK)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    // A pipe would be waited for, and a link leads to what is not ours.
    if (found.isFile()) copyFileSync(file, place);
    else renameSync(file, place);
  }
  return { place, isNew: true };
}

const mark = '.broken-';

export const isKeptAside = (name: string): boolean => /\.broken-\d{8}T\d{6}Z(-\d+)?$/.test(name);

/** What a person is told about something of somebody else; null when there is nothing new to tell. */
export function keepForeign(root: string, file: string): string | null {
  const kept = keepBroken(file, new Date());
  if (!kept?.isNew) return null;
  return `${relative(root, file)} was not written by Signalbox. It is kept as ${relative(root, kept.place)}`;
}
