// Whether the order of a plan is that of its file: then no task waits, by the order alone, for one that stands behind it.
import type { Plan } from './plan.ts';

/**
 * With this, and with every need standing wholly before the task that names it, all edges of the graph lead back in the file
 * and there can be no cycle: parts stand behind the start of their group, and steps of the order follow each other. False
 * also where it cannot be told at a glance.
 */
export function hasOrderOfFile(plan: Plan): boolean {
  if (plan.sequences !== undefined) return false;
  if (plan.order === 'explicit') return true;
  let phase = 0;
  for (const task of plan.tasks) {
    if (task.parent !== undefined) continue;
    if (task.phase < phase) return false;
    phase = task.phase;
  }
  return true;
}
