// Rewrites the tasks of a markdown plan in one spelling and keeps everything between them: front matter, headings, prose,
// comments on lines of their own. What is kept is copied from the source; only tasks are written anew.
import { afterCode } from '../dependencies.ts';
import type { RawTask } from '../raw-plan.ts';
import { Report } from '../report.ts';
import { readFrontMatter } from './front-matter.ts';
import { readMarkdown } from './read-markdown.ts';
import { RecordingOutline } from './recording-outline.ts';
import { writeTask } from './write-task.ts';

export interface MarkdownManner {
  /** By task: what to call those whose author gave them no id; null leaves them without. */
  readonly ids: readonly string[] | null;
}

export interface FormattedMarkdown {
  readonly text: string;
  /** Ids that were written for the first time. */
  readonly named: readonly string[];
}

/** Null when a task cannot be written, or stands in a form of its own. `text` is a plan without mistakes. */
export function formatMarkdown(text: string, manner: MarkdownManner): FormattedMarkdown | null {
  const report = new Report('', text);
  const outline = new RecordingOutline(report);
  const { tasks } = readMarkdown(text, report, outline);
  const front = readFrontMatter(text, report);
  const source = text.split('\n');
  const margin = mayMove(source, tasks, outline) ? 'none' : 'kept';
  const notes = notesOf(source, tasks, outline);
  const all: Source = { source, tasks, outline, manner, margin, notes, named: [] };
  const out: string[] = front.next > 0 ? [...source.slice(0, front.line - 1)] : [];
  let last: 'front' | 'task' | 'kept' | 'start' = front.next > 0 ? 'front' : 'start';
  let before = 0;
  for (let number = front.line; number <= source.length; number++) {
    const owner = outline.ofTask.get(number);
    if (owner !== undefined) {
      const task = tasks[owner];
      if (!task) return null; // a task in a form of its own
      const { line, parent } = task;
      if (line !== number || parent >= 0) continue;
      const written = writeTree(all, owner);
      if (written === null) return null;
      for (const line of written) out.push(line);
      last = 'task';
      continue;
    }
    const kept = keptLine(all, number);
    // At the top of a file it would open front matter.
    if (kept === null || (out.length === 0 && kept.startsWith('---'))) continue;
    // Where a comment was left out, the lines around it must not become neighbours: `---` under a text makes it a heading.
    const isSeparate =
      isSetOff(all, number, last) || (last === 'kept' && before !== number - 1 && !outline.underlined.has(before));
    if (last !== 'start' && out.at(-1) !== '' && isSeparate) out.push('');
    out.push(kept);
    before = number;
    if (!all.notes.inside.has(number)) last = 'kept';
    // One empty line stays where there was one or more.
    if (source[number]?.trim() === '' && !all.notes.inside.has(number + 1)) out.push('');
  }
  while (out.at(-1) === '') out.pop();
  return { text: `${out.join('\n')}\n`, named: all.named };
}

interface Source {
  readonly source: readonly string[];
  readonly tasks: readonly RawTask[];
  readonly outline: RecordingOutline;
  readonly manner: MarkdownManner;
  /** Where top-level tasks stand: at the margin, or where they stood. */
  readonly margin: 'none' | 'kept';
  readonly notes: Notes;
  readonly named: string[];
}

/** A task and everything in it. Without recursion: plans can be deep. */
function writeTree(all: Source, root: number): string[] | null {
  const { source, tasks, manner, notes, margin: place, named } = all;
  const kiro = all.outline.kiro !== null;
  const out: string[] = [];
  const depths = new Map<number, number>([[root, place === 'kept' ? indentOf(source[tasks[root]!.line - 1]!) : 0]]);
  for (let i = root; i < tasks.length; i++) {
    const task = tasks[i]!;
    if (i > root) {
      const around = depths.get(task.parent);
      if (around === undefined) break;
      depths.set(i, around + 2);
    }
    const references = task.references ?? [];
    const inLine = references.filter(({ line }) => line === task.line);
    const name = task.id === null ? (manner.ids?.[i] ?? null) : null;
    const line = source[task.line - 1]!.slice(task.column - 1).trimEnd();
    const withName = name === null ? null : writeTask({ ...task, id: name, references }, { line, inLine, kiro });
    if (name !== null && withName !== null) named.push(name);
    // A title such as `- x` cannot stand behind an id.
    const lines = withName ?? writeTask({ ...task, references }, { line, inLine, kiro });
    if (lines === null) return null;
    const margin = ' '.repeat(depths.get(i)!);
    for (const text of lines) out.push(text === '' ? '' : margin + text);
    for (const text of notes.of.get(i) ?? []) out.push(text === '' ? '' : `${margin}  ${text}`);
  }
  return out;
}

