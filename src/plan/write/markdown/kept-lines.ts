// What stays as its author wrote it when a markdown plan is rewritten: text, headings and comments outside of tasks.
import { afterCode } from '../../read/dependencies.ts';
import type { RawTask } from '../../read/raw-plan.ts';
import type { RecordingOutline } from './recording-outline.ts';

interface Source {
  readonly source: readonly string[];
  readonly outline: RecordingOutline;
  readonly notes: Notes;
}

/** A line outside of tasks as it stays, or null: empty, part of a comment that cannot be kept, or moved into a task. */
export function keptLine({ source, outline, notes }: Source, number: number): string | null {
  const raw = source[number - 1]!.trimEnd();
  if (raw === '' && !notes.inside.has(number)) return null;
  if (outline.comments.has(number) || notes.inside.has(number)) return notes.kept.has(number) ? raw : null;
  const seen = outline.outside.get(number);
  if (seen === undefined || seen.trimEnd() === raw) return raw;
  return blanked(raw).trimEnd() === seen.trimEnd() ? raw : seen.trimEnd();
}

/** Directly behind a task a line of text would be taken for its prose. */
export function isSetOff({ source, outline, notes }: Source, number: number, last: string): boolean {
  if (source[number - 2]?.trim() === '') return !notes.inside.has(number - 1);
  return last === 'task' && !notes.inside.has(number) && !outline.items.has(number);
}

export interface Notes {
  /** Comments inside a task, to be written behind its own lines. */
  readonly of: ReadonlyMap<number, string[]>;
  /** Lines of whole comments outside of tasks. */
  readonly kept: ReadonlySet<number>;
  /** Empty lines inside of comments. */
  readonly inside: ReadonlySet<number>;
}

/** Comments that have their lines to themselves are kept, and those beside the text of a task; parts of longer ones are not. */
export function notesOf(source: readonly string[], tasks: readonly RawTask[], outline: RecordingOutline): Notes {
  const of = new Map<number, string[]>();
  const kept = new Set<number>();
  const inside = new Set<number>();
  for (const line of outline.beside) {
    const owner = outline.ofTask[line]!;
    if (owner >= 0) of.set(owner, [...(of.get(owner) ?? []), ...commentsIn(source[line - 1]!)]);
  }
  if (outline.comments.size === 0) return { of, kept, inside };
  for (const { from, to } of commentRuns(source, outline)) {
    const lines = source.slice(from - 1, to);
    if (!isWhole(lines.join('\n'))) continue;
    const owner = ownerOf(from, to, source, outline);
    for (let n = from; n <= to; n++) {
      inside.add(n);
      if (owner === null) kept.add(n);
    }
    if (owner !== null && tasks[owner]) of.set(owner, [...(of.get(owner) ?? []), ...lines.map((line) => line.trim())]);
  }
  return { of, kept, inside };
}

/** Lines of comment with only empty lines between, first to last. */
function commentRuns(source: readonly string[], outline: RecordingOutline): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const number of [...outline.comments].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    const between = last ? source.slice(last.to, number - 1) : [];
    const opens = last ? !isWhole(source.slice(last.from - 1, last.to).join('\n')) : false;
    if (last && opens && between.every((line) => line.trim() === '')) last.to = number;
    else runs.push({ from: number, to: number });
  }
  return runs;
}

function isWhole(text: string): boolean {
  let i = 0;
  while (i < text.length) {
    if (/\s/.test(text[i]!)) i++;
    else {
      const close = text.startsWith('<!--', i) ? text.indexOf('-->', i) : -1;
      if (close < 0) return false;
      i = close + 3;
    }
  }
  return true;
}

/** The task before it, when lines of the same top-level task follow. */
function ownerOf(from: number, to: number, source: readonly string[], outline: RecordingOutline): number | null {
  const saysNothing = (number: number) => outline.comments.has(number) || source[number - 1]?.trim() === '';
  let [first, last] = [from - 1, to + 1];
  while (saysNothing(first)) first--;
  while (saysNothing(last)) last++;
  const before = outline.ofTask[first] ?? -1;
  const behind = outline.ofTask[last] ?? -1;
  return before >= 0 && behind >= 0 && rootOf(before, outline) === rootOf(behind, outline) ? before : null;
}

function rootOf(task: number, { tasks }: RecordingOutline): number {
  let root = task;
  while (tasks[root]!.parent >= 0) root = tasks[root]!.parent;
  return root;
}

/** Comments that begin and end in a line with text. */
function commentsIn(raw: string): string[] {
  const rest = blanked(raw);
  const found: string[] = [];
  for (const { index, 0: comment } of raw.matchAll(/<!--.*?-->/g)) {
    if (rest.slice(index, index + comment.length).trim() === '') found.push(comment);
  }
  return found;
}

/** With the comments that begin and end in it replaced by spaces. */
function blanked(raw: string): string {
  let out = '';
  let i = 0;
  while (i < raw.length) {
    const end = raw[i] === '`' ? afterCode(raw, i) : i + 1;
    const close = raw.startsWith('<!--', i) ? raw.indexOf('-->', i) : -1;
    if (close >= 0) out += ' '.repeat(close + 3 - i);
    else out += raw.slice(i, end);
    i = close >= 0 ? close + 3 : end;
  }
  return out;
}

/** In columns. */
export function indentOf(line: string): number {
  let indent = 0;
  for (const c of line) {
    if (c === ' ') indent++;
    else if (c === '\t') indent += 4 - (indent % 4);
    else break;
  }
  return indent;
}
