// The lines that a run prints for one event, in words that can be copied and searched. The summary follows, so nothing is said
// twice.

import { countWords, numberWords } from '../../core/model/count-words.ts';
import { describeDuration } from '../../core/model/duration-words.ts';
import type { StoredEvent, TaskFailed } from '../../core/model/event.ts';
import type { Doom, WriteFinding } from '../../core/model/failure.ts';
import { impossible } from '../../core/model/impossible.ts';
import { safeLine } from '../json/plain-data.ts';
import { padToWidth } from '../terminal/display-width.ts';
import type { Paint } from '../terminal/paint.ts';
import { describeEvent, describeLimits } from '../text/describe/describe-event.ts';
import { describeDoom, describeFailure, describeWaiting } from '../text/describe/describe-failure.ts';
import { describeHeldBack } from '../text/describe/describe-held-back.ts';
import { describeIncident, describeLeft } from '../text/describe/describe-incident.ts';
import { describeFindings, stopped, untilDone } from '../text/describe/describe-lock-event.ts';
import { describeReview, mergeWords } from '../text/describe/describe-verify-event.ts';
import { lookOf, signs } from '../text/signs.ts';
import type { RunProgress } from './run-progress.ts';

type Color = 'green' | 'red' | 'yellow' | 'cyan' | 'dim';

