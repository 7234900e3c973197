// What a plan means to a run, as one text that can be compared: written apart from the comparison that `fmt` itself makes.
import type { PlanReading } from '../src/plan/read-plan.ts';

/**
 * Everything that a run depends on, whatever the order of keys; lines may change. Rows of a table may stand in any order of
 * batches; a list cannot, so tasks are compared phase by phase.
 */
export function meaning({ plan }: PlanReading): string {
  const tasks = plan?.tasks.map(({ line: _, parent, ...task }) => ({
    ...task,
    parent: parent === undefined ? null : plan.tasks[parent]!.id,
  }));
  // Where they follow each other in the order of the file, that order means something.
  if (plan?.order === 'phases' || plan?.order === 'explicit') tasks!.sort((a, b) => a.phase - b.phase);
  return JSON.stringify({ ...plan, tasks }, (_, value) => (isPlainMap(value) ? sorted(value) : value));
}

const isPlainMap = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** As pairs: no name of a variable may mean anything to an object. */
const sorted = (map: object) => Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
