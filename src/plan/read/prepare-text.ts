// What is the same for every file: no byte order mark, one kind of line end, no characters that could not be stored, and no
// conflict that nobody has decided.

import { tooLarge } from '../diagnostics/file-size.ts';
import { Report } from '../diagnostics/report.ts';
import { largestFile } from '../limits.ts';
import { tellConflicts } from './conflicts.ts';

export interface PreparedText {
  readonly text: string;
  readonly report: Report;
}

export function prepareText(text: string, file: string): PreparedText {
  if (text.length > largestFile) return refused(text.length, file);
  const start = text.startsWith('\ufeff') ? text.slice(1) : text;
  const prepared = start.includes('\r') ? withoutReturns(start) : start;
  const report = new Report(file, prepared);
  refuseCharacters(prepared, report);
  return { text: prepared, report };
}

/** Characters. */
const large = 100_000;

/** Of a large text in its bytes: the engine would keep a part for each line until it has found the last one. */
function withoutReturns(text: string): string {
  // Half a character has no bytes, and is to be told.
  if (text.length < large || !isWellFormed(text)) return text.replace(/\r\n?/g, '\n');
  const bytes = Buffer.from(text, 'utf8');
  let end = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === 0x0d && bytes[i + 1] === 0x0a) continue;
    bytes[end++] = byte === 0x0d ? 0x0a : byte;
  }
  return bytes.toString('utf8', 0, end);
}

/** For those who were handed a text: files are asked for their size before they are read. */
function refused(length: number, file: string): PreparedText {
  const report = new Report(file, '');
  report.error(tooLarge(length));
  return { text: '', report };
}

/** And conflicts that nobody has decided. */
function refuseCharacters(text: string, report: Report): void {
  refuse(text.indexOf('\0'), 'a NUL character: this is not a text file', report);
  if (!isWellFormed(text)) refuse(text.search(/\p{Cs}/u), 'half a character: the text is not valid Unicode', report);
  tellConflicts(text, report);
}

function refuse(offset: number, message: string, report: Report): void {
  if (offset >= 0) {
    const help = 'take it out, and save the file as text in UTF-8';
    report.error({ code: 'bad-character', message, ...report.placeOf(offset), help });
  }
}

/** In every engine that we run on, though newer than the library that we compile against; the search took 88 ms on 16 MB. */
function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed();
}
