// Writes a picture whole or not at all; what stands in the way is told as the person's to mend.
import { renameSync, writeFileSync } from 'node:fs';
import { Refusal } from '../refusal.ts';
import { removeBegun, writeMistake } from '../write-mistake.ts';

export function writePicture(file: string, text: string): void {
  const fresh = `${file}.new`;
  try {
    writeFileSync(fresh, text);
    renameSync(fresh, file);
  } catch (error) {
    removeBegun(fresh);
    const because = writeMistake(error);
    if (because === undefined) throw error;
    throw new Refusal(2, `cannot write ${file}: ${because}`, { instead: 'name another file with --out' });
  }
}
