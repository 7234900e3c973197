// Collects the mistakes of one file while it is read. Keeps the source lines for the excerpts, and keeps the list short
// enough to be read: after a hundred mistakes of one kind it only counts them, so that those of other kinds are still seen.

import { longestLine } from '../limits.ts';
import { type Diagnostic, printable } from './diagnostic.ts';
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

/** Of one kind. */
const most = 100;

interface Kind {
  readonly severity: Diagnostic['severity'];
  readonly code: string;
  count: number;
  /** The last one that is kept. */
  last: Diagnostic | null;
}

export class Report {
  readonly file: string;
  private readonly text: string;
  private readonly starts: LineStarts;
  private readonly found: Diagnostic[] = [];
  private readonly kinds = { error: new Map<string, Kind>(), warning: new Map<string, Kind>() };
  private isCut = false;
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

  get errors(): number {
    return this.counts.error;
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

  /** Whether one more of this kind would only be counted: saves making its words. */
  isFull(severity: Diagnostic['severity'], code: string): boolean {
    return this.kindOf(severity, code).count >= most;
  }

  /** As many more of a kind that is full. */
  count(severity: Diagnostic['severity'], code: string, times = 1): void {
    this.counts[severity] += times;
    this.kindOf(severity, code).count += times;
  }

  /** What is counted from here on is not all that there is. */
  stopCounting(): void {
    this.isCut = true;
  }

  /** In the order of the file. */
  diagnostics(): Diagnostic[] {
    const sorted = [...this.found].sort((a, b) => a.line - b.line || a.column - b.column);
    for (const { severity, code, count, last } of [...this.kinds.error.values(), ...this.kinds.warning.values()]) {
      const more = count - most;
      const help = `mend these first; \`signalbox explain ${code}\` tells about them`;
      const noun = more === 1 ? severity : `${severity}s`;
      const message = `and ${more} more ${noun} of the kind \`${code}\`${this.isCut ? ', at least' : ''}`;
      if (more > 0 && last) sorted.push({ ...last, code: 'more', message, help });
    }
    return sorted;
  }

  private kindOf(severity: Diagnostic['severity'], code: string): Kind {
    const known = this.kinds[severity].get(code);
    if (known) return known;
    const kind: Kind = { severity, code, count: 0, last: null };
    this.kinds[severity].set(code, kind);
    return kind;
  }

  private add(severity: Diagnostic['severity'], mistake: Mistake): void {
    const { code, message, line, column, help } = mistake;
    const kind = this.kindOf(severity, code);
    this.counts[severity]++;
    if (++kind.count > most) return;
    kind.last = {
      severity,
      code,
      message: printable(message),
      file: this.file,
      line,
      column,
      length: mistake.length ?? 1,
      excerpt: this.excerpt(line, column),
      ...(help === undefined ? {} : { help: printable(help) }),
    };
    this.found.push(kind.last);
  }

  private lastLine = 0;
  private lastExcerpt = '';
  private isWhole = true;

  /**
   * A line of a megabyte with a thousand mistakes is kept once. What stands far behind the mistake is left out, and all of it where
   * the mistake stands further right than anybody could look: a file that is one line would be printed as a whole.
   */
  private excerpt(line: number, column: number): string {
    if (column > longestLine) return '';
    const wanted = column + behindMistake;
    if (line !== this.lastLine || (!this.isWhole && this.lastExcerpt.length < wanted)) {
      const whole = this.lineAt(line);
      // Twice as much: the next mistake stands further right, and most of this would be looked at again.
      const part = whole.length > 2 * wanted ? whole.slice(0, 2 * wanted) : whole;
      this.lastLine = line;
      this.isWhole = part === whole;
      this.lastExcerpt = printable(part);
    }
    return this.lastExcerpt.length > wanted ? this.lastExcerpt.slice(0, wanted) : this.lastExcerpt;
  }
}

/** Characters; more than a terminal has columns. */
const behindMistake = 2_000;
