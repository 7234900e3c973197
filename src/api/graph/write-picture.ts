// Writes a picture whole or not at all; what stands in the way is told as the person's to mend.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { Refusal } from '../refusal.ts';

export function writePicture(file: string, text: string): void {
  const fresh = `${file}.new`;
  try {
    writeFileSync(fresh, text);
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    const because = reasons.get(code ?? '');
    if (because === undefined) throw error;
    throw new Refusal(2, `cannot write ${file}: ${because}`, { instead: 'name another file with --out' });
  }
}

const reasons = new Map([
  ['ENOENT', 'its folder does not exist'],
  ['ENOTDIR', 'its folder is a file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'this user may not write there'],
  ['EPERM', 'this user may not write there'],
  ['EROFS', 'the file system is read-only'],
]);
