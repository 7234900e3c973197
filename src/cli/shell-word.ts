// A word as it can be pasted into a shell: hints are only good when they work as printed.
import { plainLine } from './plain-data.ts';

export function shellWord(word: string): string {
  const plain = plainLine(word);
  return /^[\w.@%+=:,/-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", "'\\''")}'`;
}
