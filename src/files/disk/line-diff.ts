// The difference of two texts by lines, in the unified form. Finding the shortest one takes time by the square of its length. So for texts
// with little in common, everything from the first to the last different line is shown as replaced.
import { formatPatch, OMIT_HEADERS, type StructuredPatchHunk, structuredPatch } from 'diff';

const mostEdits = 2000;

/** Empty when the texts are the same. @param context how many lines around each change are told */
export function lineDiff(before: string, after: string, context = 3): string {
  if (before === after) return '';
  const patch = structuredPatch('', '', before, after, '', '', { context, maxEditLength: mostEdits });
  const hunks = patch?.hunks ?? [replacement(linesOf(before), linesOf(after))];
  return formatPatch({ oldFileName: '', newFileName: '', oldHeader: '', newHeader: '', hunks }, OMIT_HEADERS);
}

function replacement(a: readonly string[], b: readonly string[]): StructuredPatchHunk {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const removed = a.slice(start, a.length - end);
  const added = b.slice(start, b.length - end);
  return {
    oldStart: start + 1,
    oldLines: removed.length,
    newStart: start + 1,
    newLines: added.length,
    lines: [...signed('-', removed), ...signed('+', added)],
  };
}

/** Each with its line end, so that a missing one at the end is a difference too. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const signed = (sign: string, lines: readonly string[]): string[] =>
  lines.flatMap((line) =>
    line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, '\\ No newline at end of file'],
  );
