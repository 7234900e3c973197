// The stream of a coding agent as a person wants to read it, while it comes and with bounded memory: messages, each call in one line,
// results cut to a few lines. Everything that comes out is harmless for a terminal.
import { anyEvents } from '../kind.ts';
import { plainLine, plainText } from '../sanitize-terminal.ts';
import type { AgentEvent } from './agent-event.ts';
import { callLine, cutLine, shortPaths } from './call-line.ts';
import { StreamReader, type StreamReport } from './stream-reader.ts';

const mostMessage = 20_000;
const longestLine = 120;
/** Of a result: its first and its last lines. The end of a failed one tells why. */
const shown = { good: [3, 1], failed: [3, 5] } as const;
/** More of a result is not looked at, but for its end. */
const mostResult = 100_000;
/** Calls without a result yet, of which an agent makes a few at once; and files. */
const mostOpen = 1_000;

type Part = 'message' | 'calls' | 'other';

export class ReadableLog {
  readonly #root: string;
  readonly #reader: StreamReader;
  #text = '';
  #last: Part | null = null;
  /** More of the message may come. */
  #isOpen = false;
  /** The message ends in the middle of a line. */
  #isInLine = false;
  readonly #calls = new Map<string, { readonly line: string; readonly writes: readonly string[] }>();
  readonly #writes = new Set<string>();
  /** The call that the last line is about. */
  #about = '';

  /** @param root the workspace: paths in it are shown from there. */
  constructor(root: string) {
    this.#root = root;
    this.#reader = new StreamReader(anyEvents, {
      onEvent: (event) => this.#take(event),
      onOther: (line) => this.#other(line),
      onTooLong: (begin) => this.#tooLong(begin),
    });
  }

  /** What there is to read of it. */
  feed(text: string): string {
    this.#reader.feed(text);
    return this.#taken();
  }

  end(): { readonly text: string; readonly report: StreamReport } {
    const report = this.#reader.end();
    this.#close();
    // Of calls without a result nobody knows that they changed nothing.
    for (const { writes } of this.#calls.values()) this.#touch(writes);
    return { text: this.#taken(), report: { ...report, writes: [...this.#writes] } };
  }

  #taken(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }

  #take(event: AgentEvent): void {
    switch (event.type) {
      case 'said':
        this.#say(event.text, event.goesOn === true);
        break;
      case 'called':
        this.#call(event);
        break;
      case 'returned':
        this.#return(event);
        break;
      case 'retrying':
        this.#begin('calls');
        this.#text += `↻ tries again: ${cutLine(plainLine(event.because.slice(0, 500)), longestLine)}\n`;
        break;
      default: // told at the end
    }
  }

  #say(text: string, goesOn: boolean): void {
    const isCut = text.length > mostMessage;
    const plain = plainText(text.slice(0, mostMessage)) + (isCut ? '…' : '');
    if (goesOn && this.#isOpen) {
      this.#text += plain;
    } else if (plain.trim() !== '') {
      this.#begin('message');
      this.#text += goesOn ? plain.trimStart() : `${plain.trim()}\n`;
      this.#isOpen = goesOn;
    }
    if (this.#isOpen && plain !== '') this.#isInLine = !plain.endsWith('\n');
  }

  #call({ id, tool, input, writes = [] }: AgentEvent & { type: 'called' }): void {
    const line = callLine(tool, input, this.#root, longestLine);
    this.#begin('calls');
    this.#text += `▸ ${line}\n`;
    this.#about = id;
    if (this.#calls.size < mostOpen) this.#calls.set(id, { line, writes });
  }

  #return({ id, ok, text }: AgentEvent & { type: 'returned' }): void {
    const lines = this.#resultLines(text, ok);
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (ok && call) this.#touch(call.writes);
    if (ok && lines.length === 0) return;
    this.#begin('calls');
    // Of several calls at once: say which one.
    if (id !== this.#about && call !== undefined) this.#text += `▹ ${call.line}\n`;
    this.#about = id;
    const [first = 'failed', ...rest] = lines;
    this.#text += `${ok ? '    ' : '  ✖ '}${first}\n${rest.map((line) => `    ${line}\n`).join('')}`;
  }

  #touch(files: readonly string[]): void {
    for (const file of files)
      if (this.#writes.size < mostOpen) this.#writes.add(plainLine(shortPaths(file, this.#root)));
  }

  #resultLines(text: string, ok: boolean): string[] {
    const [head, tail] = shown[ok ? 'good' : 'failed'];
    const isLong = text.length > mostResult;
    const begin = linesOf(isLong ? text.slice(0, mostResult / 2) : text);
    const end = isLong ? linesOf(text.slice(-mostResult / 2)) : begin;
    const cut = (lines: readonly string[]) => lines.map((line) => cutLine(shortPaths(line, this.#root), longestLine));
    if (!isLong && begin.length <= head + tail + 1) return cut(begin);
    const left = isLong ? '…' : `… ${begin.length - head - tail} more lines`;
    return [...cut(begin.slice(0, head)), left, ...cut(end.slice(-tail))];
  }

  /** What is no part of the stream, but for the rest of a line that was cut off. */
  #other(line: string): void {
    const plain = plainLine(line.slice(0, 1_000));
    if (plain === '' || plain.startsWith('{')) return;
    this.#begin('other');
    this.#text += `${cutLine(plain, longestLine)}\n`;
  }

  #tooLong(begin: string): void {
    this.#begin('other');
    this.#text += `… left out, a line too long to read: ${cutLine(plainLine(begin), longestLine)}\n`;
  }

  /** An empty line around each message. */
  #begin(part: Part): void {
    this.#close();
    if (this.#last !== null && (part === 'message' || this.#last !== part)) this.#text += '\n';
    this.#last = part;
  }

  #close(): void {
    if (this.#isOpen && this.#isInLine) this.#text += '\n';
    this.#isOpen = false;
  }
}

const linesOf = (text: string): string[] =>
  plainText(text)
    .split('\n')
    .map((line) => line.replaceAll('\t', '  ').trimEnd())
    .filter((line) => line !== '');
