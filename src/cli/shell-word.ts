// A word as it can be pasted into a shell: hints are only good when they work as printed.
import { plainLine } from './plain-data.ts';

export function shellWord(word: string): string {
  if (plainLine(word) !== word) return spelled(word);
  return /^[\w.@%+=:,/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** What must not reach a terminal is spelled out, so that the shell still makes the same word of it. */
function spelled(word: string): string {
  const byte = (value: number) => {
    const sign = String.fromCharCode(value);
    if (value < 0x20 || value > 0x7e) return `\\x${value.toString(16).padStart(2, '0')}`;
    return sign === "'" || sign === '\\' ? `\\${sign}` : sign;
  };
  return `$'${Array.from(new TextEncoder().encode(word), byte).join('')}'`;
}
