// Collects the mistakes of one file while it is read. Keeps the source lines for the excerpts, and keeps the list short
// enough to be read: after a thousand mistakes it only counts.
import { type Diagnostic, plainText } from './diagnostic.ts';
import { LineStarts } from './line-starts.ts';

/** Where something stands in the file; both 1-based. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface Mistake extends Place {
  readonly code: string;
  readonly message: string;
  readonly length?: number;
  readonly help?: string | undefined;
}

const most = 1000;

export class Report {
  readonly file: string;
  private readonly text: string;
  private readonly starts: LineStarts;
  private readonly found: Diagnostic[] = [];
  private readonly counts = { error: 0, warning: 0 };

  /** `text` must have `\n` as its only line end. */
  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
    this.starts = new LineStarts(text);
  }

  get failed(): boolean {
    return this.counts.error > 0;
  }

  /** Nothing was said at all. */
  get silent(): boolean {
    return this.counts.error + this.counts.warning === 0;
  }

  error(mistake: Mistake): void {
    this.add('error', mistake);
  }

  warning(mistake: Mistake): void {
    this.add('warning', mistake);
  }

  /** The source line, without its line end. */
  lineAt(line: number): string {
    const start = this.starts.of(line);
    if (start === undefined) return '';
    const next = this.starts.of(line + 1);
    return this.text.slice(start, next === undefined ? this.text.length : next - 1);
  }

  placeOf(offset: number): Place {
    const line = this.starts.lineOf(offset);
    return { line, column: offset - this.starts.of(line)! + 1 };
  }

  /** In the order of the file. */
  diagnostics(): Diagnostic[] {
    const sorted = [...this.found].sort((a, b) => a.line - b.line || a.column - b.column);
    for (const severity of ['error', 'warning'] as const) {
      const more = this.counts[severity] - most;
      const last = sorted.findLast((d) => d.severity === severity);
      if (more > 0 && last) sorted.push({ ...last, code: 'more', message: `and ${more} more ${severity}s like these` });
    }
    return sorted;
  }

  private add(severity: 'error' | 'warning', mistake: Mistake): void {
    if (++this.counts[severity] > most) return;
    const { code, message, line, column, help } = mistake;
    this.found.push({
      severity,
      code,
      message: plainText(message),
      file: this.file,
      line,
      column,
      length: mistake.length ?? 1,
      excerpt: this.excerpt(line),
      ...(help === undefined ? {} : { help: plainText(help) }),
    });
  }

  private lastLine = 0;
  private lastExcerpt = '';

  /** A line of a megabyte with a thousand mistakes is kept once. */
  private excerpt(line: number): string {
    if (line !== this.lastLine) {
      this.lastLine = line;
      this.lastExcerpt = plainText(this.lineAt(line));
    }
    return this.lastExcerpt;
  }
}
