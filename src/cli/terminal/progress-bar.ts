// A bar of fixed width: done, failed, left. One done task is already visible, and a bar is full only at the end.

import { countWords, numberWords } from '../../core/model/count-words.ts';
import type { Summary } from '../../core/rules/outcome.ts';
import type { Paint } from './paint.ts';

export type Counts = Pick<Summary, 'totalTasks' | 'completed' | 'failed' | 'skipped'>;

export function progressBar({ totalTasks, completed, failed, skipped }: Counts, width: number, paint: Paint): string {
  const good = completed + skipped;
  const share = (count: number) => (totalTasks === 0 ? 0 : Math.floor((count / totalTasks) * width));
  const bad = failed === 0 ? 0 : Math.max(1, share(failed));
  const ended = good + failed >= totalTasks ? width : Math.max(1, share(good));
  const done = good === 0 ? 0 : Math.min(width - bad, ended);
  const left = width - done - bad;
  const piece = (sign: string, count: number, color: (text: string) => string) => count && color(sign.repeat(count));
  return [piece('━', done, paint.green), piece('━', bad, paint.red), piece('─', left, paint.dim)]
    .filter(Boolean)
    .join('');
}

/** "1 running · 2 wait for a lock": one that waits does not run. */
export function runningWords(inProgress: number, waiting: number): string[] {
  const running = inProgress - waiting;
  return [
    ...(running > 0 ? [`${numberWords(running)} running`] : []),
    ...(waiting > 0 ? [`${numberWords(waiting)} ${waiting === 1 ? 'waits' : 'wait'} for a lock`] : []),
  ];
}

/** "4 of 7 completed · 2 running · 1 failed", zeros left out. @param waiting of those in progress: for a lock. */
export function countLine(summary: Summary, waiting = 0): string {
  const { totalTasks, completed, in_progress, failed, blocked, suspended, skipped, pending } = summary;
  const parts: [number, string][] = [
    [failed, 'failed'],
    [blocked, 'blocked'],
    [suspended, 'suspended'],
    [skipped, 'skipped'],
    [pending, 'pending'],
  ];
  const rest = parts.filter(([count]) => count > 0).map(([count, word]) => `${numberWords(count)} ${word}`);
  return [
    `${numberWords(completed)} of ${countWords(totalTasks, 'task')} completed`,
    ...runningWords(in_progress, waiting),
    ...rest,
  ].join(' · ');
}
