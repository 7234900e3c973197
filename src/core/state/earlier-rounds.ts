// A plan that is started over: it is as if it had never been run. What its attempts left half done is still put back, whatever round they
// are of. Their logs, branches and saved work are found by their numbers, so no later attempt gets one of those.
import type { EarlierResults, PlanReset, Stored } from '../model/event.ts';
import type { TaskId } from '../model/ids.ts';
import { createPlanState, noLoops } from './plan-state.ts';
import type { PlanState, State } from './state.ts';
import { createTaskState } from './task-state.ts';

export interface EarlierRounds {
  readonly rounds: number;
  /** The event that started it over. */
  readonly seq: number;
  /** By task, how many attempts it had in all of them. Also of tasks that the plan no longer has. */
  readonly attempts: Readonly<Record<TaskId, number>>;
  /** Of the last round with worktrees; null: there was none. */
  readonly results: EarlierResults | null;
}

/** Of the last attempt of the task, over all rounds; 0: it never had one. */
export function attemptNumber(plan: Pick<PlanState, 'plan' | 'tasks' | 'earlier'>, task: number): number {
  const { id } = plan.plan.tasks[task]!;
  const { earlier } = plan;
  // A task may be called `constructor`.
  const before = earlier && Object.hasOwn(earlier.attempts, id) ? earlier.attempts[id]! : 0;
  return before + plan.tasks[task]!.attempts;
}

/** With the round that ends now. */
function attemptsSoFar(plan: PlanState): EarlierRounds['attempts'] {
  const now = plan.plan.tasks.flatMap(({ id }, i) => {
    const number = attemptNumber(plan, i);
    return number === 0 ? [] : [[id, number] as const];
  });
  return Object.fromEntries([...Object.entries(plan.earlier?.attempts ?? {}), ...now]);
}

export function resetPlan(state: State, event: Stored<PlanReset>): void {
  const known = state.plans.get(event.plan);
  if (!known) return;
  forgetWork(state, known);
  const { plan, index, revision, definedAt, loadedAt } = known;
  const fresh = createPlanState(
    {
      ...{ plan, index, revision, definedAt, loadedAt },
      tasks: plan.tasks.map((task) => createTaskState(task, event.at)),
      paused: null,
      run: null,
      runs: 0,
      history: [],
      baseline: null,
      loops: noLoops(),
      decisions: [],
      earlier: {
        rounds: event.round,
        seq: event.seq,
        attempts: attemptsSoFar(known),
        results: event.results ?? known.earlier?.results ?? null,
      },
      changedAt: event.at,
    },
    event.seq,
  );
  state.plans.set(event.plan, fresh);
}

/** Whoever recorded it knew that nobody is at work any more. */
function forgetWork(state: State, { path, tasks }: PlanState): void {
  for (const { plan, token, pools } of [...state.live.values()]) {
    if (plan !== path) continue;
    state.live.delete(token);
    state.jobs.delete(token);
    for (const pool of pools) state.usage.set(pool, state.usage.get(pool)! - 1);
  }
  for (const { plan, token } of [...state.victims.values()]) if (plan === path) state.victims.delete(token);
  for (const { hand } of tasks) if (hand) state.hands.delete(hand.token);
}
