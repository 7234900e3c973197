// What stands behind a task's box: the id in one of its spellings, marks of other tools, the title, the dependencies.

import type { Report } from '../../diagnostics/report.ts';
import { readDependencies, type TitleReading } from '../dependencies.ts';
import { hasSequentialMark, withoutSequentialMark } from './sequential-mark.ts';
import { readTaskNumber } from './task-heading.ts';

export interface TaskLine extends TitleReading {
  readonly id: string | null;
  /** `[P]` behind the id. */
  readonly parallel: boolean;
  /** `[US1]` behind the id. */
  readonly labels: string[] | null;
  /** `[P]` behind an id such as `T014`: a plan of spec-kit. */
  readonly isSpecKit: boolean;
  /** `[SEQUENTIAL]` anywhere. */
  readonly sequential: boolean;
}

/** `column` is where the text starts in its line, 1-based. */
export function readTaskLine(text: string, line: number, column: number, report: Report): TaskLine {
  const found = readId(text);
  let from = found === null ? 0 : found.end;
  let parallel = false;
  let labels: string[] | null = null;
  if (found !== null && text[from] === '[') {
    for (let mark = markForm.exec(text.slice(from)); mark; mark = markForm.exec(text.slice(from))) {
      if (mark[1] === 'P') parallel = true;
      else {
        labels ??= [];
        labels.push(mark[1]!);
      }
      from += mark[0].length;
    }
  }
  const rest = from === 0 ? text : text.slice(from);
  const { title, references } = readDependencies(rest, { line, column: column + from }, report);
  const isSpecKit = parallel && found?.numberedT === true;
  const sequential = hasSequentialMark(text);
  return {
    id: found?.id ?? null,
    title: sequential ? withoutSequentialMark(title) : title,
    references,
    parallel,
    labels,
    isSpecKit,
    sequential,
  };
}

interface FoundId {
  readonly id: string;
  /** Where the title starts. */
  readonly end: number;
  readonly numberedT: boolean;
}

const markForm = /^\s*\[(P|US\d+)\](?=\s|$)/;

// Each form ends where the title starts; none of them can match in two ways, so a long line costs its length once.
const bold = /\*\*([^*\s]+?):?\*\*(?=[\s:]|$)/y;
const code = /`([^`\s]+)`(?=[\s:]|$)/y;
// Lower case, or of an alphabet without cases.
const word = /([\p{Ll}\p{Lm}\p{Lo}0-9][\p{Ll}\p{Lm}\p{Lo}\p{M}\p{Nd}_-]*):(?=\s|$)/uy;
const numbered = /(\d+(?:\.\d+)+|\d+(?=[.):]))[.):]?(?=\s|$)/y;
const lettered = /(T\d+|[A-Z][A-Z0-9]*-\d+):?(?=\s|$)/y;

/** The first letter tells which form it can be, so a plain title is looked at once. */
function formFor(text: string): RegExp | null {
  const first = text[0] ?? '';
  if (first === '*') return bold;
  if (first === '`') return code;
  if (/[0-9]/.test(first)) return numbered;
  if (/[A-Z]/.test(first)) return lettered;
  return /[a-z]|[^\0-\x7f]/.test(first) ? word : null;
}

function readId(text: string): FoundId | null {
  const task = /^(?:\*\*)?t/i.test(text) ? readTaskNumber(text) : null;
  if (task !== null) return { id: task.id, end: titleStart(text, task.from), numberedT: false };
  let form = formFor(text);
  if (form === null) return null;
  form.lastIndex = 0;
  let match = form.exec(text);
  if (match === null && form === numbered) {
    form = word;
    form.lastIndex = 0;
    match = form.exec(text);
  }
  if (match === null) return null;
  return {
    id: match[1]!,
    end: titleStart(text, match[0].length),
    numberedT: form === lettered && text.startsWith('T') && !match[1]!.includes('-'),
  };
}

/** Behind the id there may be a colon, and a dash that stands free. */
function titleStart(text: string, from: number): number {
  let i = text[from] === ':' ? from + 1 : from;
  while (isBlank(text[i])) i++;
  const isDash = text[i] === '-' || text[i] === '–' || text[i] === '—';
  if (!isDash || !isBlank(text[i + 1])) return i;
  i++;
  while (isBlank(text[i])) i++;
  return i;
}

const isBlank = (c: string | undefined): boolean => c === ' ' || c === '\t' || c === '\u00a0';
