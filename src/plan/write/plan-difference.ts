// Whether two readings mean the same to a run, and if not, where they part. Lines may differ, and the order of keys.
import type { Plan, Task } from '../../core/model/plan.ts';

export interface Difference {
  /** By the first plan; -1 when it is not about one task. */
  readonly task: number;
  /** What differs, as the plan calls it. */
  readonly what: string;
}

/** Null when they are the same. `byPhase` forgives tasks that changed places, but not within their phase. */
export function differenceOf(before: Plan, after: Plan, { byPhase = false } = {}): Difference | null {
  const { tasks, ...plan } = before;
  const { tasks: others, ...other } = after;
  const what = differingKey(plan, other);
  if (what !== null) return { task: -1, what };
  const order = byPhase ? phaseOrder(tasks) : null;
  const otherOrder = byPhase ? phaseOrder(others) : null;
  const sameKeys: SameKeys = { one: undefined, two: undefined };
  for (let i = 0; i < Math.min(tasks.length, others.length); i++) {
    const at = order ? order[i]! : i;
    const found = differingTask(tasks[at]!, others[otherOrder ? otherOrder[i]! : i]!, sameKeys);
    if (found !== null) return { task: at, what: found };
  }
  return tasks.length === others.length ? null : { task: -1, what: 'tasks' };
}

const phaseOrder = (tasks: readonly Task[]): number[] =>
  tasks.map((_, i) => i).sort((a, b) => tasks[a]!.phase - tasks[b]!.phase || a - b);

/** The last pair that was found equal: tasks without keys of their own share one object. */
interface SameKeys {
  one: unknown;
  two: unknown;
}

function differingTask(a: Task, b: Task, known: SameKeys): string | null {
  if (a.id !== b.id) return 'id';
  if (a.title !== b.title) return 'title';
  const isKnown = a.keys === known.one && b.keys === known.two;
  if (!isKnown && !isSame(a.keys, b.keys)) return differingKey(a.keys, b.keys);
  known.one = a.keys;
  known.two = b.keys;
  for (const key of taskFields) if (a[key] !== b[key] && !isSame(a[key], b[key])) return key;
  return null;
}

const taskFields = [
  'phase',
  'parent',
  'group',
  'needs',
  'prefers',
  'optional',
  'parallel',
  'ticked',
  'prompt',
  'closes',
] as const satisfies readonly (keyof Task)[];
/** A field that is added to tasks has to be compared too. */
type Compared = (typeof taskFields)[number] | 'id' | 'title' | 'line' | 'keys';
true satisfies Exclude<keyof Task, Compared> extends never ? true : false;

function differingKey(a: object, b: object): string | null {
  const [one, two] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const key of new Set([...Object.keys(one), ...Object.keys(two)])) if (!isSame(one[key], two[key])) return key;
  return null;
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!isSame(a[i], b[i])) return false;
    return true;
  }
  const [one, two] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const names = Object.keys(one);
  if (names.length !== Object.keys(two).length) return false;
  for (const name of names) if (!Object.hasOwn(two, name) || !isSame(one[name], two[name])) return false;
  return true;
}
