// The names in a folder, in no order. None where the folder does not exist, is no folder or may not be read.
import { readdirSync } from 'node:fs';

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
