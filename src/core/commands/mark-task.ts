// Driving a plan by hand, by the same rules as a runner: which tasks may be started, handed in, failed or skipped, and why not. `force`
// goes against a rule and is recorded as a decision.
//
//                      mark-started          mark-complete             mark-failed             mark-skipped
//   pending, ready     it starts             it starts, handed in      it starts, fails        skipped
//   failed             if attempts are left  if attempts are left      refused, or forced      skipped
//   by hand            refused               handed in                 fails                   skipped
//   another's by hand  refused               refused, or forced        refused, or forced      refused, or forced
//   waits, blocked     refused, or forced    refused, or forced        refused, or forced      skipped
//   a live attempt's   refused               refused, or forced        refused, or forced      refused, or forced
//   completed, skipped refused, or forced    refused, or forced        refused, or forced      refused, or forced
//   its plan paused    refused, or forced    not started: as started   not started: as started (never mind)
//
// As with `skip`, a person must say what becomes of tasks that need a skipped one. A task found stuck fails without a decision.
// A completed or skipped task is reopened first (`reopened`), so its closing tasks and its dependents follow.
import { dependencies, type Reason } from '../explain/explain.ts';
import { commandLine } from '../model/command-line.ts';
import { listWords } from '../model/count-words.ts';
import type { Event } from '../model/event.ts';
import type { Failure } from '../model/failure.ts';
import type { Keyed } from '../model/hand-event.ts';
import { attemptId } from '../model/ids.ts';
import { saysPhase } from '../model/plan.ts';
import { leafStatus } from '../ready/refresh.ts';
import { attemptsLeft } from '../rules/attempts-left.ts';
import { doomEvent } from '../rules/doom-event.ts';
import { acquire } from '../rules/locks/lock-rules.ts';
import { ownerNamed } from '../rules/locks/people-as-owners.ts';
import { admissionOf, wantsOf } from '../rules/locks/plan-locks.ts';
import { askAboutFailure } from '../rules/open-decisions.ts';
import { attemptNumber } from '../state/earlier-rounds.ts';
import { byHand } from '../state/evolve-hand.ts';
import { ownerOf } from '../state/lock-state.ts';
import { startedTask } from '../state/questions/started-task.ts';
import { leavesOf, statusOf } from '../state/questions/status.ts';
import type { PlanState, State } from '../state/state.ts';
import { type Answer, accept, refuse } from './accept-or-refuse.ts';
import { override } from './override-rule.ts';
import { refuseBlocked } from './refuse-blocked.ts';
import { reopened, skipTask } from './steer.ts';

export interface Mark {
  readonly by: string;
  readonly reason?: string;
  /** Goes against the rules, and is recorded as a decision. */
  readonly force?: boolean;
  /** The caller's key for this call; whether it is new was asked before (request-key.ts). */
  readonly request?: string;
}

export function markStarted(state: State, plan: PlanState, i: number, mark: Mark): Answer {
  const { id } = plan.plan.tasks[i]!;
  const { hand } = plan.tasks[i]!;
  if (hand) {
    const theirs = `wait until they hand it in, or end it: ${commandLine('mark-failed', id, `--error TEXT ${withForce}`)}`;
    const instead = hand.by === mark.by ? `hand it in: ${commandLine('mark-complete', id)}` : theirs;
    return refuse(`${id} was already started by ${hand.by}`, instead);
  }
  const busy = busyWith(plan, i);
  if (busy) return busy;
  const rule = againstRules(plan, i) ?? againstPause(plan);
  if (rule && !(mark.force && rule.forcible)) return refuse(rule.because, rule.instead);
  const start = startOf(state, plan, i, mark.by, keyOf(mark));
  if (!start.ok) return start;
  return accept([
    ...(rule ? override(state, plan, i, mark, rule.because) : []),
    ...again(plan, i, mark),
    ...start.events,
  ]);
}

const keyOf = ({ request }: Mark): Keyed => (request === undefined ? {} : { request });

export interface Completion extends Mark {
  readonly notes?: string;
  /** How many of its checks ran and were green. */
  readonly checks: number;
  /** The checks were left out on purpose; recorded as a decision. */
  readonly withoutChecks?: boolean;
}

