// What lies in a folder that need not be there: its names, in no order. One that may not be read, or is none, has nothing to offer.
import { readdirSync } from 'node:fs';

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
