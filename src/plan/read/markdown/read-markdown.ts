// Markdown plans, line by line: tells headings, list items, blocks, comments and prose apart and hands them to the outline.
// Why no library does it: docs/adr/012-no-markdown-library.md.

import { quoted } from '../../diagnostics/diagnostic.ts';
import type { Report } from '../../diagnostics/report.ts';
import { longestLine, mostErrors, mostIdleLines, mostTasks } from '../../limits.ts';
import { afterCode } from '../dependencies.ts';
import type { Cut, RawPlan } from '../raw-plan.ts';
import { finishMarkdown } from './finish-markdown.ts';
import { readFrontMatter } from './front-matter.ts';
import { type Line, Outline } from './outline.ts';

export function readMarkdown(text: string, report: Report, outline = new Outline(report)): RawPlan {
  const { top, next, line } = readFrontMatter(text, report);
  // Whoever names the order may mean that of a tool in whose plans doubts are none.
  const isOurs = top.order === undefined;
  const cut = new Scanner({ text, report, outline, isOurs }).scan(next, line);
  return finishMarkdown(outline, top, report, cut);
}

interface Scan {
  readonly text: string;
  readonly report: Report;
  readonly outline: Outline;
  readonly isOurs: boolean;
}

interface Fence {
  readonly sign: string;
  readonly length: number;
  readonly info: string;
  readonly line: Line;
  /** Lines further left than this end the list item, and the block with it. */
  readonly inner: number;
  readonly content: string[];
}

class Scanner {
  private readonly text: string;
  private readonly report: Report;
  private readonly outline: Outline;
  private readonly isOurs: boolean;
  private fence: Fence | null = null;
  /** Line in which the comment that is not closed yet starts. */
  private comment = 0;
  /** Where the next comment starts, so that lines without one pay nothing. */
  private nextComment: number;
  /** The last line, if it was prose outside of every list: it becomes a heading when it is underlined. */
  private paragraph: Line | null = null;

  constructor({ text, report, outline, isOurs }: Scan) {
    this.text = text;
    this.report = report;
    this.outline = outline;
    this.isOurs = isOurs;
    this.nextComment = text.indexOf('<!--');
  }

  scan(offset: number, firstLine: number): Cut | null {
    const { text, outline } = this;
    let number = firstLine;
    let start = offset;
    let known = 0;
    let last = number;
    for (; start < text.length && known <= mostTasks && number - last <= mostIdleLines; number++) {
      if (this.isWrong()) break;
      const newline = text.indexOf('\n', start);
      const end = newline < 0 ? text.length : newline;
      this.take(start, end, number);
      start = end + 1;
      // Rows are tasks where there are no others, and prose beside them.
      const found = outline.tasks.length || outline.tables.kept;
      if (found !== known) last = number;
      known = found;
    }
    const isCut = outline.tasks.length <= mostTasks && hasMore(text, start);
    if (this.fence) this.unclosedFence(this.fence);
    if (this.comment > 0) {
      const message = 'this comment is never closed, so nothing behind it is read';
      this.report.error({
        code: 'unclosed-comment',
        message,
        line: this.comment,
        column: 1,
        length: 4,
        help: 'close it with `-->`',
      });
    }
    outline.end();
    if (!isCut) return null;
    return { line: number, why: number - last > mostIdleLines || known > mostTasks ? 'idle' : 'wrong' };
  }

  /** Nobody mends that many: it is no plan, or another form of one. Doubts are mistakes unless it is another tool's. */
  private isWrong(): boolean {
    const { report, outline } = this;
    if (report.errors > mostErrors) return true;
    if (outline.doubts.errors <= mostErrors || !this.isOurs) return false;
    return (
      outline.kiro === null && outline.specKit === null && !/^implementation plan\b/i.test(outline.headings.title ?? '')
    );
  }

  private take(start: number, end: number, number: number): void {
    if (end - start > longestLine) return this.longLine(end - start, number);
    const line = measure(this.text.slice(start, end), number);
    if (this.fence) {
      if (!this.inFence(this.fence, line)) return;
      // The list item around the block has ended, so this line is an ordinary one.
    }
    if (this.comment === 0 && (this.nextComment < 0 || this.nextComment >= end)) return this.line(line);
    const rest = this.withoutComments(line.raw, number);
    this.nextComment = this.text.indexOf('<!--', end);
    if (rest === null) return this.outline.comment(number);
    this.line(measure(rest, number));
  }

  private longLine(length: number, line: number): void {
    this.report.error({
      code: 'long-line',
      message: `this line has ${length} characters; one of a plan has ${longestLine} at most`,
      line,
      column: 1,
      help: 'break it into several lines, or put the text into a file that the task reads',
    });
  }

  private line(line: Line): void {
    const { raw, from } = line;
    if (from >= raw.length) {
      this.paragraph = null;
      return this.outline.blank();
    }
    const before = this.paragraph;
    this.paragraph = null;
    const c = raw[from]!;
    if (c === '#' && this.heading(line)) return;
    if ((c === '`' || c === '~') && this.openFence(line)) return;
    const text = itemText(raw, from);
    if (text > 0) return this.outline.item(line, text);
    if (before && (c === '=' || c === '-') && this.underline(line, before)) return;
    if (isRule(raw, from)) return;
    this.outline.text(line);
    if (this.outline.innerIndent === 0) this.paragraph = line;
  }

