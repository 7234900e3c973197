// Tasks that are headings, as boxes: what has to change around them. A heading of prose beside them closes nothing when they
// are boxes, so it would become their phase; it is set in bold instead, or the phase's own heading is repeated.

import { readItem } from '../../read/markdown/attribute.ts';
import { readBox } from '../../read/markdown/box.ts';
import { hasSequentialMark, readSequentialNote } from '../../read/markdown/sequential-mark.ts';
import type { RawPlan } from '../../read/raw-plan.ts';
import type { Doubt, Group, Layout } from './format-markdown.ts';
import type { RecordingOutline } from './recording-outline.ts';

interface Open {
  line: number;
  readonly level: number;
  readonly name: string;
  /** Has tasks directly under it. */
  used: boolean;
}

export function layOutSections(source: readonly string[], raw: RawPlan, outline: RecordingOutline): Layout {
  const groups = new Map<number, Group[]>();
  const replaced = new Set<number>();
  const demoted = new Set<number>();
  const none: Layout = {
    groups,
    replaced,
    demoted,
    doubtful: () => null,
    remarks: new Map(),
    title: null,
    goesBack: -1,
  };
  if (outline.sections.size === 0) return none;
  const root: Open = { line: 0, level: 0, name: '', used: false };
  let open: Open[] = [root];
  let last: Open | null = null;
  let goesBack = -1;
  let next = 0;
  raw.tasks.forEach((task, i) => {
    const first = next;
    for (; next < outline.seen.length && outline.seen[next]!.line < task.line; next++) {
      const heading = outline.seen[next]!;
      const isTitle = heading.level === 1 && heading.name === outline.headings.title && open.length === 1 && !root.used;
      open = isTitle ? [root] : [...open.filter(({ level }) => level < heading.level), { ...heading, used: false }];
      if (isTitle) root.line = heading.line;
    }
    if (task.parent >= 0) return;
    const level = outline.sections.get(i) ?? 7;
    open = open.filter((heading) => heading.level < level);
    const phase = open.at(-1)!;
    if (phase.used && phase !== last && goesBack < 0) goesBack = i;
    const isBehindOther = last !== null && last !== phase && last.line >= phase.line;
    if (isBehindOther) {
      const heading = `${'#'.repeat(phase.level || 2)} ${phase.name}`.trim();
      groups.set(task.line, [{ heading, tasks: [i] }]);
    } else if (level < 7) {
      // Each of them is open as long as none behind it closes it, and those become text as well.
      for (const { line } of outline.seen.slice(first, next)) if (line > phase.line) demote(line);
    }
    last = phase;
    phase.used = true;
  });
  return {
    ...none,
    doubtful: (line) => (isUnderDemoted(line) ? 'all' : null),
    remarks: remarksOf(source, raw, outline),
    goesBack,
  };

  function demote(line: number): void {
    demoted.add(line);
    if (outline.underlined.has(line)) replaced.add(line + 1);
  }

  function isUnderDemoted(line: number): boolean {
    // The last heading above it, by halves: a plan may have thousands.
    let [low, high] = [0, outline.seen.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (outline.seen[middle]!.line <= line) low = middle + 1;
      else high = middle;
    }
    return low > 0 && demoted.has(outline.seen[low - 1]!.line);
  }
}

/** `**Depends on:** Task 1 (needs the formatter)`: what is in parentheses is nobody's need. */
function remarksOf(source: readonly string[], raw: RawPlan, { sections }: RecordingOutline): Map<number, string[]> {
  const remarks = new Map<number, string[]>();
  for (const i of sections.keys()) {
    const { references, line } = raw.tasks[i]!;
    const lines = new Set(references?.map((reference) => reference.line).filter((number) => number !== line));
    const found = [...lines]
      .map((number) => source[number - 1]!.replace(/\*\*|__/g, '').trim())
      .filter((text) => /\(.*\)/.test(text));
    if (found.length > 0) remarks.set(i, found);
  }
  return remarks;
}

/** So that it says to a person what it did, and nothing to the reader: a key, a box, a mark that would hold for other tasks. */
export function escapeMarks(text: string, { doubt, isItem }: { doubt: Doubt | null; isItem: boolean }): string {
  if (doubt === null) return text;
  const at = { line: 1, column: 1 };
  const item = isItem ? /^\s*(?:[-*+]|\d+[.)])\s+/.exec(text)?.[0].length : undefined;
  const isKey = item !== undefined && readItem(text.slice(item), at, 'phase').kind !== 'prose';
  const plain = isKey ? text.replace(':', '\\:') : text;
  const isBox = item !== undefined && text[item] === '[' && readBox(text, item) !== null;
  if (isBox) return `${text.slice(0, item)}\\${text.slice(item)}`;
  const isMark = doubt === 'all' && hasSequentialMark(plain) && readSequentialNote(plain, at) === null;
  return isMark ? plain.replaceAll('[SEQUENTIAL]', '[SEQUENTIAL\\]') : plain;
}
