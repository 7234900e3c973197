// Scrolling lines, with a block below them that is redrawn in place: at most eight times a second, in one write each, and once a
// second if only the clock has changed. Without a terminal only the lines are written.
import { stripVTControlCharacters } from 'node:util';
import type { Io } from '../io.ts';
import { displayWidth } from './display-width.ts';
import { wrapWords } from './whole-words.ts';

const quickestMs = 125;
const clockMs = 1000;

export class LiveScreen {
  private readonly io: Io;
  private readonly block: () => readonly string[];
  private waiting = '';
  private drawnAt = Number.NEGATIVE_INFINITY;
  private drawn = '';
  /** Widths of the lines that stand at the bottom now. */
  private standing: readonly number[] = [];
  private timer: { readonly soon: boolean; readonly cancel: () => void } | null = null;
  private readonly unhook: () => void;

  constructor(io: Io, block: () => readonly string[]) {
    this.io = io;
    this.block = block;
    this.unhook = io.live ? io.onResize(() => this.changed()) : () => undefined;
  }

  print(lines: readonly string[]): void {
    if (!this.io.live) {
      this.io.out(lines.map((line) => `${line}\n`).join(''));
      return;
    }
    this.waiting += lines
      .flatMap((line) => wrapWords(line, this.io.columns()))
      .map((line) => `${line}\n`)
      .join('');
    this.changed();
  }

  /** The block has something new to show. */
  changed(): void {
    if (!this.io.live) return;
    const wait = this.drawnAt + quickestMs - this.io.now();
    if (wait <= 0) this.draw();
    else if (!this.timer?.soon) this.later(wait, true);
  }

  /** Writes what is left and takes the block away. */
  close(): void {
    this.timer?.cancel();
    this.timer = null;
    this.unhook();
    const text = this.erase() + this.waiting;
    this.waiting = '';
    this.standing = [];
    if (text !== '') this.io.out(text);
  }

  private draw(): void {
    const lines = this.block();
    this.drawn = lines.join('\n');
    const text = this.erase() + this.waiting + this.drawn;
    this.waiting = '';
    this.standing = lines.map((line) => displayWidth(stripVTControlCharacters(line)));
    this.drawnAt = this.io.now();
    if (text !== '') this.io.out(text);
    this.later(clockMs, false);
  }

  private later(delayMs: number, soon: boolean): void {
    this.timer?.cancel();
    this.timer = { soon, cancel: this.io.after(delayMs, () => this.tick(soon)) };
  }

  /** An unchanged block is not written again. */
  private tick(soon: boolean): void {
    this.timer = null;
    if (soon || this.block().join('\n') !== this.drawn) this.draw();
    else this.later(clockMs, false);
  }

  /** Moves to the start of the block and clears everything below. A terminal that became narrower has wrapped its lines. */
  private erase(): string {
    if (this.standing.length === 0) return '';
    const columns = Math.max(1, this.io.columns());
    const rows = this.standing.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
    return `\r${rows > 1 ? `\x1b[${rows - 1}A` : ''}\x1b[J`;
  }
}
