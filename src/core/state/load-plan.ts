// A plan is loaded for the first time, or again after an edit.

import type { PlanLoaded, Stored } from '../model/event.ts';
import type { Plan, Task } from '../model/plan.ts';
import { indexTasks } from '../ready/graph.ts';
import { Closers, isSameClosing, withClosingTasks } from './closing-tasks.ts';
import { countStrays, createPlanState, noLoops } from './plan-state.ts';
import { hasSameText, isAtWork, startedTask, textOf } from './questions/started-task.ts';
import type { PlanState, RunState, State, TaskState } from './state.ts';
import { createTaskState, end, hasProved, reopen, said } from './task-state.ts';

/** Ended and running tasks keep their history over a new revision. A newly ticked box counts for a pending task. */
export function loadPlan(state: State, event: Stored<PlanLoaded>): void {
  const plan = withClosingTasks(event.definition);
  const known = state.plans.get(event.plan);
  const tasks = plan.tasks.map((task) => {
    const at = known?.index.get(task.id);
    if (at === undefined) return createTaskState(task, event.at);
    const old = known!.tasks[at]!;
    if (event.anew) old.startedWith = null;
    else keepStartedWith(known!, at, task);
    if (task.closes !== undefined && !isSameClosing(task, known!.plan.tasks[at]!)) forget(task, old, event.at);
    // The review may have been dropped, or given to another reviewer.
    if (old.ended?.asked && task.keys.review !== 'human') old.ended = { ...old.ended, asked: null };
    // A ticked task that is pending again was retried by a person: an edit elsewhere must not undo that.
    const isTickedSince = task.ticked !== undefined && task.ticked !== known!.plan.tasks[at]!.ticked;
    if (isTickedSince && old.status === 'pending' && old.live === null) {
      end(old, task.ticked!, event.at);
      said(old, 'plan', undefined);
    }
    return old;
  });
  reopenClosed(plan, tasks);
  const record = {
    plan,
    tasks,
    index: indexTasks(plan),
    revision: event.revision,
    definedAt: event.seq,
    paused: known?.paused ?? null,
    run: known?.run ? withNewPools(known.run, plan) : null,
    runs: known?.runs ?? 0,
    history: known?.history ?? [],
    baseline: known?.baseline ?? null,
    loops: known?.loops ?? noLoops(),
    decisions: [...(known?.decisions.values() ?? [])],
    earlier: known?.earlier ?? null,
    loadedAt: known?.loadedAt ?? event.at,
    changedAt: event.at,
  };
  const loaded = createPlanState(record, event.seq);
  countStrays(state, loaded);
  state.plans.set(event.plan, loaded);
}

/** What runs goes on as it was started; whoever takes back the edit has changed nothing. */
function keepStartedWith(known: PlanState, at: number, task: Task): void {
  const old = known.tasks[at]!;
  if (!isAtWork(old)) return;
  const started = startedTask(known, at);
  // Of a closing task it also says that something joined its part of the plan since, which no later edit takes back.
  const isSame = hasSameText(started, task) && (task.closes === undefined || old.startedWith === null);
  old.startedWith = isSame ? null : textOf(started);
}

/** The limits of a run stay what they were when it started. A pool that it does not know has the limit of the plan that brings it. */
function withNewPools(run: RunState, { pools = {} }: Plan): RunState {
  const isKnown = run.ended !== null || Object.keys(pools).every((name) => name in run.limits.pools);
  return isKnown ? run : { ...run, limits: { ...run.limits, pools: { ...pools, ...run.limits.pools } } };
}

/** Its checks have changed, so it starts anew. Its attempts keep their numbers. */
function forget(task: Task, old: TaskState, at: number): void {
  if (old.live !== null) return;
  const { attempts, token } = old;
  Object.assign(old, createTaskState(task, at), { attempts, token });
}

/** A closing task that is green, or at work, runs again after something was added to its part of the plan. */
function reopenClosed(plan: Plan, tasks: readonly TaskState[]): void {
  const closing = plan.tasks.flatMap((task, i) => (task.closes === undefined ? [] : i));
  const closers = new Closers(plan, closing);
  if (closing.length === 0) return;
  plan.tasks.forEach(({ group }, i) => {
    if (group || tasks[i]!.status !== 'pending') return;
    for (const closer of closers.of(i)) {
      const own = tasks[closer]!;
      if (hasProved(own)) reopen(own);
      else if (isAtWork(own)) own.startedWith ??= textOf(plan.tasks[closer]!);
    }
  });
}
