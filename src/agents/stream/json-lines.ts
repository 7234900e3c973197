// Splits what a program prints into lines of JSON, with bounded memory. Programs print other things between them, and lines of any length:
// what is no object, or too long, is counted and passed over; the beginning of the first such line is kept.

export type Fields = Readonly<Record<string, unknown>>;

/** Twice the longest line that was seen with a use. The text of a longer one is a whole file, which the log of the attempt has. */
const longestLine = 16 * 1024 * 1024;
const longestPreview = 200;

export interface LineListener {
  readonly onLine: (line: Fields) => void;
  /** A line that is no JSON object. */
  readonly onOther?: ((line: string) => void) | undefined;
  /** The beginning of a line that is too long to be read. */
  readonly onTooLong?: ((begin: string) => void) | undefined;
}

export class JsonLines {
  readonly #listener: LineListener;
  #parts: string[] = [];
  #length = 0;
  /** The beginning of a line that is too long; null: it is not. */
  #begin: string | null = null;
  /** Lines that were too long. */
  tooLong = 0;
  /** Lines that were too long, or have text that is no JSON object. */
  unread = 0;
  /** The beginning of the first of them. */
  preview = '';

  constructor(listener: LineListener) {
    this.#listener = listener;
  }

  feed(text: string): void {
    let begin = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', begin)) {
      this.#append(text.slice(begin, end));
      this.#endLine(true);
      begin = end + 1;
    }
    this.#append(text.slice(begin));
  }

  /** What came last may have no line end. Half a line of a killed program is no JSON, and no wonder. */
  end(): void {
    this.#endLine(false);
  }

  #append(part: string): void {
    if (this.#begin !== null || part === '') return;
    this.#length += part.length;
    this.#parts.push(part);
    if (this.#length <= longestLine) return;
    this.#begin = beginOf(this.#parts);
    this.#parts = [];
  }

  #endLine(isWhole: boolean): void {
    const begin = this.#begin;
    const line = this.#parts.join('');
    this.#parts = [];
    this.#length = 0;
    this.#begin = null;
    if (begin !== null) {
      this.tooLong++;
      this.#passOver(begin);
      return this.#listener.onTooLong?.(begin);
    }
    if (line.trim() === '') return;
    const fields = parsed(line);
    if (fields !== null) return this.#listener.onLine(fields);
    if (isWhole) this.#passOver(beginOf([line]));
    this.#listener.onOther?.(line);
  }

  #passOver(begin: string): void {
    if (this.unread++ === 0) this.preview = begin;
  }
}

/** A copy: a piece of a text would keep all of it in memory. */
function beginOf(parts: readonly string[]): string {
  let begin = '';
  for (const part of parts) {
    begin += part.slice(0, longestPreview - begin.length);
    if (begin.length >= longestPreview) break;
  }
  return Buffer.from(begin).toString();
}

/** Null: it is no JSON object. */
export function parsed(line: string): Fields | null {
  try {
    return fieldsOf(JSON.parse(line));
  } catch {
    return null;
  }
}

/** Null: it is no object. */
export const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
/** Of JSON, which has numbers that are infinite here. */
export const countOf = (value: unknown): number => (Number.isFinite(value) ? Math.max(0, value as number) : 0);
