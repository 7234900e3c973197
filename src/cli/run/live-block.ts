// The lines at the bottom of the terminal during a run: a bar, counts, and every running task that fits, with its time and what its agent
// does. Never wider than the terminal, no word of it broken, and never so high that nothing is seen of what happened before.

import { numberWords } from '../../core/model/count-words.ts';
import { describeElapsed } from '../../core/model/duration-words.ts';
import { safeLine } from '../json/plain-data.ts';
import { cutToWidth, displayWidth, padToWidth } from '../terminal/display-width.ts';
import type { Paint } from '../terminal/paint.ts';
import { progressBar, runningWords } from '../terminal/progress-bar.ts';
import { shorten } from '../terminal/whole-words.ts';
import { describeHeldBack } from '../text/describe/describe-held-back.ts';
import { signs } from '../text/signs.ts';
import type { RunProgress } from './run-progress.ts';

export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  readonly now: number;
  readonly paint: Paint;
}

/** An action of fewer columns says nothing. */
const leastAction = 6;
/** Rows that stay free for what has happened. */
const leastAbove = 5;
/** Of tasks that wait for their next attempt. */
const mostWaiting = 6;

export function liveBlock(progress: RunProgress, terminal: Terminal): string[] {
  // The last column stays free: some terminals wrap as soon as it is written to.
  const width = terminal.columns - 1;
  if (width < 10) return [];
  const most = Math.max(1, terminal.rows - leastAbove - 1);
  const held = limitLines(progress, width, terminal).slice(0, Math.max(1, most - 1));
  const rows = most - held.length;
  return [barLine(progress, width, terminal), ...held, ...(rows > 0 ? activity(progress, width, rows, terminal) : [])];
}

/** With a countdown: a person who sees nothing happen wants to know for how long. */
function limitLines({ heldBack }: RunProgress, width: number, { now, paint }: Terminal): string[] {
  return heldBack.map((held) =>
    paint.yellow(`  ${signs.suspended} ${shorten(describeHeldBack(held, now), width - 4)}`),
  );
}

function barLine(progress: RunProgress, width: number, { now, paint }: Terminal): string {
  const counts = progress.counts();
  const barWidth = Math.max(4, Math.min(30, Math.floor(width / 3)));
  const done = counts.completed + counts.skipped;
  const waiting = [...progress.running.keys()].filter((task) => progress.locks.of(task) !== null).length;
  const parts = [
    `${numberWords(done)} of ${numberWords(counts.totalTasks)} done`,
    ...runningWords(progress.running.size, waiting),
    ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
    ...(progress.paused ? ['paused'] : []),
    describeElapsed(now - progress.startedAt),
  ];
  return `${progressBar(counts, barWidth, paint)} ${wholeParts(parts, width - barWidth - 1)}`;
}

/** Those that fit; the last one tells how long it takes, and stays. */
function wholeParts(parts: readonly string[], width: number): string {
  const shown = [...parts];
  while (shown.length > 2 && displayWidth(shown.join(' · ')) > width) shown.splice(-2, 1);
  return cutToWidth(shown.join(' · '), width);
}

interface Row {
  readonly sign: string;
  readonly text: string;
  readonly clock: string;
  /** What its agent does. */
  readonly action?: string | undefined;
}

function activity(progress: RunProgress, width: number, most: number, { now, paint }: Terminal): string[] {
  const rows: Row[] = [];
  for (const [task, { since, stage }] of progress.running) {
    if (rows.length > most) break;
    const resource = progress.locks.of(task);
    const what = resource === null ? (stage ?? '') : `waits for ${safeLine(resource)}`;
    const clock = `${what === '' ? '' : `${what} `}${describeElapsed(now - since)}`;
    const sign = resource === null ? signs.started : signs.suspended;
    const action = what === '' ? progress.actions.get(task) : undefined;
    rows.push({ sign, text: named(progress, task), clock, action });
  }
  if (rows.length === 0) {
    for (const [task, until] of progress.waiting) {
      if (rows.length > Math.min(most, mostWaiting)) break;
      rows.push({ sign: signs.again, text: named(progress, task), clock: `in ${describeElapsed(until - now + 999)}` });
    }
  }
  const all = progress.running.size || progress.waiting.size;
  const room = progress.running.size > 0 ? most : Math.min(most, mostWaiting);
  const shown = all > room ? rows.slice(0, Math.max(1, room - 1)) : rows;
  const lines = shown.map(({ sign, text, clock: time, action }) => {
    // The action is the news, but the name keeps half of the line.
    const rest = width - 4 - Math.min(displayWidth(text), Math.floor((width - 4) / 2)) - 2;
    const left = rest - displayWidth(time) - 3;
    const clock = action === undefined || left < leastAction ? time : `${time} · ${shorten(action, left)}`;
    const wide = width - 4 - displayWidth(clock) - 2;
    return wide < 4
      ? cutToWidth(`  ${sign} ${text}`, width)
      : `  ${paint.cyan(sign)} ${shorten(text, wide)}  ${paint.dim(clock)}`;
  });
  if (all > shown.length) lines.push(paint.dim(cutToWidth(`    … and ${all - shown.length} more`, width)));
  return lines;
}

function named(progress: RunProgress, task: string): string {
  const title = progress.titleOf(task);
  return title === '' ? safeLine(task) : `${padToWidth(safeLine(task), progress.idWidth)}  ${title}`;
}
