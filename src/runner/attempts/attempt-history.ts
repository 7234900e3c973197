// Everything that is known of a task's earlier attempts, from the log and from what they left: for whoever has to find out why it
// does not succeed. Only the last attempts, and of each only so much.

import { failureInWords } from '../../agents/prompt/failure-in-words.ts';
import { fenced } from '../../agents/prompt/markdown.ts';
import { reviewInWords } from '../../agents/prompt/prompt.ts';
import { commandLine } from '../../core/model/command-line.ts';
import type { StoredEvent } from '../../core/model/event.ts';
import type { AttemptEnd, Failure } from '../../core/model/failure.ts';
import type { AttemptId, PlanPath, TaskId } from '../../core/model/ids.ts';
import type { Store } from '../../store/store.ts';
import type { TaskLogs } from './task-logs.ts';

export interface EarlierAttempt {
  readonly attempt: AttemptId;
  readonly token: number;
  end: AttemptEnd | null;
  /** Why it failed, if anything but its end says that. */
  why: Failure | null;
  /** In words, each with the end of its log. */
  readonly proofs: string[];
  saved: string | null;
}

const mostAttempts = 10;
const mostPrompt = 6_000;
const mostOutput = 8_000;
const mostLog = 4_000;

export async function earlierAttempts(
  store: Pick<Store, 'events'>,
  logs: TaskLogs,
  about: { readonly plan: PlanPath; readonly task: TaskId; readonly before: number },
): Promise<EarlierAttempt[]> {
  const attempts = new Map<AttemptId, EarlierAttempt>();
  for (let after = 0; ; ) {
    const events = await store.events({ after, plan: about.plan, limit: 1_000 });
    if (events.length === 0) break;
    after = events.at(-1)!.seq;
    for (const event of events) {
      // What was before is no history of this round.
      if (event.type === 'plan-reset') attempts.clear();
      else if ('task' in event && event.task === about.task) note(attempts, event, logs);
    }
  }
  return [...attempts.values()].filter(({ token }) => token < about.before).slice(-mostAttempts);
}

function note(attempts: Map<AttemptId, EarlierAttempt>, event: StoredEvent, logs: TaskLogs): void {
  switch (event.type) {
    case 'attempt-scheduled': {
      const { attempt, token } = event;
      attempts.set(attempt, { attempt, token, end: null, why: null, proofs: [], saved: null });
      return;
    }
    case 'attempt-ended': {
      const known = attempts.get(event.attempt);
      if (known) known.end = event.end;
      return;
    }
    case 'retry-scheduled':
    case 'task-failed': {
      const known = event.attempt === undefined ? undefined : attempts.get(event.attempt);
      // The end of a check is told with what it printed.
      if (known && event.failure && event.failure.kind !== 'check') known.why = event.failure;
      return;
    }
    case 'work-saved': {
      const known = attempts.get(event.attempt);
      if (known) known.saved = event.saved;
      return;
    }
    case 'check-ended': {
      if (event.result === 'interrupted') return;
      const log = logs.tail(event, mostLog);
      const how = event.failure ? `It ${failureInWords(event.failure)}.` : `Its check was green: ${event.command}`;
      attempts.get(event.attempt)?.proofs.push(`${how}${log === '' ? '' : `\n\n${fenced(log)}`}`);
      return;
    }
    case 'review-ended': {
      const { severity, issues } = event;
      if (event.result !== 'rejected' || severity === undefined || issues === undefined) return;
      attempts.get(event.attempt)?.proofs.push(reviewInWords({ verdict: 'rejected', severity, issues }));
      return;
    }
    default:
      return;
  }
}

/** The newest is told whole; of older ones as much as there is room for. */
export function historyInWords(attempts: readonly EarlierAttempt[], logs: TaskLogs, mostLength = 120_000): string {
  let text = '';
  for (const attempt of [...attempts].reverse()) {
    const words = attemptInWords(attempt, logs);
    if (text.length + words.length > mostLength) return `Earlier attempts are left out here.\n\n${text}`;
    text = `${words}\n\n${text}`;
  }
  return text.trim();
}

function attemptInWords(earlier: EarlierAttempt, logs: TaskLogs): string {
  const told = logs.prompt(earlier, mostPrompt);
  const printed = logs.tail(earlier, mostOutput);
  return [
    `## Attempt ${earlier.attempt}`,
    `It ${earlier.why ? failureInWords(earlier.why) : endInWords(earlier.end)}.`,
    told === '' ? '' : `It was told:\n\n${fenced(told)}`,
    printed === '' ? 'It printed nothing.' : `It printed at the end:\n\n${fenced(printed)}`,
    ...earlier.proofs,
    earlier.saved === null ? '' : `Its files are saved: ${commandLine('saved show', earlier.saved)}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function endInWords(end: AttemptEnd | null): string {
  switch (end?.kind) {
    case 'exited':
      return `ended with exit code ${end.code}`;
    case 'killed':
      return 'was ended by Signalbox';
    case 'unstartable':
      return `could not be started: ${end.message}`;
    default:
      return 'ended, and nobody knows how';
  }
}
