// Where the lines of a text start. Looks no further than it is asked: a warning at the top needs none of the other lines.

export class LineStarts {
  private readonly text: string;
  /** By line; those that were found so far. */
  private starts = new Int32Array(64);
  private count = 1;
  private complete = false;

  /** `text` must have `\n` as its only line end. */
  constructor(text: string) {
    this.text = text;
  }

  /** Lines count from 1. Undefined behind the last one. */
  of(line: number): number | undefined {
    while (this.count < line && !this.complete) this.findNext();
    return line <= this.count ? this.starts[line - 1] : undefined;
  }

  /** The line that holds the character at the offset. */
  lineOf(offset: number): number {
    while (this.starts[this.count - 1]! <= offset && !this.complete) this.findNext();
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  private findNext(): void {
    const newline = this.text.indexOf('\n', this.starts[this.count - 1]!);
    if (newline < 0) {
      this.complete = true;
      return;
    }
    if (this.count === this.starts.length) {
      const larger = new Int32Array(this.count * 2);
      larger.set(this.starts);
      this.starts = larger;
    }
    this.starts[this.count++] = newline + 1;
  }
}
