// Words quoted for a shell: a hint has to work as it is printed.
import { commandLine, pathArgument, quoted } from '../../core/model/command-line.ts';
import { safeLine } from '../json/plain-data.ts';

export const shellWord = (word: string): string => (safeLine(word) === word ? quoted(word) : spelled(word));

/** Control characters are escaped, so the terminal is safe and the shell reads the same word. */
function spelled(word: string): string {
  const byte = (value: number) => {
    const sign = String.fromCharCode(value);
    if (value < 0x20 || value > 0x7e) return `\\x${value.toString(16).padStart(2, '0')}`;
    return sign === "'" || sign === '\\' ? `\\${sign}` : sign;
  };
  return `$'${Array.from(new TextEncoder().encode(word), byte).join('')}'`;
}

export const shellPath = (path: string): string =>
  safeLine(path) === path ? pathArgument(path) : spelled(path.startsWith('-') ? `./${path}` : path);

/** A command about tasks, without the program's name: for `hint`. */
export function about(command: string, ids: string | readonly string[], flags?: string): string {
  return commandLine(command, [ids].flat().map(safeLine), flags).slice('signalbox '.length);
}
