// What a merge says came of it: one JSON object, the last line that it prints. Checks print before it, and what they print is not ours.
import { readEnd } from '../../agents/process/output-tail.ts';
import type { MergeAnswer } from '../../core/rules/job-end.ts';

/** More than any answer; what is cut off at the front is no whole line. */
const mostBytes = 512 * 1024;
/** So that nothing that a check prints is taken for it by accident. */
const sign = 'signalbox merge: ';

export const mergeAnswerLine = (answer: MergeAnswer): string => `${sign}${JSON.stringify(answer)}\n`;

/** Null: it ended without one. */
export function readMergeAnswer(file: string): MergeAnswer | null {
  const last = readEnd(file, mostBytes).trimEnd().split('\n').at(-1) ?? '';
  if (!last.startsWith(sign)) return null;
  try {
    return JSON.parse(last.slice(sign.length)) as MergeAnswer;
  } catch {
    return null;
  }
}

/** What was printed before it, for agents. @param printed as far as its end */
export function withoutAnswer(printed: string): string {
  const lines = printed.trimEnd().split('\n');
  return lines.at(-1)?.startsWith(sign) ? lines.slice(0, -1).join('\n').trimEnd() : printed;
}
