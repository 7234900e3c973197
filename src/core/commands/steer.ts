// The commands that steer a plan: retry, skip, suspend, pause, stop. `question.ts` has those about questions. Each is a pure function of the state that returns the
// events to record, or a refusal.

import { commandLine } from '../model/command-line.ts';
import { listWords } from '../model/count-words.ts';
import type { Event, TaskSkipped } from '../model/event.ts';
import type { Doom } from '../model/failure.ts';
import type { StopMode } from '../model/run-event.ts';
import { IntSet } from '../ready/int-set.ts';
import { leafStatus } from '../ready/refresh.ts';
import { BAD, SKIPPED, spoils } from '../ready/signal.ts';
import { doomEvent } from '../rules/doom-event.ts';
import { leavesOf, statusOf } from '../state/questions/status.ts';
import type { PlanState, Status } from '../state/state.ts';
import { type Answer, accept, refuse } from './accept-or-refuse.ts';
import { refuseBlocked } from './refuse-blocked.ts';

export interface Steering {
  readonly by: string;
  readonly reason?: string;
}

const spoken = (steering: Steering) => ({
  by: steering.by,
  ...(steering.reason === undefined ? {} : { reason: steering.reason }),
});

/** Grants one more attempt to a task, or to every leaf of a group, that failed or was skipped, or is being repaired; ends a backoff early. */
export function retryTask(plan: PlanState, task: number, steering: Steering): Answer {
  const events: Event[] = [];
  for (const leaf of leavesOf(plan, task)) {
    const { status, notBefore, failure } = plan.tasks[leaf]!;
    // Its failure was answered with `fix`, and now it is repaired.
    const isRepaired = status === 'suspended' && failure !== null;
    const about = { v: 1, plan: plan.path, task: plan.plan.tasks[leaf]!.id } as const;
    const note = steering.reason === undefined ? {} : { note: steering.reason };
    if (status === 'failed' || status === 'skipped' || isRepaired) {
      events.push({ type: 'task-retried', ...about, by: steering.by, ...note });
    } else if (status === 'pending' && notBefore > 0) events.push({ type: 'backoff-ended', ...about });
  }
  if (events.length > 0) return accept(events);
  const { id } = plan.plan.tasks[task]!;
  const status = statusOf(plan, task);
  if (status === 'suspended') return refuse(`${id} is suspended`, `resume it: ${commandLine('resume', id)}`);
  if (status === 'completed')
    return refuse(`${id} is already completed`, `do it again: ${commandLine('retry', id, '--force --reason TEXT')}`);
  if (status === 'blocked') return refuseBlocked(plan, task);
  return refuse(`${id} is ${words(status)}`, 'only a failed or skipped task can be retried');
}

/** Opens an ended task again. The decision recorded just before says who wants that, and why. */
export function reopened(plan: PlanState, leaf: number, by: string, note?: string): Event {
  const about = { v: 1, plan: plan.path, task: plan.plan.tasks[leaf]!.id } as const;
  return { type: 'task-retried', ...about, by, ...(note === undefined ? {} : { note }), reopened: true };
}

export interface SkipOptions extends Steering {
  readonly dependents?: boolean;
  readonly treatAsDone?: boolean;
  /** Ended tasks too, because a person decided so. */
  readonly ended?: boolean;
}

export function skipTask(plan: PlanState, task: number, options: SkipOptions): Answer {
  const { id } = plan.plan.tasks[task]!;
  if (options.dependents && options.treatAsDone)
    return refuse('--dependents and --treat-as-done contradict each other', 'use one of them');
  const leaves = leavesOf(plan, task).filter((leaf) => skippable(plan, leaf, options));
  if (leaves.length === 0) {
    const status = statusOf(plan, task);
    const forced = `skip it anyway: ${commandLine('mark-skipped', id, '--force --reason TEXT')}`;
    return refuse(`${id} is ${words(status)}`, status === 'completed' ? forced : 'there is nothing left to skip');
  }
  const dependents = options.treatAsDone ? [] : dependentLeaves(plan, task);
  if (dependents.length > 0 && !options.dependents) {
    const names = dependents.map((leaf) => plan.plan.tasks[leaf]!.id);
    return refuse(
      `${listWords(names)} ${names.length === 1 ? 'needs' : 'need'} ${id}`,
      'add --dependents to skip them too, or --treat-as-done to let them go on',
    );
  }
  return accept([...leaves, ...dependents].flatMap((leaf) => skipLeaf(plan, leaf, options)));
}

