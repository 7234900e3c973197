// One event as one line for people: the output of `events`, and of a run with `--verbose`.

import { differenceWords } from '../../../core/explain/difference-words.ts';
import { commandLine } from '../../../core/model/command-line.ts';
import { countWords, listWords } from '../../../core/model/count-words.ts';
import { describeDuration } from '../../../core/model/duration-words.ts';
import type { Cause, PlanEdited, Stored, StoredEvent } from '../../../core/model/event.ts';
import { isHandEvent } from '../../../core/model/hand-event.ts';
import { impossible } from '../../../core/model/impossible.ts';
import { isLockEvent } from '../../../core/model/lock-event.ts';
import type { QuotaPaused } from '../../../core/model/quota-event.ts';
import type { Limits } from '../../../core/model/run-event.ts';
import { isVerifyEvent } from '../../../core/model/verify-event.ts';
import { describeCause } from './describe-cause.ts';
import { describeDoom, describeEnd, describeFailure } from './describe-failure.ts';
import { describeHandEvent, type StoredHandEvent } from './describe-hand-event.ts';
import { describeIncident } from './describe-incident.ts';
import { describeFindings, describeLockEvent, type StoredLockEvent } from './describe-lock-event.ts';
import { describeTime } from './describe-time.ts';
import { describeVerifyEvent, type StoredVerifyEvent } from './describe-verify-event.ts';

export function describeEvent(event: StoredEvent): string {
  if (isLockEvent(event)) return describeLockEvent(event);
  if (isVerifyEvent(event)) return describeVerifyEvent(event);
  if (isHandEvent(event)) return describeHandEvent(event);
  switch (event.type) {
    case 'plan-loaded':
      return `the plan was loaded: ${countWords(event.definition.tasks.filter((task) => !task.group).length, 'task')}`;
    case 'plan-edited':
      return describeEdit(event);
    case 'plan-paused':
      return `the plan was paused ${byWhom(event)}`;
    case 'plan-resumed':
      return `the plan was resumed by ${event.by}`;
    case 'plan-reset':
      return `the plan was started over by ${event.by}${event.results?.kept === undefined ? '' : `; the results of before are on ${event.results.kept}`}`;
    case 'clock-stepped':
      return `the clock was ${event.byMs < 0 ? 'set back' : 'set forward, or the machine slept'}: ${describeDuration(Math.abs(event.byMs))} that count for no limit`;
    case 'quota-paused':
      return `${event.attempt} has reached the limit of ${event.account}: nothing of it starts before ${describeTime(event.until, event.at)}${event.guessed ? ' (nobody said until when)' : ''}`;
    case 'quota-resumed':
      return `${event.account} is tried again`;
    case 'plan-stuck':
      return `stuck: ${countWords(event.blocked, 'task')} cannot start${becauseOf(event.causes)}`;
    case 'run-started':
      return `the run started, ${describeLimits(event.limits)}`;
    case 'run-stopping':
      return `${stopping[event.mode]} (asked by ${event.by})`;
    case 'run-handed-over':
      return `the run moves to a fresh process (asked by ${event.by})`;
    case 'run-took-over':
      return event.adopted === 0
        ? 'the fresh process took over; nothing was running'
        : `the fresh process took over ${countWords(event.adopted, 'running attempt')}`;
    case 'run-ended':
      return `the run ended: ${event.outcome} (exit ${event.exitCode}), ${event.summary.completed} of ${countWords(event.summary.totalTasks, 'task')} completed`;
    default:
      return describeTaskEvent(event);
  }
}

function describeEdit({ plan, result, because, by, ...difference }: Stored<PlanEdited>): string {
  const words = differenceWords(difference);
  const what = words === '' ? '' : ` (${words})`;
  switch (result) {
    case 'taken':
      return by === undefined
        ? `${plan} was edited, and is taken as it is now${what}`
        : `${plan} was reloaded by ${by}${what}`;
    case 'waits':
      return `${plan} was edited, and is not taken: ${because}${what}; take it: ${commandLine('reload', plan)}`;
    case 'refused':
      return `${plan} was edited, and is refused: ${because}; the run goes on with what it had`;
    default:
      return impossible(result);
  }
}

/** With the details that help to find a fault. */
export function describeEventFully(event: StoredEvent): string {
  const run = 'run' in event && event.run !== undefined ? [`run ${event.run}`] : [];
  const token = 'token' in event && event.token !== undefined ? [`token ${event.token}`] : [];
  const pid =
    event.type === 'attempt-started' || event.type === 'job-started' ? [`supervisor ${event.supervisor.pid}`] : [];
  const runner = event.type === 'run-started' ? [`runner ${event.runner.pid}`] : [];
  const host = event.type === 'attempt-scheduled' ? [`host ${event.host}`] : [];
  const revision = event.type === 'plan-loaded' || event.type === 'plan-edited' ? [`revision ${event.revision}`] : [];
  const more = [...run, ...token, ...pid, ...runner, ...host, ...revision];
  return `${event.type}: ${describeEvent(event)}${more.length === 0 ? '' : ` [${more.join(', ')}]`}`;
}

