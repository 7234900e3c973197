// The definition of a plan in a form of which single tasks can be read: one line of JSON for each. The truth is the event that holds
// it; this saves reading all of that.
import { withClosingTasks } from '../core/closing-tasks.ts';
import { indexTasks } from '../core/graph.ts';
import type { TaskId } from '../core/ids.ts';
import { lateList } from '../core/late-list.ts';
import type { Plan, Task } from '../core/plan.ts';
import { readLate } from '../core/snapshot.ts';
import type { TaskPlaces } from '../core/state.ts';
import { KeptLines, packLines } from './kept-lines.ts';

export interface KeptPlan {
  /** All but the tasks, as JSON. */
  readonly head: string;
  readonly tasks: Uint8Array;
}

/** @param plan with its closing tasks, as it is in the state. */
export function packPlan(plan: Plan): KeptPlan {
  const { tasks, ...head } = withClosingTasks(plan);
  return { head: JSON.stringify(head), tasks: packLines(tasks.map(taskLine)) };
}

/** The id comes first: it is what lines are found by. */
const taskLine = ({ id, ...rest }: Task): string => JSON.stringify({ id, ...rest });

export function openPlan({ head, tasks: block }: KeptPlan): { plan: Plan; index: TaskPlaces } {
  const lines = new KeptLines(block);
  const tasks = lateList<Task>(lines.length, (i) => readLate(() => JSON.parse(lines.line(i))));
  const plan: Plan = { ...JSON.parse(head), tasks };
  return { plan, index: new LatePlaces(plan, lines) };
}

/** After so many questions it is worth knowing all of them. */
const mostSearches = 32;

class LatePlaces implements TaskPlaces {
  readonly #plan: Plan;
  readonly #lines: KeptLines;
  readonly #found = new Map<TaskId, number | undefined>();
  #all: ReadonlyMap<TaskId, number> | null = null;

  constructor(plan: Plan, lines: KeptLines) {
    this.#plan = plan;
    this.#lines = lines;
  }

  get(id: TaskId): number | undefined {
    if (this.#all) return this.#all.get(id);
    if (this.#found.has(id)) return this.#found.get(id);
    if (this.#found.size >= mostSearches) return this.#known().get(id);
    const at = this.#lines.find(`{"id":${JSON.stringify(id)},`);
    const place = at === -1 ? undefined : at;
    this.#found.set(id, place);
    return place;
  }

  has(id: TaskId): boolean {
    return this.get(id) !== undefined;
  }

  keys(): MapIterator<TaskId> {
    return this.#known().keys() as MapIterator<TaskId>;
  }

  #known(): ReadonlyMap<TaskId, number> {
    this.#all ??= indexTasks(this.#plan);
    return this.#all;
  }
}
