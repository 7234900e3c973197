// A person's mistake as data: where it is, what it is, and the way out. No colours here; a face may add them. Text from the
// plan never carries control characters into a message.

export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** Stable, kebab-case: `unknown-id`. */
  readonly code: string;
  readonly message: string;
  /** As it was given to the reader. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
  readonly length: number;
  /** The source line; control characters are replaced one by one, so that columns still fit. */
  readonly excerpt: string;
  /** The way out. */
  readonly help?: string;
}

/** As the best compilers print it: place, code, message, the line with a caret under the mistake, the way out. */
export function formatDiagnostic(d: Diagnostic): string {
  const number = String(d.line);
  const margin = ' '.repeat(number.length);
  const { text, caret } = cut(d.excerpt, d.column - 1);
  const room = Math.max(1, text.length - caret);
  const lines = [`${plainText(d.file)}:${d.line}:${d.column}: ${d.severity}[${d.code}]: ${d.message}`];
  if (d.excerpt.trim() !== '') {
    lines.push(`  ${number} | ${text}`);
    lines.push(`  ${margin} | ${' '.repeat(caret)}${'^'.repeat(Math.min(Math.max(1, d.length), room))}`);
  }
  if (d.help !== undefined) lines.push(`  ${margin} = help: ${d.help}`);
  return lines.join('\n');
}

// Everything that can move a cursor, hide text or turn its direction; lone surrogates too.
const unprintable =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|\p{Cs}/gu;

/** The text with every unprintable character replaced by one that can be seen; as long as before. */
export function plainText(text: string): string {
  return text.replace(unprintable, (c) => (c === '\t' ? ' ' : '\ufffd'));
}

/** A word of the plan inside a message: in backticks, plain, and never longer than a line. */
export function quoted(text: string): string {
  if (text === '') return '`""`';
  const plain = plainText(text.length > 61 ? `${text.slice(0, 60)}…` : text);
  return plain.includes('`') ? `"${plain}"` : `\`${plain}\``;
}

const widest = 160;

/** A line of a megabyte shows as the part around the mistake. */
function cut(excerpt: string, column: number): { text: string; caret: number } {
  if (excerpt.length <= widest) return { text: excerpt, caret: Math.min(column, excerpt.length) };
  const from = Math.max(0, Math.min(column - 60, excerpt.length - widest + 2));
  const text = `${from > 0 ? '…' : ''}${excerpt.slice(from, from + widest - 2)}${from + widest - 2 < excerpt.length ? '…' : ''}`;
  return { text, caret: Math.max(0, Math.min(column - from + (from > 0 ? 1 : 0), text.length)) };
}
