// Marks with a slip in them, such as `[SEQUENTAL]` or `[p]`: they would be part of a title, and tasks would run side by side, or not.
import { quoted } from '../diagnostics/diagnostic.ts';
import { editDistance } from '../diagnostics/nearest.ts';
import type { Report } from '../diagnostics/report.ts';

const mark = /\[([sS][A-Za-z]{5,13})\](?![(:[])/g;
const known = 'SEQUENTIAL';
/** Where `[P]` is read: behind the id of a task, and the marks there. */
const parallel =
  /^[ \t]*(?:[-*+]|\d+[.)])[ \t]+\[.\]\*?[ \t]+[^\s[][^\s[]*(?:[ \t]+\[(?:P|US\d+)\])*[ \t]+(\[ ?[pP]{1,3} ?\])(?![(:[])/gm;

export function tellNearlyMarks(text: string, report: Report): void {
  tellSequential(text, report);
  tellParallel(text, report);
}

function tellParallel(text: string, report: Report): void {
  if (!/\[ ?[pP]{1,3} ?\]/.test(text)) return;
  for (const match of text.matchAll(parallel)) {
    const [, found] = match;
    if (found === '[P]') continue;
    report.warning({
      code: 'nearly-mark',
      message: `${quoted(found!)} is text, and no mark: the task does not run beside others because of it`,
      ...report.placeOf(match.index + match[0].length - found!.length),
      length: found!.length,
      help: 'did you mean `[P]`?',
    });
  }
}

function tellSequential(text: string, report: Report): void {
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
