// Starts a plan over. The log keeps everything that was; what was open is ended first, so that nobody waits for it.
import type { EarlierResults, Event } from '../model/event.ts';
import type { AttemptEnd } from '../model/failure.ts';
import type { Plan } from '../model/plan.ts';
import { summaryOf } from '../rules/outcome.ts';
import type { PlanState, State } from '../state/state.ts';
import { loadedPlan } from './take-revision.ts';

export interface Resetting {
  readonly by: string;
  /** The plan as its file says it now: neither edits that were only recorded nor tasks that are kept for their history stay. */
  readonly plan: Plan;
  readonly revision: string;
  /** Null: no run of this round had worktrees. */
  readonly results: EarlierResults | null;
  /** How attempts ended of which the end was never recorded, by token. */
  readonly ends: ReadonlyMap<number, AttemptEnd>;
}

/** Nobody may be at work on it any more. */
export function resetPlan(state: State, known: PlanState, { by, plan, revision, results, ends }: Resetting): Event[] {
  const { path } = known;
  const round = nextRound(known);
  return [
    ...buryRun(known),
    ...unrecordedEnds(state, known, ends),
    ...[...known.decisions.values()].map(({ id, task }): Event => {
      return { type: 'decision-closed', v: 1, plan: path, decision: id, ...(task === undefined ? {} : { task }) };
    }),
    { type: 'plan-reset', v: 1, plan: path, by, round, ...(results ? { results } : {}) },
    loadedPlan(plan, revision),
  ];
}

export const nextRound = ({ earlier }: PlanState): number => (earlier?.rounds ?? 0) + 1;

/** Whether anything is recorded that a new round would not have. Boxes that are ticked in the plan count in each. */
export function hasBegun(plan: PlanState): boolean {
  if (plan.runs > 0 || plan.history.length > 0 || plan.paused || plan.decisions.size > 0) return true;
  return plan.tasks.some(
    ({ status, attempts, by }, i) =>
      attempts > 0 || status !== (plan.plan.tasks[i]!.ticked ?? 'pending') || (by !== null && by !== 'plan'),
  );
}

/** A runner that died could not say so itself. */
export function buryRun(plan: PlanState): Event[] {
  const { path, run } = plan;
  if (!run || run.ended) return [];
  const how = { outcome: 'aborted', exitCode: 137, summary: summaryOf(plan) } as const;
  return [{ type: 'run-ended', v: 1, plan: path, run: run.run, ...how }];
}

/** What such an attempt left half done is put back by the next run. */
function unrecordedEnds({ live }: State, { path }: PlanState, ends: Resetting['ends']): Event[] {
  return [...live.values()].flatMap(({ plan, run, task, attempt, token, job }): Event[] => {
    if (plan !== path || job.kind !== 'attempt') return [];
    return [{ type: 'attempt-ended', v: 1, plan, run, task, attempt, token, end: ends.get(token) ?? { kind: 'lost' } }];
  });
}
