// `[SEQUENTIAL]` in a heading, behind a task, or in a note such as `**Execution Note:** Tasks 1.1-1.3 are [SEQUENTIAL]`: what
// it names runs one after the other, in the order of the file.

import type { Place } from '../../diagnostics/report.ts';
import { splitReferences } from '../dependencies.ts';
import type { Reference } from '../raw-plan.ts';

/** Cheap enough to ask of every line. */
export const hasSequentialMark = (text: string): boolean => text.includes('[SEQUENTIAL]');

export function withoutSequentialMark(text: string): string {
  const parts = text.split('[SEQUENTIAL]').map((part) => part.trim());
  return parts.filter((part) => part !== '').join(' ');
}

/** The tasks that a note names; null when it speaks of all tasks under its heading. `at` is where the text starts. */
export function readSequentialNote(text: string, at: Place): Reference[] | null {
  const match = noteForm.exec(text);
  if (match === null) return null;
  const [before, ids] = [match[1]!, match[2]!];
  return splitReferences(ids, { line: at.line, column: at.column + match.index + before.length }, 'need');
}

/** "Tasks in this phase are …" names none. */
const noteForm =
  /(\btasks?\s+)(?!(?:in|of|on|under|below|above|here|within|are|is|must)\b)([^[\]]{1,400}?)\s+(?:are|is|must|run)\b/i;
