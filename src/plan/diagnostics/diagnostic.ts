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

// Everything that can move a cursor, hide text or turn its direction; lone surrogates too.
const unprintable =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|\p{Cs}/gu;

/** The text with every unprintable character replaced by one that can be seen; as long as before. */
export function printable(text: string): string {
  return text.replace(unprintable, (c) => (c === '\t' ? ' ' : '\ufffd'));
}

/** A word of the plan inside a message: in backticks, plain, and never longer than a line. */
export function quoted(text: string): string {
  if (text === '') return '`""`';
  const plain = printable(text.length > 61 ? `${text.slice(0, 60)}…` : text);
  return plain.includes('`') ? `"${plain}"` : `\`${plain}\``;
}
