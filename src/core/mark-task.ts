// Driving a plan by hand, by the same rules as a runner: what may be started, handed in or failed, and what is refused with which
// reason. `force` goes against a rule and is recorded as a decision.
//
//                      mark-started          mark-complete             mark-failed             mark-skipped
//   pending, ready     it starts             it starts, handed in      it starts, fails        skipped
//   failed             if attempts are left  if attempts are left      refused                 skipped
//   by hand            refused               handed in                 fails                   skipped
//   waits, blocked     refused, or forced    refused, or forced        refused, or forced      skipped
//   a live attempt's   refused               refused, or forced        refused, or forced      refused, or forced
//   ended              refused               refused                   refused                 refused
//   its plan paused    refused, or forced    (never mind)              (never mind)            (never mind)
//
// Where others need what is skipped, it has to be said what becomes of them, as with `skip`. Found stuck, it fails without a decision.
import { answerEvents } from './answer-decision.ts';
import { RootCauses } from './cascade.ts';
import { optionsFor } from './decision.ts';
import { doomed } from './doomed.ts';
import type { Event } from './event.ts';
import { byHand } from './evolve-hand.ts';
import type { Failure } from './failure.ts';
import { attemptId, decisionId } from './ids.ts';
import { acquire } from './lock-rules.ts';
import { ownerOf } from './lock-state.ts';
import { askAboutFailure } from './open-decisions.ts';
import { ownerNamed } from './people.ts';
import { admissionOf, wantsOf } from './plan-locks.ts';
import { leafStatus } from './refresh.ts';
import { attemptsAllowed } from './retry.ts';
import type { PlanState, State } from './state.ts';
import { leavesOf } from './status.ts';
import { type Answer, skipTask } from './steer.ts';

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
  if (hand) return refuse(`${id} was started already, by ${hand.by}`, `hand it in with: signalbox mark-complete ${id}`);
  const busy = busyWith(plan, i);
  if (busy) return busy;
  const rule = againstRules(plan, i) ?? againstPause(plan);
  if (rule && !(mark.force && rule.forcible)) return refuse(rule.because, rule.instead);
  const start = startOf(state, plan, i, mark.by);
  if (!start.ok) return start;
  return accept([...(rule ? override(state, plan, i, mark, rule.because) : []), ...start.events]);
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
  const skipped =
    mark.withoutChecks && wanted > 0 ? override(state, plan, i, mark, `the checks of ${id} were left out`) : [];
  const checks = mark.withoutChecks ? wanted : mark.checks;
  if (hand) {
    const { attempt, token } = hand;
    return accept([...skipped, { type: 'task-handed-in', ...about, attempt, token, checks, ...notes }]);
  }
  const busy = busyWith(plan, i);
  const rule = busy ? null : againstRules(plan, i);
  const refused = busy ?? rule;
  if (refused === null) {
    const start = startOf(state, plan, i, mark.by);
    if (!start.ok) return start;
    const { attempt, token } = start.events[0] as Extract<Event, { readonly type: 'task-started' }>;
    return accept([
      ...skipped,
      ...start.events,
      { type: 'task-handed-in', ...about, attempt, token, checks, ...notes },
    ]);
  }
  const forcible = busy ? live !== null : rule!.forcible;
  if (!mark.force || !forcible) return refuse(refused.because, refused.instead);
  const because = skipped.length === 0 ? refused.because : `${refused.because}, and its checks were left out`;
  const completed: Event = { type: 'task-completed', ...about, ...notes };
  return accept([...override(state, plan, i, mark, because), completed, ...ended(plan, i, 'stop')]);
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
  const busy = owned ? null : busyWith(plan, i);
  const rule = owned || busy ? null : (againstFailing(plan, i) ?? againstRules(plan, i));
  const refused = busy ?? rule;
  const forcible = busy ? live !== null : rule?.forcible === true;
  if (refused && !(mark.force && forcible)) return refuse(refused.because, refused.instead);
  const start = owned || refused ? accept([]) : startOf(state, plan, i, mark.by);
  if (!start.ok) return start;
  const against = refused ? override(state, plan, i, mark, refused.because) : [];
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
    ...start.events,
    failed,
    ...(isLast(plan, i) ? askAboutFailure(asked, plan, i, mark.now) : []),
    ...ended(plan, i, 'withdrawn'),
  ]);
}

export interface Skipping extends Mark {
  readonly dependents?: boolean;
  readonly treatAsDone?: boolean;
}