export function describeLimits(limits: Limits): string {
  return limits.plan === 0 ? 'no task may run (max-parallel is 0)' : `at most ${limits.plan} at once`;
}

/** About one task and what becomes of it. */
export type TaskEvent = Exclude<
  Extract<StoredEvent, { readonly task: unknown }>,
  StoredLockEvent | StoredVerifyEvent | StoredHandEvent | Stored<QuotaPaused>
>;

function describeTaskEvent(event: TaskEvent): string {
  switch (event.type) {
    case 'attempt-scheduled': {
      const bad = (event.warnings ?? []).map(({ task, status }) => `${task} (${status})`);
      return `${event.attempt} is next${bad.length === 0 ? '' : `, without the preferred ${listWords(bad)}`}`;
    }
    case 'attempt-started':
      return `${event.attempt} started`;
    case 'attempt-doomed':
      return `${event.attempt} ${describeDoom(event.doom)}`;
    case 'attempt-ended': {
      const unlocked = event.evidence?.audit?.files.filter(({ finding }) => finding === 'unlocked') ?? [];
      const wrote = unlocked.length === 0 ? '' : `; it wrote without a lock: ${describeFindings(unlocked)}`;
      const incidents = (event.evidence?.incidents ?? []).map((incident) => `; ${describeIncident(incident)}`).join('');
      return `${event.attempt} ${describeEnd(event.end)}${wrote}${incidents}`;
    }
    case 'retry-scheduled':
      return `${event.task} ${again(event)}`;
    case 'backoff-ended':
      return `${event.task} may start again: its backoff is over`;
    case 'task-completed':
      return `${event.task} completed`;
    case 'task-failed':
      return `${event.task} failed: ${describeFailure(event.failure)}${event.optional ? ' (optional)' : ''}`;
    case 'task-skipped':
      return `${event.task} was skipped ${byWhom(event)}${treatedWords(event)}`;
    case 'task-suspended':
      return `${event.task} was suspended ${byWhom(event)}`;
    case 'task-resumed':
      return `${event.task} was resumed by ${event.by}`;
    case 'task-retried':
      if (event.left) return `${event.task} was marked failed by hand and will be tried again: it has attempts left`;
      if (event.reopened)
        return `${event.task} was reopened by ${event.by}${event.note === undefined ? '' : `: ${event.note}`}`;
      return `${event.task} gets one more attempt from ${event.by}${byAgent(event)}${waits(event)}${event.note === undefined ? '' : `: ${event.note}`}`;
    default:
      return impossible(event);
  }
}

const stopping = {
  drain: 'nothing new starts; running attempts may end',
  stop: 'attempts are being stopped',
  kill: 'attempts are being killed',
} as const;

const byWhom = ({ by, reason }: { readonly by: string; readonly reason?: string }) =>
  `by ${by}${reason === undefined ? '' : `: ${reason}`}`;

/** The reason of an answer is the answer itself. */
const treatedWords = ({ treatAsDone, reason }: { readonly treatAsDone?: true; readonly reason?: string }) =>
  treatAsDone && reason !== 'treat-as-done' ? ', treated as done' : '';

const byAgent = ({ agent, escalated }: { readonly agent?: string; readonly escalated?: true }) => {
  if (escalated) return ', with the debugging agent';
  return agent === undefined ? '' : `, with the agent ${agent}`;
};

/** " in 4 s", if it waits at all. */
const waits = ({ notBefore = 0, at }: { readonly notBefore?: number; readonly at: number }) =>
  notBefore > at ? ` in ${describeDuration(notBefore - at)}` : '';

const becauseOf = (causes: readonly Cause[]) =>
  causes.length === 0 ? '' : ` because ${listWords(causes.map(describeCause))}`;

const isFree: ReadonlySet<string> = new Set(['conflict', 'red', 'setup', 'silent']);

function again(event: Extract<StoredEvent, { readonly type: 'retry-scheduled' }>): string {
  const wait = event.notBefore - event.at;
  const when = wait <= 0 ? 'at once' : `in ${describeDuration(wait)}`;
  // Its blocker may have to end first, so no time is promised.
  if (event.because === 'deadlock') return 'was stopped to end a deadlock and will run again; no retry was used';
  if (event.because === 'conversation')
    return 'could not go on in its earlier conversation and will begin a new one; no retry was used';
  if (event.because === 'budget') return 'waits for a larger budget: the money for it is used up; no retry was used';
  if (event.because === 'quota') return 'waits for its account, which has reached its limit; no retry was used';
  if (isFree.has(event.because))
    return `will be tried again ${when}, which costs no retry: it ${describeFailure(event.failure!)}`;
  return event.failure === undefined
    ? `will be tried again ${when}: it was ${event.because}`
    : `will be tried again ${when}: it ${describeFailure(event.failure)}`;
}