/**
 * Indented lines between tasks would fall into a task that moves to the left of them, and a task inside a plain item would
 * come out of it, under a heading that may make a criterion of it.
 */
function mayMove(source: readonly string[], tasks: readonly RawTask[], outline: RecordingOutline): boolean {
  const isBetween = (number: number) => !outline.ofTask.has(number) && !outline.comments.has(number);
  if (source.some((line, i) => isBetween(i + 1) && line.trim() !== '' && indentOf(line) >= 2)) return false;
  return outline.items.size === 0 || tasks.every(({ parent, line }) => parent >= 0 || indentOf(source[line - 1]!) < 2);
}

function indentOf(line: string): number {
  let indent = 0;
  for (const c of line) {
    if (c === ' ') indent++;
    else if (c === '\t') indent += 4 - (indent % 4);
    else break;
  }
  return indent;
}

/** A line outside of tasks as it stays, or null: empty, part of a comment that cannot be kept, or moved into a task. */
function keptLine({ source, outline, notes }: Source, number: number): string | null {
  const raw = source[number - 1]!.trimEnd();
  if (raw === '' && !notes.inside.has(number)) return null;
  if (outline.comments.has(number) || notes.inside.has(number)) return notes.kept.has(number) ? raw : null;
  const seen = outline.outside.get(number);
  if (seen === undefined || seen.trimEnd() === raw) return raw;
  return blanked(raw).trimEnd() === seen.trimEnd() ? raw : seen.trimEnd();
}

/** Directly behind a task a line of text would be taken for its prose. */
function isSetOff({ source, outline, notes }: Source, number: number, last: string): boolean {
  if (source[number - 2]?.trim() === '') return !notes.inside.has(number - 1);
  return last === 'task' && !notes.inside.has(number) && !outline.items.has(number);
}

interface Notes {
  /** Comments inside a task, to be written behind its own lines. */
  readonly of: ReadonlyMap<number, string[]>;
  /** Lines of whole comments outside of tasks. */
  readonly kept: ReadonlySet<number>;
  /** Empty lines inside of comments. */
  readonly inside: ReadonlySet<number>;
}

/** Comments that have their lines to themselves are kept; those that begin or end beside text are not. */
function notesOf(source: readonly string[], tasks: readonly RawTask[], outline: RecordingOutline): Notes {
  const of = new Map<number, string[]>();
  const kept = new Set<number>();
  const inside = new Set<number>();
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
  const before = outline.ofTask.get(first);
  const behind = outline.ofTask.get(last);
  const isInside = before !== undefined && behind !== undefined && rootOf(before, outline) === rootOf(behind, outline);
  return isInside ? before : null;
}

function rootOf(task: number, { tasks }: RecordingOutline): number {
  let root = task;
  while (tasks[root]!.parent >= 0) root = tasks[root]!.parent;
  return root;
}

/** With the comments that begin and end in it replaced by spaces. */
function blanked(raw: string): string {
  let out = '';
  let i = 0;
  while (i < raw.length) {
    const end = raw.charCodeAt(i) === 0x60 ? afterCode(raw, i) : i + 1;
    const close = raw.startsWith('<!--', i) ? raw.indexOf('-->', i) : -1;
    if (close >= 0) out += ' '.repeat(close + 3 - i);
    else out += raw.slice(i, end);
    i = close >= 0 ? close + 3 : end;
  }
  return out;
}
