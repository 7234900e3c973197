// What a run would do: the tasks in waves, where each wave needs only earlier ones; the locks of each task, and the conflicts inside a
// wave; the longest way through the plan; an estimate of the time. Nothing is kept.
import type { Limits } from '../../core/model/run-event.ts';
import { LEAF } from '../../core/ready/graph.ts';
import { summaryOf } from '../../core/rules/outcome.ts';
import type { PlanState } from '../../core/state/state.ts';
import type { DryRunReport, DryRunTask } from '../reports/run.ts';
import type { ImaginedPlan } from '../run/imagine-plan.ts';
import { criticalPath, longestWays } from './critical-path.ts';
import { estimateDurations } from './estimate-durations.ts';
import { simulateSchedule } from './simulate-schedule.ts';
import { LockKeys } from './task-locks.ts';
import { waveConflicts } from './wave-conflicts.ts';

export function dryRunReport(
  { plan, selected, hindrances }: ImaginedPlan,
  limits: Limits,
  isolation: DryRunReport['isolation'],
): Omit<DryRunReport, 'notes'> {
  const wouldRun = leavesToRun(plan, selected);
  const estimates = estimateDurations(plan, wouldRun);
  const locks = new LockKeys(plan.plan);
  const waves = wavesOf(plan, wouldRun);
  const path = criticalPath(plan, wouldRun, estimates?.ofTask ?? null);
  const wall = estimates && simulateSchedule({ plan, wouldRun, limits, locks, durations: estimates.ofTask });
  const describe = (i: number): DryRunTask => {
    const task = plan.plan.tasks[i]!;
    return {
      id: task.id,
      title: task.title,
      ...(task.closes === undefined ? {} : { closes: task.closes }),
      command: task.keys.run ?? (task.keys.agent === undefined ? '' : `agent ${task.keys.agent}`),
      pools: plan.ready.poolsOf(i),
      locks: locks.keysOf(i),
      estimateMs: estimates?.ofTask[i] ?? null,
    };
  };
  return {
    plan: plan.path,
    order: plan.plan.order,
    summary: summaryOf(plan),
    limits: {
      plan: limits.plan,
      pools: limits.pools,
      ...(limits.workspace === undefined ? {} : { workspace: limits.workspace }),
    },
    criticalPath: {
      tasks: path.tasks.map((i) => plan.plan.tasks[i]!.id),
      estimateMs: estimates ? path.length : null,
    },
    estimate: estimates && { wallMs: wall, measured: estimates.measured, ownKind: estimates.ownKind },
    isolation,
    hindrances: [...hindrances],
    waves: waves.map((tasks) => ({ tasks: tasks.map(describe), ...waveConflicts(plan.plan, tasks, locks) })),
  };
}

/** By task: 1 for a leaf that the run would still have to do. */
const leavesToRun = (plan: PlanState, selected: Uint8Array | null): Uint8Array =>
  Uint8Array.from(plan.tasks, (_, i) => (isUnended(plan, i) && selected?.[i] !== 0 ? 1 : 0));

const isUnended = ({ graph, tasks }: PlanState, node: number): boolean =>
  graph.kind[node] === LEAF && (tasks[node]!.status === 'pending' || tasks[node]!.status === 'in_progress');

/** By how many unended leaves lie one behind the other on the longest way to each. */
function wavesOf(plan: PlanState, wouldRun: Uint8Array): number[][] {
  const waves: number[][] = [];
  const { length } = longestWays(plan.graph, (node) => (isUnended(plan, node) ? 1 : 0));
  wouldRun.forEach((would, i) => {
    if (!would) return;
    waves[length[i]!] ??= [];
    waves[length[i]!]!.push(i);
  });
  return [...waves].filter((tasks) => tasks !== undefined);
}
