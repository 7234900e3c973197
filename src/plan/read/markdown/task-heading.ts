// Plans whose tasks are headings, `### Task 3: Title`: all below such a heading belongs to the task, up to the next one of its
// level. Boxes there are steps, not tasks. What looks like a dependency is one; all else but known keys is prose.

import type { Place } from '../../diagnostics/report.ts';
import { splitReferences } from '../dependencies.ts';
import type { Reference } from '../raw-plan.ts';
import type { Criteria } from './headings.ts';

/** The open one, while its lines are read. */
export interface TaskSection {
  readonly level: number;
  readonly task: number;
  /** Boxes now are criteria. */
  criteria: Criteria | null;
  steps: number;
  ticked: number;
}

/** `Task 3: Title`, `**Task 3:** Title` → its number, and where the title starts; in a heading and behind a box. */
export function readTaskNumber(name: string): { readonly id: string; readonly from: number } | null {
  const match = numberForm.exec(name);
  return match ? { id: (match[1] ?? match[2])!, from: match[0].length } : null;
}

const numberForm =
  /^(?:Task\s+(\d+(?:\.\d+)*)\s*(?::|[.–—-](?=\s))|\*\*Task\s+(\d+(?:\.\d+)*)\s*(?:[:.]\*\*|\*\*:?(?=\s)))\s*/i;

/** `**Depends on:** Task 1, Task 2`, with or without the stars; null for any other line. */
export function readNeedsLine(text: string, at: Place): Reference[] | null {
  const match = needsForm.exec(text);
  if (match === null) return null;
  const kind = /^prefers/i.test(match[1]!) ? 'preference' : 'need';
  // Remarks become spaces, so that columns still fit.
  const ids = text.slice(match[0].length).replace(/\([^()]*\)/g, (remark) => ' '.repeat(remark.length));
  if (/^\s*(?:none|nothing|no|n\/a|[-–—])(?![\w])/i.test(ids)) return [];
  return splitReferences(ids.trimEnd(), { line: at.line, column: at.column + match[0].length }, kind);
}

const needsForm =
  /^(?:\*\*|__)?(depends on|depends|dependencies|dependency|needs|blocked by|prefers)(?:(?:\*\*|__):|:(?:\*\*|__)?)\s*/i;
