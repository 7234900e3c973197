// Driving a plan by hand, by the same rules as a runner: what may be started, handed in or failed, and what is refused with which
// reason. `force` goes against a rule and is recorded as a decision.
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
// Where others need what is skipped, it has to be said what becomes of them, as with `skip`. Found stuck, it fails without a decision.
// What was completed or skipped is opened again first (`reopened`), so that what closes it, and who waits for it, knows.
import { RootCauses } from './cascade.ts';
import { doomed } from './doomed.ts';
import type { Event } from './event.ts';
import { byHand } from './evolve-hand.ts';
import type { Failure } from './failure.ts';
import { attemptId } from './ids.ts';
import { acquire } from './lock-rules.ts';
import { ownerOf } from './lock-state.ts';
import { askAboutFailure } from './open-decisions.ts';
import { override } from './override.ts';
import { ownerNamed } from './people.ts';
import { admissionOf, wantsOf } from './plan-locks.ts';
import { leafStatus } from './refresh.ts';
import { attemptsAllowed } from './retry.ts';
import type { PlanState, State } from './state.ts';
import { leavesOf, statusOf } from './status.ts';
import { type Answer, reopened, skipTask } from './steer.ts';
import { typed } from './typed.ts';

export interface Mark {
  readonly by: string;
  readonly reason?: string;
  /** Against the rules: recorded as a decision. */
  readonly force?: boolean;
}

const accept = (events: readonly Event[]): Answer => ({ ok: true, events });
const refuse = (because: string, instead: string): Answer => ({ ok: false, because, instead });

export function markStarted(state: State, plan: PlanState, i: number, mark: Mark): Answer {
  const { id } = plan.plan.tasks[i]!;
  const { hand } = plan.tasks[i]!;
  if (hand) {
    const theirs = `let them hand it in; to end it: ${typed('mark-failed', id, `--error TEXT ${withForce}`)}`;
    const instead = hand.by === mark.by ? `hand it in with: ${typed('mark-complete', id)}` : theirs;
    return refuse(`${id} was started already, by ${hand.by}`, instead);
  }
  const busy = busyWith(plan, i);
  if (busy) return busy;
  const rule = againstRules(plan, i) ?? againstPause(plan);
  if (rule && !(mark.force && rule.forcible)) return refuse(rule.because, rule.instead);
  const start = startOf(state, plan, i, mark.by);
  if (!start.ok) return start;
  return accept([
    ...(rule ? override(state, plan, i, mark, rule.because) : []),
    ...again(plan, i, mark),
    ...start.events,
  ]);
}

export interface Completion extends Mark {
  readonly notes?: string;
  /** How many of its checks were run and were green. */
  readonly checks: number;
  /** The checks were left out on purpose: recorded as a decision. */
  readonly withoutChecks?: boolean;
}

export function markCompleted(state: State, plan: PlanState, i: number, mark: Completion): Answer {
  const { id, keys } = plan.plan.tasks[i]!;
  const { hand, live } = plan.tasks[i]!;
  const about = { v: 1, plan: plan.path, task: id, by: mark.by } as const;
  const notes = mark.notes === undefined ? {} : { notes: mark.notes };
  const wanted = keys.check?.length ?? 0;
  const checks = mark.withoutChecks ? wanted : mark.checks;
  /** One decision for all that it goes against. */
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
  /** Found silent, or without its process. */
  readonly stuck?: boolean;
  readonly now: number;
}

/** It counts as an attempt, and when none is left it is asked about like any other failure. */
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
  // Decisions have numbers: one that is recorded just before has the next.
  const asked = { ...state, decided: state.decided + (refused ? 1 : 0) };
  const failure: Failure = { kind: 'said', message: mark.error };
  const failed: Event = {
    type: 'task-failed',
    v: 1,
    plan: plan.path,
    task: id,
    failure,
    by: mark.by,
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

/** As `skip` does, but for what somebody else is at work on, a process of ours or a person, and for what is done: that has to be meant. */
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
  const because = `${plan.plan.tasks[i]!.id} is ${statusOf(plan, i)} already`;
  return accept([...override(state, plan, i, mark, because), ...skip.events]);
}

/** Whether no attempt is left after the one that fails now. @param granted how many more there are since. */
const isLast = (plan: PlanState, i: number, granted: number): boolean =>
  plan.tasks[i]!.failures + 1 >= attemptsAllowed(plan.plan.tasks[i]!, plan.tasks[i]!) + granted;

const isAsked = (plan: PlanState, i: number): boolean =>
  [...plan.decisions.values()].some(({ kind, task }) => kind === 'failure' && task === plan.plan.tasks[i]!.id);

const hasEnd = (plan: PlanState, leaf: number): boolean => ['completed', 'skipped'].includes(plan.tasks[leaf]!.status);

/** Only for marks that go against its end. */
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

/** The rules alone cannot know whether a run goes on. */
const waitForRun = 'try again in a moment; where no run goes on, one sees to it: signalbox run';

