// A whole file on standard output: a terminal gets it without anything that could move its cursor, a file or a program every
// character as it is. Tabs and line ends are part of what it says.
import type { Io } from '../io.ts';
import { safeLine } from './plain-data.ts';

export function plainDocument(text: string, io: Io): string {
  if (!Number.isFinite(io.columns())) return text;
  return text
    .split('\n')
    .map((line) => line.split('\t').map(safeLine).join('\t'))
    .join('\n');
}
