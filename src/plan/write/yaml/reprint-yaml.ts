// YAML in one manner, line by line, for the plain part of it that nearly every plan keeps to: each line is copied, with another
// indentation and one spacing of what stands in brackets. At anything else it gives up; and it need not be sure, because what
// it made is read and compared.
import { reprintFlow } from './reprint-flow.ts';

/** Null for a text that is not plain. */
export function reprintYaml(text: string): string | null {
  if (/[\t\r\ufeff]/.test(text)) return null;
  return new Reprinter(text).print();
}

/** A map or a list that is open: where its lines stand, and where they will. */
interface Level {
  readonly old: number;
  readonly fresh: number;
  readonly isList: boolean;
}

class Reprinter {
  private readonly text: string;
  private readonly out: string[] = [];
  private readonly levels: Level[] = [];
  private comments: string[] = [];
  private isSpaced = false;
  /** The last key has no value yet, so the next line may be deeper. */
  private isOpen = true;

  constructor(text: string) {
    this.text = text;
  }

  print(): string | null {
    const { text } = this;
    for (let start = 0; start < text.length; ) {
      const end = lineEnd(text, start);
      let from = start;
      while (from < end && text[from] === ' ') from++;
      if (from === end) {
        this.isSpaced = true;
        start = end + 1;
      } else if (text[from] === '#') {
        if (this.isSpaced && (this.out.length > 0 || this.comments.length > 0)) this.comments.push('');
        this.isSpaced = false;
        this.comments.push(text.slice(from, end).trimEnd());
        start = end + 1;
      } else {
        const next = this.line(from - start, text.slice(from, end).trimEnd(), end + 1);
        if (next < 0) return null;
        start = next;
      }
    }
    for (const comment of this.comments) this.out.push(comment);
    return this.out.length === 0 ? null : `${this.out.join('\n')}\n`;
  }

  /** Where the next line starts; -1 to give up. */
  private line(indent: number, content: string, next: number): number {
    const isItem = content.startsWith('- ') || content === '-';
    const fresh = this.enter(indent, isItem);
    if (fresh < 0) return -1;
    this.before(fresh);
    const dashes = isItem ? this.dashes(content, indent, fresh) : { text: '', rest: content, old: indent, fresh };
    if (dashes === null) return -1;
    const entry = splitEntry(dashes.rest);
    const margin = ' '.repeat(fresh) + dashes.text;
    if (entry === null) {
      // A list of texts; in a map it would go on with the line above.
      const value = isItem ? reprintValue(dashes.rest) : null;
      if (value === null || value === '|') return -1;
      this.isOpen = false;
      this.out.push(margin + value);
      return next;
    }
    const value = reprintValue(entry.value);
    if (value === null) return -1;
    if (isItem) this.levels.push({ old: dashes.old, fresh: dashes.fresh, isList: false });
    this.isOpen = value === '' || value.startsWith('#');
    this.out.push(value === '' ? `${margin}${entry.key}:` : `${margin}${entry.key}: ${value}`);
    return value.startsWith('|') ? this.block(dashes, next) : next;
  }

  /** Where a line at this indentation will stand; -1 when it fits nowhere. */
  private enter(indent: number, isItem: boolean): number {
    const { levels } = this;
    const before = levels.length;
    while (levels.length > 0 && levels.at(-1)!.old > indent) levels.pop();
    let top = levels.at(-1);
    const isBack = levels.length < before;
    if (top && top.old === indent && top.isList && !isItem) {
      levels.pop();
      top = levels.at(-1);
    }
    if (top && top.old === indent && top.isList === isItem) return top.fresh;
    const isDeeper = top === undefined || indent > top.old || (indent === top.old && isItem);
    if (!isDeeper || isBack || !this.isOpen) return -1;
    const fresh = top === undefined ? 0 : top.fresh + 2;
    levels.push({ old: indent, fresh, isList: isItem });
    return fresh;
  }

  /** Empty lines and comments that came before. */
  private before(fresh: number): void {
    if (this.comments.length > 0) {
      const margin = ' '.repeat(fresh);
      for (const comment of this.comments) this.out.push(comment === '' ? '' : margin + comment);
      this.comments = [];
    }
    if (this.isSpaced && this.out.length > 0) this.out.push('');
    this.isSpaced = false;
  }

  /** `- - a: b` is left to the package. */
  private dashes(content: string, old: number, fresh: number) {
    const rest = content.slice(1).trimStart();
    if (rest === '' || rest.startsWith('- ') || rest === '-') return null;
    return { text: '- ', rest, old: old + content.length - rest.length, fresh: fresh + 2 };
  }

  /** The lines of a text behind `|`, moved as a whole. */
  private block({ old, fresh }: { old: number; fresh: number }, from: number): number {
    const { text, out } = this;
    let start = from;
    let shift: string | null = null;
    let depth = 0;
    let blank = 0;
    while (start < text.length) {
      const end = lineEnd(text, start);
      let at = start;
      while (at < end && text[at] === ' ') at++;
      if (at < end && at - start <= old) break;
      if (at === end) blank++;
      else {
        shift ??= ' '.repeat(fresh + 2);
        depth ||= at - start;
        if (at - start < depth) return -1;
        for (; blank > 0; blank--) out.push('');
        out.push(shift + text.slice(start + depth, end));
      }
      start = end + 1;
    }
    this.isSpaced = blank > 0;
    return start;
  }
}

function lineEnd(text: string, start: number): number {
  const newline = text.indexOf('\n', start);
  return newline < 0 ? text.length : newline;
}

/** Plain keys, and quoted ones without escapes. */
const entryForm = /^([A-Za-z0-9_./][^:#,[\]{}"'`&*!|>%@]*?|"[^"\\]*"|'[^']*'):(?: +(.*)|)$/;

function splitEntry(text: string): { readonly key: string; readonly value: string } | null {
  const match = entryForm.exec(text);
  return match && { key: match[1]!, value: match[2] ?? '' };
}

/** As it is written; null for what goes on in the next line, or is more than plain. */
function reprintValue(text: string): string | null {
  if (text === '' || text.startsWith('#')) return text;
  const c = text[0]!;
  if (c === '|') return /^\|-?$/.test(text) ? text : null;
  if (c === '[' || c === '{') return reprintFlow(text);
  if (c === '"' || c === "'") {
    const quoted = (c === '"' ? /^"(?:[^"\\]|\\.)*"/ : /^'(?:[^']|'')*'/).exec(text)?.[0];
    if (quoted === undefined) return null;
    const rest = text.slice(quoted.length).trim();
    return rest === '' ? quoted : rest.startsWith('#') && text[quoted.length] === ' ' ? `${quoted} ${rest}` : null;
  }
  if ('&*!>%@`?'.includes(c) || (c === '-' && text[1] === ' ') || text === '-') return null;
  const comment = text.indexOf(' #');
  const plain = comment < 0 ? text : text.slice(0, comment).trimEnd();
  if (plain.includes(': ') || plain.endsWith(':')) return null;
  return comment < 0 ? text : `${plain} ${text.slice(comment).trimStart()}`;
}