export function markCompleted(state: State, plan: PlanState, i: number, mark: Completion): Answer {
  const { id, keys } = startedTask(plan, i);
  const { hand, live } = plan.tasks[i]!;
  const about = { v: 1, plan: plan.path, task: id, by: mark.by, ...keyOf(mark) } as const;
  const notes = mark.notes === undefined ? {} : { notes: mark.notes };
  const wanted = keys.check?.length ?? 0;
  const checks = mark.withoutChecks ? wanted : mark.checks;
  /** One decision, whatever it goes against. */
  const decided = (rule: Refused | null) => {
    const left = mark.withoutChecks && wanted > 0;
    if (rule === null) return left ? override(state, plan, i, mark, `the checks of ${id} were left out`) : [];
    return override(state, plan, i, mark, left ? `${rule.because}, and its checks were left out` : rule.because);
  };
  if (hand) {
    const { attempt, token } = hand;
    const theirs = againstOther(plan, i, mark.by, 'mark-complete');
    if (theirs && !mark.force) return refuse(theirs.because, theirs.instead);
    return accept([...decided(theirs), { type: 'task-handed-in', ...about, attempt, token, checks, ...notes }]);
  }
  const busy = busyWith(plan, i);
  const rule = busy ? null : againstRules(plan, i);
  const refused = busy ?? rule;
  if (refused === null) {
    const pause = againstPause(plan);
    if (pause && !mark.force) return refuse(pause.because, pause.instead);
    const start = startOf(state, plan, i, mark.by);
    if (!start.ok) return start;
    const { attempt, token } = start.events[0] as Extract<Event, { readonly type: 'task-started' }>;
    return accept([
      ...decided(pause),
      ...start.events,
      { type: 'task-handed-in', ...about, attempt, token, checks, ...notes },
    ]);
  }
  const forcible = busy ? live !== null : rule!.forcible;
  if (!mark.force || !forcible) return refuse(refused.because, refused.instead);
  const completed: Event = { type: 'task-completed', ...about, ...notes };
  return accept([...decided(refused), ...again(plan, i, mark), completed, ...ended(plan, i, 'stop')]);
}

export interface Failing extends Mark {
  readonly error: string;
  /** It was silent, or its process was gone. */
  readonly stuck?: boolean;
  readonly now: number;
}

/** Counts as an attempt. After the last one a decision is opened, as with any other failure. */
export function markFailed(state: State, plan: PlanState, i: number, mark: Failing): Answer {
  const { id, optional } = plan.plan.tasks[i]!;
  const { hand, live } = plan.tasks[i]!;
  const owned = hand !== null || (live !== null && mark.stuck === true);
  const theirs = mark.stuck ? null : againstOther(plan, i, mark.by, 'mark-failed', '--error TEXT ');
  const busy = owned ? theirs : busyWith(plan, i);
  const rule = owned || busy ? null : (againstFailing(plan, i) ?? againstRules(plan, i));
  const pause = owned || busy || rule ? null : againstPause(plan);
  const refused = busy ?? rule ?? pause;
  const forcible = busy ? hand !== null || live !== null : rule?.forcible !== false;
  if (refused && !(mark.force && forcible)) return refuse(refused.because, refused.instead);
  const start = owned || busy || rule ? accept([]) : startOf(state, plan, i, mark.by);
  if (!start.ok) return start;
  const against = refused ? override(state, plan, i, mark, refused.because) : [];
  const open = again(plan, i, mark);
  // Decisions are numbered, and the override just before takes one number.
  const asked = { ...state, decided: state.decided + (refused ? 1 : 0) };
  const failure: Failure = { kind: 'said', message: mark.error };
  const failed: Event = {
    type: 'task-failed',
    v: 1,
    plan: plan.path,
    task: id,
    failure,
    by: mark.by,
    ...keyOf(mark),
    ...(optional ? { optional } : {}),
    ...(mark.stuck ? { stuck: true } : {}),
  };
  return accept([
    ...against,
    ...open,
    ...start.events,
    failed,
    ...(isLast(plan, i, open.length) && !isAsked(plan, i) ? askAboutFailure(asked, plan, i, mark.now) : []),
    ...ended(plan, i, 'withdrawn'),
  ]);
}

