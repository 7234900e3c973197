// A state as text: the recorded part and everything derived from it, so that two states are the same if their prints are.
import { snapshotPlan, snapshotWorkspace } from '../../src/core/state/snapshot.ts';
import type { State } from '../../src/core/state/state.ts';

export function printState(state: State): string {
  const plans = [...state.plans.values()].map((plan) => ({
    recorded: snapshotPlan(plan),
    signals: plan.signals.join(),
    waiting: plan.waiting.join(),
    bad: plan.bad.join(),
    ready: plan.ready.inOrder(),
    backoff: [...plan.backoff.all()].sort((a, b) => a - b),
    counts: plan.counts,
    unjudged: [...plan.unjudged].sort((a, b) => a - b),
    toCheck: [...plan.toCheck],
    toReview: [...plan.toReview],
    reviewing: plan.reviewing,
    toMerge: [...plan.toMerge].sort((a, b) => a - b),
    merging: plan.merging,
    overtaken: [...plan.book.overtaken].sort(),
    asked: [...plan.book.byTask.keys()].sort(),
    holding: plan.book.holding,
    deadline: String(plan.book.deadline),
    batches: [...plan.batches.ended].sort(),
    live: plan.live,
    held: plan.tasks.map((task) => task.live?.token ?? 0).join(),
  }));
  const usage = [...state.usage].filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify({ workspace: snapshotWorkspace(state), plans, usage });
}
