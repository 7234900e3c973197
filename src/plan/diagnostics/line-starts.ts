// Where the lines of a text start. Looks no further than it is asked: a warning at the top needs none of the other lines.

export class LineStarts {
  private readonly text: string;
  /** By line; those that were found so far. */
  private readonly starts = [0];
  private complete = false;

  /** `text` must have `\n` as its only line end. */
  constructor(text: string) {
    this.text = text;
  }

  /** Lines count from 1. Undefined behind the last one. */
  of(line: number): number | undefined {
    while (this.starts.length < line && !this.complete) this.findNext();
    return this.starts[line - 1];
  }

  /** The line that holds the character at the offset. */
  lineOf(offset: number): number {
    while (this.last <= offset && !this.complete) this.findNext();
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  private findNext(): void {
    const newline = this.text.indexOf('\n', this.last);
    if (newline < 0) this.complete = true;
    else this.starts.push(newline + 1);
  }

  private get last(): number {
    return this.starts[this.starts.length - 1]!;
  }
}
