// The definition of a plan in a form of which single tasks can be read: one line of JSON for each, and a table of where the line of an
// id is. The truth is the event that holds the definition; this saves reading all of that.
import { withClosingTasks } from '../core/closing-tasks.ts';
import { type TaskId, taskId } from '../core/ids.ts';
import { lateList } from '../core/late-list.ts';
import type { Plan, Task } from '../core/plan.ts';
import { readLate } from '../core/snapshot.ts';
import type { TaskPlaces } from '../core/state.ts';
import { KeptLines, packLines } from './kept-lines.ts';

export interface KeptPlan {
  /** All but the tasks, as JSON. */
  readonly head: string;
  readonly tasks: Uint8Array;
  readonly places: Uint8Array;
}

/** @param plan with its closing tasks, as it is in the state. */
export function packPlan(plan: Plan): KeptPlan {
  const { tasks, ...head } = withClosingTasks(plan);
  return { head: JSON.stringify(head), tasks: packLines(tasks.map(taskLine)), places: packPlaces(tasks) };
}

/** The id comes first, so that it can be told without reading the rest. */
const taskLine = ({ id, title, ...rest }: Task): string => JSON.stringify({ id, title, ...rest });
const [beforeId, behindId] = ['{"id":', ',"title":'];

export function openPlan({ head, tasks: block, places }: KeptPlan): { plan: Plan; index: TaskPlaces } {
  const lines = new KeptLines(block);
  const tasks = lateList<Task>(lines.length, (i) => readLate(() => JSON.parse(lines.line(i))));
  const index = new LatePlaces(lines, places);
  return { plan: { ...JSON.parse(head), tasks }, index };
}

/** By the hash of an id: the number of its line, from 1; the next free place when that one is taken. Half of it is free at least. */
function packPlaces(tasks: readonly Task[]): Uint8Array {
  const table = new Int32Array(2 ** Math.ceil(Math.log2(2 * tasks.length + 2)));
  const mask = table.length - 1;
  tasks.forEach(({ id }, i) => {
    let at = hashOf(id) & mask;
    while (table[at] !== 0) at = (at + 1) & mask;
    table[at] = i + 1;
  });
  return new Uint8Array(table.buffer);
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash ^ (hash >>> 15);
}

class LatePlaces implements TaskPlaces {
  readonly #lines: KeptLines;
  readonly #table: Int32Array;

  constructor(lines: KeptLines, packed: Uint8Array) {
    this.#lines = lines;
    this.#table = new Int32Array(packed.slice().buffer);
    const { length } = this.#table;
    // Otherwise a search might never come to a free place.
    if (length <= lines.length || (length & (length - 1)) !== 0) throw new Error('the table has another form');
  }

  get(id: TaskId): number | undefined {
    const mask = this.#table.length - 1;
    const beginning = `${beforeId}${JSON.stringify(id)}${behindId}`;
    let at = hashOf(id) & mask;
    for (let tries = 0; this.#table[at] !== 0 && tries <= mask; tries++) {
      const line = this.#table[at]! - 1;
      if (this.#lines.line(line).startsWith(beginning)) return line;
      at = (at + 1) & mask;
    }
    return undefined;
  }

  has(id: TaskId): boolean {
    return this.get(id) !== undefined;
  }

  *keys(): MapIterator<TaskId> {
    for (const line of this.#lines.all()) {
      yield taskId(readLate(() => JSON.parse(line.slice(beforeId.length, line.indexOf(behindId)))));
    }
  }
}