export interface Skipping extends Mark {
  readonly dependents?: boolean;
  readonly treatAsDone?: boolean;
}

/** As `skip`, but a task that is done, or that another person or an attempt works on, needs `force`. */
export function markSkipped(state: State, plan: PlanState, i: number, { force, ...mark }: Skipping): Answer {
  const leaves = leavesOf(plan, i);
  const isOver = leaves.every((leaf) => hasEnd(plan, leaf));
  const skip = skipTask(plan, i, force && isOver ? { ...mark, ended: true } : mark);
  if (!skip.ok) return skip;
  const taken = leaves.find((leaf) => plan.tasks[leaf]!.live !== null || isOthers(plan, leaf, mark.by));
  if (taken !== undefined) {
    const { because, instead } = busyWith(plan, taken) ?? againstOther(plan, taken, mark.by, 'mark-skipped')!;
    return force ? accept([...override(state, plan, taken, mark, because), ...skip.events]) : refuse(because, instead);
  }
  if (!force || !isOver) return skip;
  const because = `${plan.plan.tasks[i]!.id} is already ${statusOf(plan, i)}`;
  return accept([...override(state, plan, i, mark, because), ...skip.events]);
}

/** Whether no attempt is left after the one that fails now. @param granted attempts that were added since. */
const isLast = (plan: PlanState, i: number, granted: number): boolean =>
  attemptsLeft(plan.plan.tasks[i]!, plan.tasks[i]!) + granted <= 1;

const isAsked = (plan: PlanState, i: number): boolean =>
  [...plan.decisions.values()].some(({ kind, task }) => kind === 'failure' && task === plan.plan.tasks[i]!.id);

const hasEnd = (plan: PlanState, leaf: number): boolean => ['completed', 'skipped'].includes(plan.tasks[leaf]!.status);

/** Only for a task that has ended. */
const again = (plan: PlanState, i: number, { by }: Mark): Event[] => (hasEnd(plan, i) ? [reopened(plan, i, by)] : []);

type Refused = Extract<Answer, { readonly ok: false }>;
interface Against extends Refused {
  readonly forcible: boolean;
}

const against = (because: string, instead: string, forcible = true): Against => ({
  ok: false,
  because,
  instead,
  forcible,
});

/** The rules cannot know whether a run is going on. */
const waitForRun = 'try again in a moment; if no run is going on, start one: signalbox run';

const withForce = '--force --reason TEXT';

const isOthers = (plan: PlanState, i: number, by: string): boolean => {
  const { hand } = plan.tasks[i]!;
  return hand !== null && hand.by !== by;
};

/** Only the person who started it may hand it in. People are known by name, as with locks. */
function againstOther(plan: PlanState, i: number, by: string, command: string, flags = ''): Against | null {
  if (!isOthers(plan, i, by)) return null;
  const { id } = plan.plan.tasks[i]!;
  return against(
    `${plan.tasks[i]!.hand!.by} started ${id} by hand`,
    `wait until they hand it in, or do it without them: ${commandLine(command, id, `${flags}${withForce}`)}`,
  );
}

/** An attempt is running, or its work waits for a verdict. */
function busyWith(plan: PlanState, i: number): Refused | null {
  const { id } = plan.plan.tasks[i]!;
  const { live, ended } = plan.tasks[i]!;
  if (live?.doom) return against(`${live.attempt} is being stopped`, waitForRun);
  if (live) return against(`${id} is running, as ${live.attempt}`, `suspend it first: ${commandLine('suspend', id)}`);
  if (ended) return against(`${id} is being checked or reviewed`, `see: ${commandLine('why', id)}`);
  return null;
}

function againstPause({ paused, path }: PlanState): Against | null {
  return paused && against(`${path} was paused by ${paused.by}`, 'resume it: signalbox resume');
}

function againstFailing(plan: PlanState, i: number): Against | null {
  const { id } = plan.plan.tasks[i]!;
  const own = plan.tasks[i]!;
  if (own.status !== 'failed') return null;
  const next = attemptsLeft(plan.plan.tasks[i]!, own) > 0 ? 'mark-started' : 'retry';
  return against(`${id} has already failed`, `try it again: ${commandLine(next, id)}`);
}

