// Marks with a slip in them, such as `[SEQUENTAL]`: they would be part of a title, and the tasks would run side by side.
import { quoted } from '../diagnostics/diagnostic.ts';
import { editDistance } from '../diagnostics/nearest.ts';
import type { Report } from '../diagnostics/report.ts';

const mark = /\[([sS][A-Za-z]{5,13})\](?![(:[])/g;
const known = 'SEQUENTIAL';

export function tellNearlyMarks(text: string, report: Report): void {
  if (!/\[[sS][a-zA-Z]{5,13}\]/.test(text)) return;
  for (const match of text.matchAll(mark)) {
    const word = match[1]!;
    if (word === known || editDistance(word.toUpperCase(), known, 4) > 3) continue;
    report.warning({
      code: 'nearly-mark',
      message: `${quoted(`[${word}]`)} is text, and no mark: tasks do not run one after the other because of it`,
      ...report.placeOf(match.index),
      length: match[0].length,
      help: `did you mean ${quoted(`[${known}]`)}?`,
    });
  }
}
