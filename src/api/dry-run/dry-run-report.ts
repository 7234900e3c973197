// What a run would do: the tasks in waves, where each wave needs only earlier ones; the locks of each task, and the conflicts inside a
// wave; the longest way through the plan; an estimate of the time. Nothing is kept.
import type { Limits } from '../../core/model/run-event.ts';
import { LEAF } from '../../core/ready/graph.ts';
import { summaryOf } from '../../core/rules/outcome.ts';
import type { PlanState } from '../../core/state/state.ts';
import type { DryRunReport, DryRunTask } from '../reports/run.ts';
import type { ImaginedPlan } from '../run/imagine-plan.ts';
import { criticalPath } from './critical-path.ts';
import { estimateDurations } from './estimate-durations.ts';
import { simulateSchedule } from './simulate-schedule.ts';
import { LockKeys } from './task-locks.ts';
import { waveConflicts } from './wave-conflicts.ts';

export function dryRunReport(
  { plan, selected, hindrances }: ImaginedPlan,
  limits: Limits,
  isolation: DryRunReport['isolation'],
): DryRunReport {
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
function leavesToRun(plan: PlanState, selected: Uint8Array | null): Uint8Array {
  return Uint8Array.from(plan.plan.tasks, (task, i) => {
    const { status } = plan.tasks[i]!;
    return task.group || selected?.[i] === 0 || (status !== 'pending' && status !== 'in_progress') ? 0 : 1;
  });
}

function wavesOf(plan: PlanState, wouldRun: Uint8Array): number[][] {
  const waves: number[][] = [];
  const depth = depths(plan);
  wouldRun.forEach((would, i) => {
    if (!would) return;
    waves[depth[i]!] ??= [];
    waves[depth[i]!]!.push(i);
  });
  return [...waves].filter((tasks) => tasks !== undefined);
}

/** How many unended leaves lie one behind the other before each node: the longest way, in topological order. */
function depths({ graph, tasks }: PlanState): Int32Array {
  const depth = new Int32Array(graph.nodes);
  const open = new Int32Array(graph.nodes);
  const queue: number[] = [];
  for (let n = 0; n < graph.nodes; n++) {
    open[n] = graph.dependsOn.offset[n + 1]! - graph.dependsOn.offset[n]!;
    if (open[n] === 0) queue.push(n);
  }
  for (let next = 0; next < queue.length; next++) {
    const node = queue[next]!;
    const isStep = graph.kind[node] === LEAF && tasks[node]!.status === 'pending';
    const { offset, target } = graph.dependents;
    for (let e = offset[node]!; e < offset[node + 1]!; e++) {
      const to = target[e]!;
      depth[to] = Math.max(depth[to]!, depth[node]! + (isStep ? 1 : 0));
      if (--open[to]! === 0) queue.push(to);
    }
  }
  return depth;
}
