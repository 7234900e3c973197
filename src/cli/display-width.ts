// How many columns a text takes on a terminal, and cutting to a number of them. Good for plain text without escape sequences:
// wide East Asian characters and emoji take two columns, combining marks none.

export function displayWidth(text: string): number {
  if (isAscii(text)) return text.length;
  let width = 0;
  for (const piece of pieces(text)) width += pieceWidth(piece);
  return width;
}

/** At most `columns` wide; what was cut ends in an ellipsis. Reads little further than it has to. */
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
// Functions, because classes of Unicode take their time to be read even if nobody asks for them.
/** Several code points may make one character on the screen. */
const joins = (text: string) => /[\p{M}\p{Cf}\p{RI}\p{Emoji_Modifier}]/u.test(text);
const isInvisible = (piece: string) => /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u.test(piece);
const isEmoji = (piece: string) => /\p{Emoji_Presentation}|\ufe0f|\p{RI}{2}/u.test(piece);

// Making one takes 20 ms, a good part of what a short command may take: only texts that need it pay for it.
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
  return isWide(piece.codePointAt(0)!) ? 2 : 1;
}

/** The blocks of Unicode's "East Asian Wide" and "Fullwidth", joined where only unassigned code points lie between. */
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18d08],
  [0x1aff0, 0x1b2fb],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];

const isWide = (code: number) => wide.some(([from, to]) => code >= from && code <= to);