/** Null: it may start now. */
function againstRules(plan: PlanState, i: number): Against | null {
  const task = plan.plan.tasks[i]!;
  const { id } = task;
  const own = plan.tasks[i]!;
  if (task.group) return against(`${id} is a group`, 'mark its subtasks instead', false);
  switch (leafStatus(plan, i)) {
    case 'completed':
      return against(`${id} is already completed`, `do it again: ${commandLine('retry', id, withForce)}`);
    case 'skipped':
      return against(`${id} is already skipped`, `do it again: ${commandLine('retry', id)}`);
    case 'suspended':
      return against(`${id} is suspended`, `resume it first: ${commandLine('resume', id)}`);
    case 'blocked': {
      const { because, instead } = refuseBlocked(plan, i);
      return against(because, instead);
    }
    case 'failed':
      if (attemptsLeft(task, own) > 0) return null;
      return against(`${id} has no attempts left`, `grant one more: ${commandLine('retry', id)}`);
    default:
      if (own.hold)
        return against(`${id} waits for the decision ${own.hold}`, `answer it: signalbox decide ${own.hold}`);
      return plan.waiting[i]! > 0
        ? against(`${id} is not ready: it waits for ${waitWords(plan, i)}`, 'see what can start now: signalbox next')
        : null;
  }
}

/** What a task waits for: "1.1, 1.2 and 1.3 (phase 1: Schema)". */
export function waitWords(plan: PlanState, task: number): string {
  const reasons = dependencies(plan, task, null, plan.tasks.length);
  const names = reasons.flatMap((reason) => (reason.kind === 'phase' ? [] : reason.task));
  const steps = reasons.flatMap((reason) => (reason.kind === 'phase' ? stepWords(reason) : []));
  return [...(names.length === 0 ? [] : [listWords([...new Set(names)])]), ...steps].join(', and for ');
}

function stepWords({ tasks, phase, step }: Extract<Reason, { readonly kind: 'phase' }>): string {
  const words = listWords(tasks.map(({ task }) => task));
  if (step || phase === '') return words;
  return `${words} (${saysPhase(phase) ? phase.replace(/^phase/i, 'phase') : `phase ${phase}`})`;
}

/**
 * Takes the locks that the plan declares for the task; these cannot be forced. Locks that the person holds by name are not in the way,
 * and stay theirs until they release them.
 */
function startOf(state: State, plan: PlanState, i: number, by: string, key: Keyed = {}): Answer {
  const task = plan.plan.tasks[i]!;
  const attempt = attemptId(task.id, attemptNumber(plan, i) + 1);
  const token = state.token + 1;
  const owner = { ...ownerOf({ plan: plan.path, run: byHand, task: task.id, attempt, token }), by };
  const wants = wantsOf(task);
  const admission = admissionOf(state, plan, i, [], by);
  switch (admission.kind) {
    case 'held': {
      const holder = state.locks.owners.get(admission.owner)!.name;
      return refuse(
        `${task.id} needs ${admission.resource}, and ${holder} holds it`,
        'see all locks: signalbox lock list',
      );
    }
    case 'ending':
      return refuse(`the files of ${admission.attempt} have not been put back yet`, waitForRun);
    case 'after':
      return refuse(
        `${task.id} was stopped to end a deadlock, and waits until ${admission.name} releases ${admission.resource}`,
        `see: ${commandLine('why', task.id)}`,
      );
    default: // never behind another task, because a person waits in no line
  }
  const passes = state.locks.table.passesOf({ owner: ownerNamed(by), wants });
  return accept([
    { type: 'task-started', v: 1, plan: plan.path, task: task.id, attempt, token, by, ...key },
    ...acquire(owner, wants, { passes }),
  ]);
}

/** The files of a withdrawn attempt are put back; those of a task marked complete stay as they are. */
function ended(plan: PlanState, i: number, kind: 'stop' | 'withdrawn'): Event[] {
  const { live } = plan.tasks[i]!;
  return live && !live.doom ? [doomEvent(live, { kind })] : [];
}
