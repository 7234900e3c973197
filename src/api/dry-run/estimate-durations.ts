// How long tasks may take, judged by the completed attempts of this plan. A task counts as the median of its kind (commands, or one
// agent with one model); where no task of its kind is completed, as the median of all.
import type { Task } from '../../core/model/plan.ts';
import type { PlanState } from '../../core/state/state.ts';

export interface Estimates {
  /** By task, in milliseconds; what would not run is 0. */
  readonly ofTask: Float64Array;
  /** How many completed tasks it rests on. */
  readonly measured: number;
  /** How many tasks are judged by their own kind. */
  readonly ownKind: number;
}

/** Null when nothing was measured yet. */
export function estimateDurations(plan: PlanState, wouldRun: Uint8Array): Estimates | null {
  const all: number[] = [];
  const byKind = new Map<string, number[]>();
  plan.plan.tasks.forEach((task, i) => {
    const { status, attempts, startedAt, endedAt } = plan.tasks[i]!;
    if (task.group || status !== 'completed' || attempts === 0) return;
    const duration = Math.max(0, endedAt - startedAt);
    all.push(duration);
    const kind = byKind.get(kindOf(task));
    if (kind) kind.push(duration);
    else byKind.set(kindOf(task), [duration]);
  });
  if (all.length === 0) return null;
  const median = medianOf(all);
  const medians = new Map([...byKind].map(([kind, durations]) => [kind, medianOf(durations)]));
  let ownKind = 0;
  const ofTask = Float64Array.from(plan.plan.tasks, (task, i) => {
    if (!wouldRun[i]) return 0;
    const own = medians.get(kindOf(task));
    if (own !== undefined) ownKind++;
    return own ?? median;
  });
  return { ofTask, measured: all.length, ownKind };
}

const kindOf = ({ keys }: Task) =>
  keys.run === undefined ? `agent ${keys.agent ?? ''} ${keys.model ?? ''}` : 'command';

function medianOf(durations: readonly number[]): number {
  const sorted = Float64Array.from(durations).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
