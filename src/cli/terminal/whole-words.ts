// Text for a terminal that breaks no word: shortened with an ellipsis, or wrapped to more lines. A path is shortened at its beginning, because
// its end names the file.
import { stripVTControlCharacters } from 'node:util';
import type { Io } from '../io.ts';
import { cutToWidth, displayWidth } from './display-width.ts';

/** Plain text, at most `columns` wide. A first word that does not fit is cut all the same. */
export function shorten(text: string, columns: number): string {
  // A long text is not read to its end.
  const near = text.slice(0, 4 * Math.max(1, columns) + 1);
  if (displayWidth(near) <= columns) return near;
  let kept = '';
  for (const word of near.split(' ')) {
    const next = kept === '' ? word : `${kept} ${word}`;
    if (displayWidth(next) < columns) {
      kept = next;
      continue;
    }
    const start = kept === '' ? '' : `${kept} `;
    const end = word.includes('/') ? endOfPath(word, columns - displayWidth(start)) : null;
    if (end !== null) return start + end;
    if (kept.trim() === '' || hasNoSpaces(word)) break;
    return `${kept.trimEnd()}…`;
  }
  return cutToWidth(near, columns);
}

/** Null: not even the name of the file fits. */
function endOfPath(path: string, columns: number): string | null {
  let end: string | null = null;
  for (let at = path.lastIndexOf('/'); at >= 0; at = path.lastIndexOf('/', at - 1)) {
    const longer = `…${path.slice(at)}`;
    if (displayWidth(longer) > columns || at === 0) break;
    end = longer;
  }
  return end;
}

/** Scripts that put none between words. */
const hasNoSpaces = (word: string): boolean => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word);

/** Below the text of the first line, behind its sign. */
const behindSign = '   ';

/** As lines of at most `columns`, which may have colours. A word that is longer stays whole. @param indent of all but the first */
export function wrapWords(line: string, columns: number, indent = behindSign): string[] {
  const width = (text: string) => displayWidth(stripVTControlCharacters(text));
  if (columns <= 2 * indent.length || line.length <= columns || width(line) <= columns) return [line];
  const lines: string[] = [];
  let current = '';
  for (const [, space = '', word = ''] of line.matchAll(/( *)([^ ]*)/g)) {
    const longer = current + space + word;
    if (width(longer) <= columns || current.trim() === '') current = longer;
    else if (word !== '') {
      lines.push(current);
      current = indent + word;
    }
  }
  return [...lines, current];
}

/** Every line of a text, wrapped for this terminal. */
export const wrapped = (text: string, { columns }: Pick<Io, 'columns'>): string =>
  text
    .split('\n')
    .flatMap((line) => wrapWords(line, columns()))
    .join('\n');
