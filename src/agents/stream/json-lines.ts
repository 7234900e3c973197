// Splits what a program prints into lines of JSON, with bounded memory. Programs print other things between them, and lines of any length:
// what is no object, or too long, is counted and passed over.

export type Fields = Readonly<Record<string, unknown>>;

/** Twice the longest line that was seen with a use. The text of a longer one is a whole file, which the log of the attempt has. */
const longestLine = 16 * 1024 * 1024;

export class JsonLines {
  readonly #onLine: (line: Fields) => void;
  readonly #onOther: ((line: string) => void) | undefined;
  #parts: string[] = [];
  #length = 0;
  #isTooLong = false;
  /** Lines that were too long. */
  tooLong = 0;
  /** Lines with text that is no JSON object. */
  other = 0;

  constructor(onLine: (line: Fields) => void, onOther?: (line: string) => void) {
    this.#onLine = onLine;
    this.#onOther = onOther;
  }

  feed(text: string): void {
    let begin = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', begin)) {
      this.#append(text.slice(begin, end));
      this.#endLine();
      begin = end + 1;
    }
    this.#append(text.slice(begin));
  }

  /** What came last may have no line end; half a line of a killed program is no JSON. */
  end(): void {
    this.#endLine();
  }

  #append(part: string): void {
    if (this.#isTooLong || part === '') return;
    this.#length += part.length;
    if (this.#length <= longestLine) this.#parts.push(part);
    else {
      this.#isTooLong = true;
      this.#parts = [];
    }
  }

  #endLine(): void {
    const line = this.#parts.join('');
    if (this.#isTooLong) this.tooLong++;
    this.#parts = [];
    this.#length = 0;
    this.#isTooLong = false;
    if (line.trim() === '') return;
    const fields = parsed(line);
    if (fields !== null) return this.#onLine(fields);
    this.other++;
    this.#onOther?.(line);
  }
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
