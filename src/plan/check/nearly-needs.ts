// Titles that end with what their author surely meant as needs, in a spelling that is none: `Test --> a`, `Test ⇒ a`,
// `Test (needs a)`; and items `- needs a` under a task. Only where every word behind it is the id of a task; anything else is a title.
import { quoted } from '../diagnostics/diagnostic.ts';
import type { Place, Report } from '../diagnostics/report.ts';
import type { NearlyNeed, RawPlan, RawTask } from '../read/raw-plan.ts';

const arrows = ['->', '~>', '=>', '–>', '—>', '<-', '<=', '←', '⇐', '⟵', '⇒', '⟶', '⟹', '➜', '➔', '➝', '➞', '➡', '↦'];
const words = [
  '(needs ',
  '(depends ',
  '(after ',
  '(requires ',
  '(blocked ',
  '(prefers ',
  '(Needs ',
  '(Depends ',
  '(After ',
];

/** An arrow stands free on one side at least, or it is part of a word. */
const arrowTail =
  /(?:(?<=\s)(?<sign>[<-]?[-–—=~]+>|<[-=]+|[←⇐⟵⇒⟶⟹➜➔➝➞➡→↦]\ufe0f?)|(?<glued>[-–—=~]+>|<[-=]+|[←⇐⟵⇒⟶⟹➜➔➝➞➡→↦]\ufe0f?)(?=\s))\s*(?<ids>[^`<>]+)$/u;
const wordTail = /\((?<word>needs|depends|after|requires|blocked|prefers)\s+(?<ids>[^()`:]+)\)\s*$/i;

/** Nearly every plan has none of these signs, and no title of it is looked at. */
const mayHaveAny = (text: string): boolean => [...arrows, ...words].some((sign) => text.includes(sign));

export function tellNearlyNeeds({ tasks, nearly }: RawPlan, text: string, report: Report): void {
  if (nearly !== undefined && nearly.length > 0) tellItems(nearly, tasks, report);
  if (!mayHaveAny(text)) return;
  let ids: Set<string> | null = null;
  for (const task of tasks) {
    const { title } = task;
    const tail = title.length > 2_000 ? null : (wordTail.exec(title) ?? arrowTail.exec(title));
    if (tail === null) continue;
    ids ??= new Set(tasks.map(({ id }) => id ?? ''));
    const named = wordsOf(tail.groups!.ids!);
    if (named.length > 0 && named.every((word) => word !== task.id && ids!.has(word))) tell(task, tail, named, report);
  }
}

const wordsOf = (list: string): string[] => list.split(/[\s,;&]+|\band\b/).filter((word) => word !== '');

const item = /^(needs|depends on|depends|requires|blocked by|after|prefers)[ \t]+([^\s:`][^:`]*)$/i;

/** An item under a task that would set a key if it had a colon. */
export function readNearlyNeed(text: string, at: Place): NearlyNeed | null {
  const match = text.length > 300 ? null : item.exec(text);
  return match ? { ...at, text, word: match[1]!, ids: wordsOf(match[2]!.replace(/\.$/, '')) } : null;
}

function tellItems(nearly: readonly NearlyNeed[], tasks: readonly RawTask[], report: Report): void {
  const known = new Set(tasks.map(({ id }) => id));
  for (const { line, column, text, word, ids } of nearly) {
    if (!ids.every((id) => known.has(id))) continue;
    report.error({
      code: 'nearly-need',
      message: `${quoted(text)} is prose, and no need`,
      line,
      column,
      length: text.length,
      help: `write \`- ${/^prefers/i.test(word) ? 'prefers' : 'needs'}: ${ids.join(', ')}\`, with a colon`,
    });
  }
}

function tell({ line, column }: RawTask, { groups, 0: tail }: RegExpExecArray, named: string[], report: Report): void {
  const { sign, glued, word } = groups!;
  const written = sign ?? glued ?? `(${word}`;
  const isSoft = word?.toLowerCase() === 'prefers' || written.includes('~');
  const found = report.lineAt(line).indexOf(tail, column - 1);
  const first = tail.search(/\S/);
  report.error({
    code: 'nearly-need',
    message: `${quoted(tail.trim())} is part of the title, and no need`,
    line,
    column: found < 0 ? column : found + first + 1,
    length: found < 0 ? 1 : tail.trim().length,
    help:
      word === undefined
        ? `write \`${isSoft ? '~>' : '→'} ${named.join(', ')}\` with a space before it; an arrow that is text goes in backticks`
        : `write \`(${isSoft ? 'prefers' : 'needs'}: ${named.join(', ')})\`, with a colon`,
  });
}
