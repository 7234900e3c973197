// A run of a plan begins, or goes on in another process.
import { defaultDeadlock, defaultLivelock } from '../model/defaults.ts';
import type { Stored } from '../model/event.ts';
import type { RunStarted } from '../model/run-event.ts';
import { selectLeaves } from '../model/selection.ts';
import { lookAtPlan } from './decision-book.ts';
import { remember } from './evolve-hand.ts';
import { nothingSpent } from './spending.ts';
import type { PlanState, RunState } from './state.ts';

export function startRun(plan: PlanState, event: Stored<RunStarted>): void {
  const { run, runner, limits, selection = null, at } = event;
  plan.run = {
    run,
    runner,
    limits,
    selection,
    deadlock: event.deadlock ?? defaultDeadlock,
    onFailure: event.onFailure ?? null,
    escalationAgent: event.escalationAgent ?? null,
    reviewAgent: event.reviewAgent ?? null,
    livelock: { ...defaultLivelock, ...event.livelock },
    decideWithinMs: event.decideWithinMs ?? 0,
    stopsAtQuota: event.stopsAtQuota ?? false,
    waitsPaused: event.waitsPaused ?? false,
    limited: false,
    isolation: event.isolation ?? null,
    held: heldBy(plan),
    accepted: plan.run?.accepted ?? [],
    unprepared: 0,
    takesOver: event.takesOver ?? false,
    tookOver: false,
    startedAt: at,
    ...soFar(plan, event),
    stopping: null,
    ended: null,
  };
  plan.selected = selection && selectLeaves(plan, selection);
  plan.runs++;
  const branch = event.isolation ? { branch: event.isolation.branch } : {};
  const begun = { run, startedAt: at, endedAt: 0, completed: 0, failed: 0, outcome: null, ...branch };
  plan.history = remember(plan.history, begun);
  lookAtPlan(plan);
}

/** A question that an earlier run has asked still holds. */
function heldBy({ book, decisions }: PlanState): RunState['held'] {
  for (const id of book.ofPlan) {
    const { evidence } = decisions.get(id)!;
    if (evidence?.kind === 'held') return evidence.because;
  }
  return null;
}

/** A run that goes on in another process began with the first of them, and its attempts count together. */
function soFar(
  { run }: PlanState,
  { takesOver, carriesOn, at }: Stored<RunStarted>,
): Pick<RunState, 'begunAt' | 'attempts' | 'spent'> {
  if (takesOver && run) return { begunAt: run.begunAt, attempts: run.attempts, spent: run.spent };
  return { begunAt: at, attempts: 0, spent: (carriesOn && run?.spent) || nothingSpent };
}
