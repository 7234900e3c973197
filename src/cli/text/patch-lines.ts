// The lines of a difference for a terminal, each made harmless.
import { safeLine } from '../json/plain-data.ts';
import type { Paint } from '../terminal/paint.ts';

/** @param diff in the unified form, from the first `@@` on */
export const patchLines = (diff: string, paint: Paint): string =>
  diff
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${painted(safeLine(line.replaceAll('\t', '    ')), paint)}\n`)
    .join('');

function painted(line: string, paint: Paint): string {
  if (line.startsWith('+')) return paint.green(line);
  if (line.startsWith('-')) return paint.red(line);
  return line.startsWith('@@') ? paint.cyan(line) : line;
}