/** `event` is plain already, and `progress` has applied it. */
export function runLines(event: StoredEvent, progress: RunProgress, paint: Paint): string[] {
  const line = (color: Color, sign: string, task: string, remark = '') => {
    const title = progress.titleOf(task);
    const id = padToWidth(safeLine(task), title === '' ? 0 : progress.idWidth);
    return [[paint[color](sign), id, title, remark && paint[color](remark)].filter((part) => part !== '').join('  ')];
  };
  const plain = (color: Color, sign: string) => [`${paint[color](sign)}  ${describeEvent(event)}`];
  const failed = ({ task, optional, failure }: TaskFailed) => {
    const { color, sign } = lookOf('failed', optional === true);
    return line(color, sign, task, `failed${optional ? ' (optional)' : ''}: ${describeFailure(failure)}`);
  };
  const waiting = progress.waitsPaused
    ? [`   ${paint.dim('What runs may end; then it waits for: signalbox resume. Ctrl-C ends it.')}`]
    : [];
  switch (event.type) {
    case 'run-started':
      return [
        headline(progress, paint, describeLimits(event.limits)),
        ...(progress.paused ? waiting : []),
        ...limitLines(progress, event.at, paint),
      ];
    case 'attempt-scheduled':
      return (event.warnings ?? []).flatMap(({ task, status }) =>
        line('yellow', signs.warning, event.task, `goes on without the preferred ${task}: ${task} ${ended[status]}`),
      );
    case 'attempt-started': {
      const n = attemptNumber(event.attempt);
      return line('cyan', signs.started, event.task, n > 1 ? `attempt ${n}` : '');
    }
    case 'attempt-doomed':
      if (!isTold(event.doom)) return [];
      return line('yellow', signs.stopping, event.task, `${describeDoom(event.doom)} and is being stopped`);
    case 'retry-scheduled':
      // `deadlock-resolved` tells it.
      if (event.because === 'deadlock') return [];
      // So does `quota-paused`.
      if (event.because === 'quota') return [];
      return line('yellow', signs.again, event.task, retryWords(event, progress));
    case 'task-completed': {
      const took = progress.tookMs(event.task);
      return line('green', signs.completed, event.task, took === undefined ? '' : describeDuration(took));
    }
    case 'task-failed':
      return failed(event);
    case 'task-skipped':
      return plain('dim', signs.skipped);
    case 'plan-paused':
      return [...plain('yellow', signs.suspended), ...waiting];
    case 'task-suspended':
      return plain('yellow', signs.suspended);
    case 'task-resumed':
    case 'task-retried':
    case 'plan-resumed':
      return plain('cyan', signs.again);
    case 'run-stopping':
    case 'run-handed-over':
      return plain('yellow', signs.stopping);
    case 'run-took-over':
      return plain('cyan', signs.again);
    case 'quota-paused':
      return plain('yellow', signs.suspended);
    case 'quota-resumed':
      return plain('cyan', signs.again);
    case 'plan-edited':
      return event.result === 'taken' ? plain('cyan', signs.again) : plain('yellow', signs.warning);
    case 'attempt-ended': {
      const { agent, audit, incidents = [], left = [], flags = [] } = event.evidence ?? {};
      const { by = '', loaded = [], waits, unread } = agent ?? {};
      const isNews = loaded.length > 0 && progress.isFirstTold(`${by} ${loaded.join()}`);
      // A failure names them itself.
      const found = audit === undefined || audit.fails ? [] : audit.files.filter(isFirstFound(event, progress));
      const warnings = [
        ...(isNews ? [`${by} works with what Signalbox did not give it: ${loaded.join(', ')}`] : []),
        ...(found.length > 0 ? [`wrote without a lock: ${describeFindings(found)}`] : []),
        // Attempts that work at the same time all see it.
        ...incidents.filter(({ what }) => progress.isFirstTold(what)).map(describeIncident),
        ...flags,
        ...(left.length === 0 ? [] : [describeLeft(left)]),
        ...(waits === undefined ? [] : [describeWaiting(waits)]),
        ...(unread === undefined ? [] : [unreadWords(unread)]),
      ];
      return warnings.flatMap((warning) => line('yellow', signs.warning, event.task, warning));
    }
    case 'plan-loaded':
    case 'plan-reset':
    case 'backoff-ended':
    case 'clock-stepped':
    case 'plan-stuck':
    case 'run-ended':
    case 'lock-acquired':
    case 'lock-wait-ended':
    case 'lock-released':
    case 'lock-renewed':
    case 'lock-tried':
    case 'need-added':
    case 'files-put-back':
      return [];
    case 'lock-waiting':
      return event.task === undefined || progress.stopped.coversWait(event)
        ? []
        : line('dim', signs.suspended, event.task, `waits for ${untilDone(event)}`);
    case 'write-found':
      event.files.forEach(isFirstFound(event, progress));
      return plain('yellow', signs.warning);
    case 'lock-refused':
      return plain('red', signs.stopping);
    case 'deadlock-detected':
      return [
        `${paint.red(signs.stopping)}  ${paint.red(`deadlock: ${event.words}`)}`,
        `   ${paint.dim(stopped(event))}`,
      ];
    case 'work-saved':
      return event.saved === null || progress.stopped.has(event.task) ? [] : plain('yellow', signs.again);
    case 'deadlock-resolved':
      return line('yellow', signs.again, event.victimTask, progress.stopped.tell(event));
    case 'check-ended':
      // A failed check is told by the failure of the task.
      return event.result === 'passed'
        ? line('dim', signs.completed, event.task, `check passed: ${event.command}`)
        : [];
    case 'review-ended':
      if (event.result === 'approved') return line('green', signs.completed, event.task, `approved by ${event.by}`);
      return line('yellow', signs.warning, event.task, describeReview(event));
    case 'review-scheduled':
      return line('cyan', signs.started, event.task, 'is being reviewed');
    case 'merge-ended':
      // What could not be merged is told by what follows from it.
      if (event.result !== 'merged' && event.result !== 'nothing') return [];
      return line('dim', signs.completed, event.task, mergeWords(event));
    case 'merge-held':
      return plain('yellow', signs.warning);
    case 'merge-interrupted':
      return event.problem === undefined ? [] : plain('yellow', signs.warning);
    case 'baseline-recorded':
      return event.failed.length === 0 ? [] : plain('yellow', signs.warning);
    case 'decision-opened':
      return plain('yellow', signs.warning);
    case 'decision-answered':
    case 'decision-overdue':
      return plain('cyan', signs.again);
    case 'job-doomed':
      if (!isTold(event.doom)) return [];
      return line('yellow', signs.stopping, event.task, `its check ${describeDoom(event.doom)} and is being stopped`);
    case 'task-started':
    case 'task-handed-in':
      return plain('cyan', signs.started);
    case 'status-imported':
      return plain('yellow', signs.warning);
    case 'task-seen':
    case 'hand-run-started':
    case 'hand-run-ended':
    case 'check-scheduled':
    case 'merge-scheduled':
    case 'job-started':
    case 'decision-closed':
      return [];
    default:
      return impossible(event);
  }
}

