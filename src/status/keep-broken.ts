// Keeps an unusable file under another name before it is replaced, so that a person can look at it. A hard link does it: the file exists at
// every moment, and a second call sees that it is kept already.
import { copyFileSync, linkSync, lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The new name; null when there is nothing to keep: no file is there, or something that is none. */
export function keepBroken(file: string, now: Date): string | null {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found || !(found.isFile() || found.isSymbolicLink())) return null;
  const folder = dirname(file);
  const start = `${basename(file)}.broken-`;
  const kept = readdirSync(folder).filter((name) => name.startsWith(start));
  const same = kept.find((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.ino === found.ino);
  if (same !== undefined) return join(folder, same);
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '');
  let name = `${start}${stamp}`;
  for (let n = 2; kept.includes(name); n++) name = `${start}${stamp}-${n}`;
  const place = join(folder, name);
  try {
    linkSync(file, place);
  } catch (error) {
    // Some file systems have no links.
    if (!/^(EPERM|ENOTSUP|ENOSYS|EMLINK)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    copyFileSync(file, place);
  }
  return place;
}
