// The width of plain text on a terminal, and cutting to a width. Wide East Asian characters and emoji take two columns, combining
// marks none; escape sequences are not understood.
import { eastAsianWidth } from 'get-east-asian-width';

export function displayWidth(text: string): number {
  if (isAscii(text)) return text.length;
  let width = 0;
  for (const piece of pieces(text)) width += pieceWidth(piece);
  return width;
}

/** At most `columns` wide; a cut text ends in an ellipsis. Long texts are not read to their end. */
export function cutToWidth(text: string, columns: number): string {
  if (columns <= 0) return '';
  if (text.length <= columns / 2 || (text.length <= columns && isAscii(text))) return text;
  let width = 0;
  let kept = '';
  for (const piece of pieces(text)) {
    width += pieceWidth(piece);
    if (width > columns) return `${kept.trimEnd()}…`;
    if (width < columns) kept += piece;
  }
  return text;
}

export function padToWidth(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)));
}

const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text);
// Functions, because compiling classes of Unicode takes time that most commands can save.
/** Several code points may make one character on the screen. */
const joins = (text: string) => /[\p{M}\p{Cf}\p{RI}\p{Emoji_Modifier}]/u.test(text);
const isInvisible = (piece: string) => /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u.test(piece);
const isEmoji = (piece: string) => /\p{Emoji_Presentation}|\ufe0f|\p{RI}{2}/u.test(piece);

// Made only for texts that need it: it takes 20 ms.
let segmenter: Intl.Segmenter | undefined;

function* pieces(text: string): Iterable<string> {
  if (!joins(text)) {
    yield* text;
    return;
  }
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

function pieceWidth(piece: string): number {
  if (piece.length === 1 && isAscii(piece)) return 1;
  if (isInvisible(piece)) return 0;
  if (isEmoji(piece)) return 2;
  return eastAsianWidth(piece.codePointAt(0)!);
}
