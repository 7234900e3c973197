// A task and everything in it as lines of the native form.

import { filler } from '../../check/resolve-needs.ts';
import type { Reference } from '../../read/raw-plan.ts';
import type { Source } from './format-markdown.ts';
import { indentOf } from './kept-lines.ts';
import { countMarks, writeTask } from './write-task.ts';

/** Adds them to `out`; false when one of them cannot be written. Without recursion: plans can be deep. */
export function writeTree(all: Source, root: number, out: string[]): boolean {
  const { source, tasks, margin: place, outline } = all;
  const isOwnLine = outline.tasks.length > 0 && !outline.sections.has(root);
  const start = isOwnLine && place === 'kept' ? indentOf(source[tasks[root]!.line - 1]!) : 0;
  if (!writeOne(all, root, ' '.repeat(start), out)) return false;
  if (tasks[root + 1]?.parent !== root) return true;
  const depths = new Map<number, number>([[root, start]]);
  for (let i = root + 1; i < tasks.length; i++) {
    const around = depths.get(tasks[i]!.parent);
    if (around === undefined) break;
    depths.set(i, around + 2);
    if (!writeOne(all, i, ' '.repeat(around + 2), out)) return false;
  }
  return true;
}

function writeOne(all: Source, i: number, margin: string, out: string[]): boolean {
  const { notes, layout } = all;
  const lines = taskLines(all, i, margin);
  if (lines === null) return false;
  for (const text of lines) out.push(text === '' ? '' : margin + text);
  for (const text of notes.of.get(i) ?? none) out.push(text === '' ? '' : `${margin}  ${text}`);
  for (const text of layout.remarks.get(i) ?? none) out.push(`${margin}  <!-- ${text.replaceAll('-->', '—>')} -->`);
  return true;
}

function taskLines(all: Source, i: number, margin: string): string[] | null {
  const { source, tasks, manner, named, outline } = all;
  const task = tasks[i]!;
  const kiro = outline.kiro !== null;
  const every = task.references ?? none;
  const references = every.length > 1 ? withoutFillers(every, all) : every;
  const isOwnLine = outline.tasks.length > 0 && !outline.sections.has(i);
  const own = isOwnLine
    ? {
        line: source[task.line - 1]!.slice(task.column - 1).trimEnd(),
        inLine: every.filter(({ line }) => line === task.line),
        ...(task.prompt?.includes('[SEQUENTIAL]') ? { marks: countMarks(ownLines(all, i).join('\n')) } : {}),
        stands: (lines: readonly string[]) => standsAt(all, i, margin, lines),
      }
    : {};
  const name = task.id === null ? (manner.ids?.[i] ?? null) : null;
  const withName = name === null ? null : writeTask({ ...task, id: name, references }, { ...own, kiro });
  if (name !== null && withName !== null) named.push(name);
  // A title such as `- x` cannot stand behind an id.
  return (
    withName ??
    writeTask({ ...task, references }, { ...own, kiro }) ??
    (references === every ? null : writeTask({ ...task, references: every }, { ...own, kiro }))
  );
}

/** Up to the first that belongs to another task. */
function ownLines({ source, tasks, outline }: Source, task: number): readonly string[] {
  const first = tasks[task]!.line;
  let end = first;
  while (end <= source.length && (outline.ofTask[end] === task || source[end - 1]!.trim() === '')) end++;
  return source.slice(first - 1, end - 1);
}

const none: readonly never[] = [];

/** "Task 1 and 2" names 1 and 2, unless a task is called "and". */
function withoutFillers(references: readonly Reference[], { isId }: Source): readonly Reference[] {
  const isWord = ({ text }: Reference) => filler.has(text.toLowerCase()) && !isId(text);
  const named = references.some(isWord) ? references.filter((reference) => !isWord(reference)) : references;
  // Who names nothing has still said that only names count.
  return named.length > 0 ? named : references;
}

/** Whether the file has exactly these lines there: what was read from them needs no second reading. */
function standsAt({ source, tasks, outline }: Source, task: number, margin: string, lines: readonly string[]): boolean {
  const first = tasks[task]!.line;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    if (source[first - 1 + i] !== (line === '' ? '' : margin + line)) return false;
  }
  const next = first + lines.length;
  return outline.ofTask[next] !== task || source[next - 1]?.trim() === '';
}