/** Whether the lines of the event are warnings and failures: what `run --quiet` still prints. */
export const isTrouble = ({ type }: StoredEvent): boolean => troubles.has(type);

const troubles: ReadonlySet<StoredEvent['type']> = new Set<StoredEvent['type']>([
  'attempt-doomed',
  'attempt-ended',
  'attempt-scheduled',
  'baseline-recorded',
  'deadlock-detected',
  'deadlock-resolved',
  'decision-opened',
  'job-doomed',
  'lock-refused',
  'merge-held',
  'merge-interrupted',
  'plan-edited',
  'quota-paused',
  'retry-scheduled',
  'run-stopping',
  'status-imported',
  'task-failed',
  'write-found',
]);

const ended = {
  failed: 'failed',
  skipped: 'was skipped',
  blocked: 'is blocked',
  suspended: 'is suspended',
} as const;

function headline(progress: RunProgress, paint: Paint, limits: string): string {
  const { totalTasks, completed, skipped } = progress.counts();
  const done = completed + skipped;
  const parts = [countWords(totalTasks, 'task'), ...(done > 0 ? [`${numberWords(done)} already done`] : []), limits];
  return `${paint.bold(progress.title)}${progress.title === '' ? '' : '  '}${paint.dim(parts.join(' · '))}`;
}

/** Accounts that are at their limit when somebody begins to watch: no event tells of them. */
export const limitLines = ({ heldBack }: RunProgress, now: number, paint: Paint): string[] =>
  heldBack.flatMap((held) =>
    held.kind === 'quota' ? [`${paint.yellow(signs.suspended)}  ${describeHeldBack(held, now)}`] : [],
  );

const unreadWords = ({ lines, preview }: { readonly lines: number; readonly preview: string }): string =>
  lines === 1
    ? `a line of its output is too long or no JSON, and was passed over: ${preview}`
    : `${countWords(lines, 'line')} of its output are too long or no JSON, and were passed over; the first begins: ${preview}`;

const attemptNumber = (attempt: string) => Number(attempt.slice(attempt.lastIndexOf('#') + 1));

function retryWords(event: Extract<StoredEvent, { type: 'retry-scheduled' }>, progress: RunProgress): string {
  if (event.because === 'stopped') return 'was stopped; the next run tries it again';
  if (event.because === 'budget') return 'was stopped, because the money for it is used up; no retry was used';
  const next = attemptNumber(event.attempt) + 1;
  if (event.because === 'conversation')
    return `could not go on in its conversation; begins a new one (attempt ${next})`;
  const cost = event.because === 'silent' ? ', no retry was used' : '';
  const most = event.because === 'failed' ? progress.attemptsOf(event.task) : undefined;
  const of = most === undefined || next > most ? '' : ` of ${most}`;
  const wait = event.notBefore - event.at;
  const when = wait <= 0 ? 'again at once' : `again in ${describeDuration(wait)}`;
  const without = event.because === 'rejected' ? 'was rejected' : 'was lost';
  const why = event.failure === undefined ? without : describeFailure(event.failure);
  return `${why}; ${when} (attempt ${next}${of}${cost})`;
}

/** Others are told by what follows from them. */
const isTold = ({ kind }: Doom): boolean =>
  kind === 'timeout' || kind === 'idle' || kind === 'mute' || kind === 'finished';

/** What is told while an attempt works is not told again at its end. */
const isFirstFound =
  ({ token }: { readonly token: number }, progress: RunProgress) =>
  ({ path, finding }: WriteFinding): boolean =>
    progress.isFirstTold(`${token} ${finding} ${path}`);
