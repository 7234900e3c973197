// Writes a picture whole or not at all. A name that cannot be written is the person's mistake, so it is a refusal.
import { writeWhole } from '../../files/disk/write-whole.ts';
import { writeMistake } from '../files/write-mistake.ts';
import { Refusal } from '../refusal.ts';

export function writePicture(file: string, text: string): void {
  try {
    writeWhole(file, text);
  } catch (error) {
    const because = writeMistake(error);
    if (because === undefined) throw error;
    throw new Refusal(2, `cannot write ${file}: ${because}`, { instead: 'name another file with --out' });
  }
}