  private heading(line: Line): boolean {
    const { raw, from, indent } = line;
    if (indent > 3 || (indent > 1 && this.outline.innerIndent > 0)) return false;
    const found = readHeading(raw, from);
    if (found) this.outline.heading(found.level, found.name, { line: line.number, column: from + 1 });
    return found !== null;
  }

  /** `Title` over `=====` or `-----`. */
  private underline(line: Line, above: Line): boolean {
    const text = line.raw.slice(line.from).trimEnd();
    const sign = text[0]!;
    if (text.length < 2 || text !== sign.repeat(text.length)) return false;
    this.outline.heading(sign === '=' ? 1 : 2, above.raw.trim(), { line: above.number, column: above.from + 1 });
    return true;
  }

  private openFence(line: Line): boolean {
    const { raw, from } = line;
    const sign = raw[from]!;
    let length = 1;
    while (raw[from + length] === sign) length++;
    const info = raw.slice(from + length).trim();
    if (length < 3 || (sign === '`' && info.includes('`'))) return false;
    this.outline.close(line.indent);
    const word = /^\S*/.exec(info)![0];
    this.fence = { sign, length, info: word, line, inner: this.outline.innerIndent, content: [] };
    return true;
  }

  /** True when the block ended without being closed, and the line is still to be read. */
  private inFence(fence: Fence, line: Line): boolean {
    const { raw, from } = line;
    if (from < raw.length) {
      const text = raw.slice(from).trimEnd();
      if (text.length >= fence.length && text[0] === fence.sign && text === fence.sign.repeat(text.length)) {
        this.closeFence(fence);
        return false;
      }
      if (line.indent < fence.inner) {
        this.unclosedFence(fence);
        return true;
      }
    }
    fence.content.push(dedent(raw, fence.line.indent));
    return false;
  }

  private closeFence(fence: Fence): void {
    this.fence = null;
    const { line, sign, length, info, content } = fence;
    const edge = sign.repeat(length);
    this.outline.block({
      info,
      content: content.join('\n').trimEnd(),
      shown: [line.raw.slice(line.from).trimEnd(), ...content, edge],
      indent: line.indent,
      at: { line: line.number, column: line.from + 1 },
    });
  }

  private unclosedFence({ sign, length, line }: Fence): void {
    this.fence = null;
    this.report.error({
      code: 'unclosed-block',
      message: `the block that starts here is never closed`,
      line: line.number,
      column: line.from + 1,
      length,
      help: `end it with ${quoted(sign.repeat(length))} on a line of its own, indented like its start`,
    });
  }

  /** Comments become spaces, so that columns still fit. Null when nothing else is on the line. */
  private withoutComments(raw: string, number: number): string | null {
    let rest = '';
    let i = 0;
    while (i < raw.length) {
      if (this.comment > 0) {
        const close = raw.indexOf('-->', i);
        const end = close < 0 ? raw.length : close + 3;
        rest += ' '.repeat(end - i);
        if (close >= 0) this.comment = 0;
        i = end;
      } else {
        const open = findComment(raw, i);
        rest += raw.slice(i, open);
        i = open;
        if (open < raw.length) this.comment = number;
      }
    }
    return rest.trim() === '' && raw.trim() !== '' ? null : rest;
  }
}

/** Empty lines at the end say nothing. */
function hasMore(text: string, from: number): boolean {
  const visible = /\S/g;
  visible.lastIndex = from;
  return from < text.length && visible.test(text);
}

/** The heading whose first `#` stands there. */
function readHeading(raw: string, from: number): { readonly level: number; readonly name: string } | null {
  let level = 1;
  while (raw[from + level] === '#') level++;
  const next = raw[from + level] ?? ' ';
  if (level > 6 || (next !== ' ' && next !== '\t')) return null;
  const name = raw
    .slice(from + level)
    .replace(/\s#+\s*$/, '')
    .trim();
  return { level, name };
}

/** The start of the next comment that is not inside a code span. */
function findComment(raw: string, from: number): number {
  let i = from;
  while (i < raw.length) {
    if (raw[i] === '`') i = afterCode(raw, i);
    else if (raw.startsWith('<!--', i)) return i;
    else i++;
  }
  return raw.length;
}

function measure(raw: string, number: number): Line {
  let from = 0;
  let indent = 0;
  for (; from < raw.length; from++) {
    const c = raw[from];
    if (c === ' ') indent++;
    else if (c === '\t') indent += 4 - (indent % 4);
    else break;
  }
  return { number, raw, indent, from };
}

const itemForm = /(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)/y;

/** Where the text of a list item starts; 0 when the line is none. */
function itemText(raw: string, from: number): number {
  itemForm.lastIndex = from;
  return itemForm.test(raw) ? itemForm.lastIndex : 0;
}

/** `---`, `***`, `___`. */
function isRule(raw: string, from: number): boolean {
  return /^([-*_])(?: *\1){2,} *$/.test(raw.slice(from));
}

/** Without as much of the indentation as the block itself has. */
function dedent(raw: string, columns: number): string {
  let i = 0;
  let indent = 0;
  while (indent < columns && i < raw.length) {
    const c = raw[i];
    if (c === ' ') indent++;
    else if (c === '\t') indent += 4 - (indent % 4);
    else break;
    i++;
  }
  return i === 0 ? raw : raw.slice(i);
}