function skippable(plan: PlanState, leaf: number, options: SkipOptions): boolean {
  if (options.ended) return true;
  const { status, treatAsDone } = plan.tasks[leaf]!;
  if (status === 'completed') return false;
  return status !== 'skipped' || (options.treatAsDone === true && !treatAsDone);
}

function skipLeaf(plan: PlanState, leaf: number, options: SkipOptions): Event[] {
  const { id } = plan.plan.tasks[leaf]!;
  const done: Pick<TaskSkipped, 'treatAsDone'> = options.treatAsDone ? { treatAsDone: true } : {};
  return [
    ...(options.ended && hasEnded(plan.tasks[leaf]!.status) ? [reopened(plan, leaf, options.by)] : []),
    { type: 'task-skipped', v: 1, plan: plan.path, task: id, ...spoken(options), ...done },
    ...withdraw(plan, leaf),
  ];
}

/**
 * Leaves that have not ended and need the task, directly or through others.
 * @param signal of the task: a skipped one passes barriers, one that is only bad does not.
 */
export function dependentLeaves(plan: PlanState, task: number, signal = BAD | SKIPPED): number[] {
  const { graph } = plan;
  const seen = new IntSet(graph.nodes);
  const queue = [...leavesOf(plan, task), graph.end[task]!];
  for (const node of queue) seen.add(node);
  const found = new IntSet(graph.tasks);
  while (queue.length > 0) {
    const node = queue.pop()!;
    const { offset, target, kind } = graph.dependents;
    for (let e = offset[node]!; e < offset[node + 1]!; e++) {
      const to = target[e]!;
      if (!spoils(kind[e]!, signal, graph.optional[node]!) || seen.has(to)) continue;
      seen.add(to);
      queue.push(to);
      const leaf = graph.task[to]!;
      if (leaf !== -1 && !plan.plan.tasks[leaf]!.group && !hasEnded(leafStatus(plan, leaf))) found.add(leaf);
    }
  }
  return found.inOrder();
}

export function suspendTask(plan: PlanState, task: number, steering: Steering): Answer {
  const { id } = plan.plan.tasks[task]!;
  const leaves = leavesOf(plan, task).filter((leaf) => !hasEnded(leafStatus(plan, leaf)) && !isSuspended(plan, leaf));
  if (leaves.length === 0) return refuse(`${id} is ${words(statusOf(plan, task))}`, 'there is nothing left to suspend');
  return accept(
    leaves.flatMap((leaf): Event[] => [
      { type: 'task-suspended', v: 1, plan: plan.path, task: plan.plan.tasks[leaf]!.id, ...spoken(steering) },
      ...withdraw(plan, leaf),
    ]),
  );
}

export function pausePlan(plan: PlanState, steering: Steering): Answer {
  if (plan.paused) return refuse(`${plan.path} was already paused by ${plan.paused.by}`, 'resume it: signalbox resume');
  return accept([{ type: 'plan-paused', v: 1, plan: plan.path, ...spoken(steering) }]);
}

export function resumePlan(plan: PlanState, steering: Steering): Answer {
  if (!plan.paused) return refuse(`${plan.path} is not paused`, 'to resume a suspended task, name it');
  return accept([{ type: 'plan-resumed', v: 1, plan: plan.path, by: steering.by }]);
}

const hardness: readonly StopMode[] = ['drain', 'stop', 'kill'];

/** A stop only ever gets harder; the same mode again records nothing. */
export function stopRun(plan: PlanState, stop: { mode: StopMode; by: string; exitCode: 130 | 143 }): Answer {
  const { run } = plan;
  if (!run || run.ended) return refuse(`${plan.path} is not being run`, 'there is nothing to stop');
  if (run.stopping && hardness.indexOf(run.stopping.mode) >= hardness.indexOf(stop.mode)) return accept([]);
  return accept([{ type: 'run-stopping', v: 1, plan: plan.path, run: run.run, ...stop }]);
}

/** Dooms the live attempt. It keeps its slot until its processes are dead. */
export function withdraw(plan: PlanState, leaf: number, doom: Doom = { kind: 'withdrawn' }): Event[] {
  const { live } = plan.tasks[leaf]!;
  if (!live || live.doom) return [];
  return [doomEvent(live, doom)];
}

export const isSuspended = (plan: PlanState, leaf: number) => plan.tasks[leaf]!.status === 'suspended';
const hasEnded = (status: Status) => status === 'completed' || status === 'failed' || status === 'skipped';
export const words = (status: Status) => status.replace('_', ' ');
