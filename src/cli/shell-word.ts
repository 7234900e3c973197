// Words as they can be pasted into a shell: hints are only good when they work as printed.
import { quoted, typed, typedPath } from '../core/typed.ts';
import { plainLine } from './plain-data.ts';

export const shellWord = (word: string): string => (plainLine(word) === word ? quoted(word) : spelled(word));

/** What must not reach a terminal is spelled out, so that the shell still makes the same word of it. */
function spelled(word: string): string {
  const byte = (value: number) => {
    const sign = String.fromCharCode(value);
    if (value < 0x20 || value > 0x7e) return `\\x${value.toString(16).padStart(2, '0')}`;
    return sign === "'" || sign === '\\' ? `\\${sign}` : sign;
  };
  return `$'${Array.from(new TextEncoder().encode(word), byte).join('')}'`;
}

export const shellPath = (path: string): string =>
  plainLine(path) === path ? typedPath(path) : spelled(path.startsWith('-') ? `./${path}` : path);

/** A command about tasks, without the program's name: for `hint`. */
export function about(command: string, ids: string | readonly string[], flags?: string): string {
  return typed(command, [ids].flat().map(plainLine), flags).slice('signalbox '.length);
}
