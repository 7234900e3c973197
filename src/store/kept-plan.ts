// The definition of a plan in a form of which single tasks can be read: one line of JSON for each, in parts, and a table of where the
// line of an id is. Parts and table are fetched when they are needed. The truth is the event that holds the definition; this
// saves reading all of that.
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
  /** How many tasks it has. */
  readonly length: number;
  /** The lines of some tasks; undefined: it is not there, or not any more. */
  part(part: number): Uint8Array | undefined;
  places(): Uint8Array | undefined;
}

/** Tasks in a part: most commands look at one or two of them. */
const perPart = 256;

export const partsOf = (length: number): number => Math.ceil(length / perPart);

/** @param plan with its closing tasks, as it is in the state. */
export function packPlan(plan: Plan): KeptPlan {
  const { tasks, ...head } = withClosingTasks(plan);
  const { length } = tasks;
  const parts = Array.from({ length: partsOf(length) }, (_, i) =>
    packLines(tasks.slice(i * perPart, (i + 1) * perPart).map(taskLine)),
  );
  const places = packPlaces(tasks);
  return { head: JSON.stringify(head), length, part: (part) => parts[part], places: () => places };
}

/** The id comes first, so that it can be told without reading the rest. */
const taskLine = ({ id, title, ...rest }: Task): string => JSON.stringify({ id, title, ...rest });
const [beforeId, behindId] = ['{"id":', ',"title":'];

export function openPlan(kept: KeptPlan): { plan: Plan; index: TaskPlaces } {
  const lines = new TaskLines(kept);
  const tasks = lateList<Task>(kept.length, (i) => readLate(() => JSON.parse(lines.line(i))));
  const index = new LatePlaces(lines, kept);
  return { plan: { ...JSON.parse(kept.head), tasks }, index };
}

class TaskLines {
  readonly length: number;
  readonly #kept: KeptPlan;
  readonly #parts: KeptLines[] = [];

  constructor(kept: KeptPlan) {
    this.#kept = kept;
    this.length = kept.length;
  }

  line(i: number): string {
    return this.part(Math.floor(i / perPart)).line(i % perPart);
  }

  part(at: number): KeptLines {
    const opened = this.#parts[at];
    if (opened) return opened;
    const lines = readLate(() => openPart(this.#kept, at));
    this.#parts[at] = lines;
    return lines;
  }
}

function openPart(kept: KeptPlan, part: number): KeptLines {
  const lines = new KeptLines(kept.part(part)!);
  if (lines.length !== Math.min(perPart, kept.length - part * perPart)) throw new Error('the part has another form');
  return lines;
}

/** By the hash of an id: the number of its line, from 1; the next free place when that one is taken. Half of it is free at least. */
function packPlaces(tasks: readonly Task[]): Uint8Array {
  const table = new (tableFor(tasks.length))(2 ** Math.ceil(Math.log2(2 * tasks.length + 2)));
  const mask = table.length - 1;
  tasks.forEach(({ id }, i) => {
    let at = hashOf(id) & mask;
    while (table[at] !== 0) at = (at + 1) & mask;
    table[at] = i + 1;
  });
  return new Uint8Array(table.buffer);
}

const tableFor = (tasks: number) => (tasks < 2 ** 16 ? Uint16Array : Uint32Array);

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash ^ (hash >>> 15);
}

class LatePlaces implements TaskPlaces {
  readonly #lines: TaskLines;
  readonly #kept: KeptPlan;
  #table: Uint16Array | Uint32Array | null = null;

  constructor(lines: TaskLines, kept: KeptPlan) {
    this.#lines = lines;
    this.#kept = kept;
  }

  get(id: TaskId): number | undefined {
    this.#table ??= readLate(() => openTable(this.#kept));
    const table = this.#table;
    const mask = table.length - 1;
    const beginning = `${beforeId}${JSON.stringify(id)}${behindId}`;
    let at = hashOf(id) & mask;
    for (let tries = 0; table[at] !== 0 && tries <= mask; tries++) {
      const line = table[at]! - 1;
      if (this.#lines.line(line).startsWith(beginning)) return line;
      at = (at + 1) & mask;
    }
    return undefined;
  }

  has(id: TaskId): boolean {
    return this.get(id) !== undefined;
  }

  *keys(): MapIterator<TaskId> {
    for (let part = 0; part < partsOf(this.#lines.length); part++) {
      for (const line of this.#lines.part(part).all()) {
        yield taskId(readLate(() => JSON.parse(line.slice(beforeId.length, line.indexOf(behindId)))));
      }
    }
  }
}

function openTable(kept: KeptPlan): Uint16Array | Uint32Array {
  const table = new (tableFor(kept.length))(kept.places()!.slice().buffer);
  const { length } = table;
  // Otherwise a search might never come to a free place.
  if (length <= kept.length || (length & (length - 1)) !== 0) throw new Error('the table has another form');
  return table;
}
