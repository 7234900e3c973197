// Many texts as one block of bytes, of which any can be had without the others: how many, where each ends, then the texts, each behind
// the end of a line. None of them has such an end inside.

const lineEnd = 10;

export function packLines(lines: readonly string[]): Uint8Array {
  const text = Buffer.from(lines.length === 0 ? '' : `\n${lines.join('\n')}`);
  const block = Buffer.alloc(4 * (lines.length + 1) + text.length);
  const ends = new Int32Array(block.buffer, block.byteOffset, lines.length + 1);
  ends[0] = lines.length;
  let at = 0;
  for (let i = 1; i <= lines.length; i++) {
    const next = text.indexOf(lineEnd, at + 1);
    at = next === -1 ? text.length : next;
    ends[i] = at;
  }
  text.copy(block, 4 * ends.length);
  return block;
}

export class KeptLines {
  readonly length: number;
  readonly #ends: Int32Array;
  readonly #text: Buffer;

  /** Throws if the bytes cannot be what `packLines` made. */
  constructor(block: Uint8Array) {
    // Copied where it does not lie as numbers have to.
    const bytes = block.byteOffset % 4 === 0 ? block : block.slice();
    this.length = bytes.length < 4 ? -1 : new Int32Array(bytes.buffer, bytes.byteOffset, 1)[0]!;
    const head = 4 * (this.length + 1);
    if (this.length < 0 || head > bytes.length) throw new Error('the block has another form');
    this.#ends = new Int32Array(bytes.buffer, bytes.byteOffset, this.length + 1);
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset + head, bytes.length - head);
    if (this.length > 0 && this.#ends[this.length] !== this.#text.length) throw new Error('the block has another form');
  }

  line(i: number): string {
    return this.#text.toString('utf8', this.#startOf(i), this.#ends[i + 1]);
  }

  all(): string[] {
    return this.length === 0 ? [] : this.#text.toString('utf8', 1).split('\n');
  }

  /** The same block with other texts for some of them, in order; the rest is copied as bytes. */
  with(changed: readonly (readonly [number, string])[]): Uint8Array {
    const texts = changed.map(([i, text]) => [i, Buffer.from(text)] as const);
    const ends = new Int32Array(this.length + 1);
    ends[0] = this.length;
    const pieces: Uint8Array[] = [new Uint8Array(ends.buffer)];
    let [from, moved, next] = [0, 0, 0];
    for (const [i, text] of texts) {
      for (; next < i; next++) ends[next + 1] = this.#ends[next + 1]! + moved;
      const [start, end] = [this.#startOf(i), this.#ends[i + 1]!];
      pieces.push(this.#text.subarray(from, start), text);
      moved += text.length - (end - start);
      from = end;
    }
    for (; next < this.length; next++) ends[next + 1] = this.#ends[next + 1]! + moved;
    pieces.push(this.#text.subarray(from));
    return Buffer.concat(pieces);
  }

  #startOf(i: number): number {
    return i === 0 ? 1 : this.#ends[i]! + 1;
  }
}