const withForce = '--force --reason TEXT';

const isOthers = (plan: PlanState, i: number, by: string): boolean => {
  const { hand } = plan.tasks[i]!;
  return hand !== null && hand.by !== by;
};

/** Whoever started it hands it in: a person is their name, as with locks. */
function againstOther(plan: PlanState, i: number, by: string, command: string, flags = ''): Against | null {
  if (!isOthers(plan, i, by)) return null;
  const { id } = plan.plan.tasks[i]!;
  return against(
    `${id} was started by ${plan.tasks[i]!.hand!.by}, by hand`,
    `let them hand it in; to do it without them: ${typed(command, id, `${flags}${withForce}`)}`,
  );
}

/** A process of ours is at work on it, or somebody is to judge it. */
function busyWith(plan: PlanState, i: number): Refused | null {
  const { id } = plan.plan.tasks[i]!;
  const { live, ended } = plan.tasks[i]!;
  if (live?.doom) return against(`${live.attempt} of ${id} is being ended`, waitForRun);
  if (live) return against(`${id} is being worked on by ${live.attempt}`, `suspend it first: ${typed('suspend', id)}`);
  if (ended) return against(`${id} is being checked or reviewed`, `see: ${typed('why', id)}`);
  return null;
}

function againstPause({ paused, path }: PlanState): Against | null {
  return paused && against(`${path} is paused, by ${paused.by}`, 'let it go on: signalbox resume');
}

function againstFailing(plan: PlanState, i: number): Against | null {
  const { id } = plan.plan.tasks[i]!;
  const own = plan.tasks[i]!;
  if (own.status !== 'failed') return null;
  const next = own.failures < attemptsAllowed(plan.plan.tasks[i]!, own) ? 'mark-started' : 'retry';
  return against(`${id} is failed already`, `to try it again: ${typed(next, id)}`);
}

/** Null: it may start now. */
function againstRules(plan: PlanState, i: number): Against | null {
  const task = plan.plan.tasks[i]!;
  const { id } = task;
  const own = plan.tasks[i]!;
  if (task.group) return against(`${id} is a group`, 'mark its subtasks', false);
  switch (leafStatus(plan, i)) {
    case 'completed':
      return against(`${id} is completed already`, `to do it again: ${typed('retry', id, withForce)}`);
    case 'skipped':
      return against(`${id} is skipped already`, `to do it again: ${typed('retry', id)}`);
    case 'suspended':
      return against(`${id} is suspended`, `resume it first: ${typed('resume', id)}`);
    case 'blocked': {
      const causes = new RootCauses(plan, null).of(i).map((cause) => `${cause.task} (${cause.status})`);
      return against(`${id} is blocked by ${causes.join(', ')}`, `see: ${typed('why', id)}`);
    }
    case 'failed':
      if (own.failures < attemptsAllowed(task, own)) return null;
      return against(`${id} has no attempts left`, `grant one more: ${typed('retry', id)}`);
    default:
      if (own.hold) return against(`${id} waits for the decision ${own.hold}`, `see: signalbox decide ${own.hold}`);
      return plan.waiting[i]! > 0 ? against(`${id} is not ready`, `see what it waits for: ${typed('why', id)}`) : null;
  }
}

/**
 * With the locks that the plan declares for it; these cannot be forced. What the person has by name is not in the way, and stays theirs
 * by name: who took it gives it back.
 */
function startOf(state: State, plan: PlanState, i: number, by: string): Answer {
  const task = plan.plan.tasks[i]!;
  const attempt = attemptId(task.id, plan.tasks[i]!.attempts + 1);
  const token = state.token + 1;
  const owner = { ...ownerOf({ plan: plan.path, run: byHand, task: task.id, attempt, token }), by };
  const wants = wantsOf(task);
  const admission = admissionOf(state, plan, i, [], by);
  switch (admission.kind) {
    case 'held': {
      const holder = state.locks.owners.get(admission.owner)!.name;
      return refuse(`${task.id} needs ${admission.resource}, which ${holder} has`, 'see: signalbox lock list');
    }
    case 'ending':
      return refuse(`the files of ${admission.attempt} have not been put back yet`, waitForRun);
    case 'after':
      return refuse(
        `${task.id} comes after ${admission.name}, which has ${admission.resource}`,
        `see: ${typed('why', task.id)}`,
      );
    default: // in nobody's line, because nobody waits for a person
  }
  const passes = state.locks.table.passesOf({ owner: ownerNamed(by), wants });
  return accept([
    { type: 'task-started', v: 1, plan: plan.path, task: task.id, attempt, token, by },
    ...acquire(owner, wants, { passes }),
  ]);
}

/** What was withdrawn half way is put back; what a person calls complete stays as it is. */
function ended(plan: PlanState, i: number, kind: 'stop' | 'withdrawn'): Event[] {
  const { live } = plan.tasks[i]!;
  return live && !live.doom ? [doomed(live, { kind })] : [];
}
