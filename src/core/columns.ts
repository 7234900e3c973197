// What is asked of all tasks at once, as flat arrays by task: who looks through 10,000 tasks for one of these need not have them all.
import type { Plan } from './plan.ts';

export interface Columns {
  readonly priority: Float64Array;
  /** Index into `Plan.phases`. */
  readonly phase: Int32Array;
  /** 1: added by Signalbox. */
  readonly closes: Uint8Array;
  /** 1: it declares locks. */
  readonly locks: Uint8Array;
}

export function columnsOf({ tasks }: Plan): Columns {
  const n = tasks.length;
  const columns = {
    priority: new Float64Array(n),
    phase: new Int32Array(n),
    closes: new Uint8Array(n),
    locks: new Uint8Array(n),
  };
  tasks.forEach(({ keys, phase, closes }, i) => {
    if (keys.priority !== undefined) columns.priority[i] = keys.priority;
    columns.phase[i] = phase;
    if (closes !== undefined) columns.closes[i] = 1;
    if (isAny(keys.files) || isAny(keys.reads) || isAny(keys.locks)) columns.locks[i] = 1;
  });
  return columns;
}

const isAny = (keys: readonly string[] | undefined) => keys !== undefined && keys.length > 0;