/** As `skip` does, but for what a process of ours is at work on: to take that away has to be meant. */
export function markSkipped(state: State, plan: PlanState, i: number, { force, ...mark }: Skipping): Answer {
  const skip = skipTask(plan, i, mark);
  const live = leavesOf(plan, i).find((leaf) => plan.tasks[leaf]!.live !== null);
  if (!skip.ok || live === undefined) return skip;
  const { because, instead } = busyWith(plan, live)!;
  return force ? accept([...override(state, plan, live, mark, because), ...skip.events]) : refuse(because, instead);
}

/** Whether no attempt is left after the one that fails now. */
const isLast = (plan: PlanState, i: number): boolean =>
  plan.tasks[i]!.failures + 1 >= attemptsAllowed(plan.plan.tasks[i]!, plan.tasks[i]!);

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

/** A process of ours is at work on it, or somebody is to judge it. */
function busyWith(plan: PlanState, i: number): Refused | null {
  const { id } = plan.plan.tasks[i]!;
  const { live, ended } = plan.tasks[i]!;
  if (live?.doom) return against(`${live.attempt} of ${id} is being ended`, waitForRun);
  if (live) return against(`${id} is being worked on by ${live.attempt}`, `suspend it first: signalbox suspend ${id}`);
  if (ended) return against(`${id} is being checked or reviewed`, `see: signalbox why ${id}`);
  return null;
}

function againstPause({ paused, path }: PlanState): Against | null {
  return paused && against(`${path} is paused, by ${paused.by}`, 'let it go on: signalbox resume');
}

function againstFailing(plan: PlanState, i: number): Against | null {
  const { id } = plan.plan.tasks[i]!;
  const own = plan.tasks[i]!;
  if (own.status !== 'failed') return null;
  const again = own.failures < attemptsAllowed(plan.plan.tasks[i]!, own) ? 'mark-started' : 'retry';
  return against(`${id} is failed already`, `to try it again: signalbox ${again} ${id}`, false);
}

/** Null: it may start now. */
function againstRules(plan: PlanState, i: number): Against | null {
  const task = plan.plan.tasks[i]!;
  const { id } = task;
  const own = plan.tasks[i]!;
  if (task.group) return against(`${id} is a group`, 'mark its subtasks', false);
  switch (leafStatus(plan, i)) {
    case 'completed':
    case 'skipped':
      return against(`${id} is ${own.status} already`, `to do it again: signalbox retry ${id}`, false);
    case 'suspended':
      return against(`${id} is suspended`, `resume it first: signalbox resume ${id}`);
    case 'blocked': {
      const causes = new RootCauses(plan, null).of(i).map((cause) => `${cause.task} (${cause.status})`);
      return against(`${id} is blocked by ${causes.join(', ')}`, `see: signalbox why ${id}`);
    }
    case 'failed':
      if (own.failures < attemptsAllowed(task, own)) return null;
      return against(`${id} has no attempts left`, `grant one more: signalbox retry ${id}`);
    default:
      if (own.hold) return against(`${id} waits for the decision ${own.hold}`, `see: signalbox decide ${own.hold}`);
      return plan.waiting[i]! > 0 ? against(`${id} is not ready`, `see what it waits for: signalbox why ${id}`) : null;
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
        `see: signalbox why ${task.id}`,
      );
    default: // in nobody's line, because nobody waits for a person
  }
  const passes = state.locks.table.passesOf({ owner: ownerNamed(by), wants });
  return accept([
    { type: 'task-started', v: 1, plan: plan.path, task: task.id, attempt, token, by },
    ...acquire(owner, wants, { passes }),
  ]);
}

/** Asked and answered in one breath: it is in the history of decisions. */
function override(state: State, plan: PlanState, i: number, { by, reason }: Mark, because: string): Event[] {
  const id = decisionId(state.decided + 1);
  const none = { count: 0, tasks: [] };
  const task = plan.plan.tasks[i]!.id;
  const options = optionsFor('override');
  const question = { kind: 'override', task, blocks: none, goesOn: none, options } as const;
  const opened: Event = { type: 'decision-opened', v: 1, plan: plan.path, decision: id, ...question };
  const why = reason === undefined ? because : `${because}: ${reason}`;
  const decision = { ...question, id, openedAt: state.at };
  const answer = { id, kind: 'override', about: i, choice: 'go-on', by, reason: why, blocked: [], decision } as const;
  return [opened, ...answerEvents(plan, answer)];
}

/** What was withdrawn half way is put back; what a person calls complete stays as it is. */
function ended(plan: PlanState, i: number, kind: 'stop' | 'withdrawn'): Event[] {
  const { live } = plan.tasks[i]!;
  return live && !live.doom ? [doomed(live, { kind })] : [];
}
