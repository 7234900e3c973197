// What the fake agents do. Every task has a fate that it meets in the end; while faults happen, attempts also go wrong in ways
// of their own. Good behaviour stays within the task's own limits, so that only a fault can get it killed.
import { idleTimeoutMsOf, timeoutMsOf } from '../../../src/core/model/defaults.ts';
import type { Task } from '../../../src/core/model/plan.ts';
import type { Random } from '../random.ts';

/** `hanging` and `silent` are ended by their timeouts; `cursed`: its supervisor dies every time. */
export type Fate = 'good' | 'bad' | 'hanging' | 'silent' | 'unstartable' | 'cursed';

export interface Behaviour {
  readonly kind: Fate | 'unstartable-once';
  /** From its start to its end; Infinity if it does not end by itself. */
  readonly durationMs: number;
  readonly exitCode: number;
  readonly printEveryMs: number;
  /** No output after this long. */
  readonly silentAfterMs: number;
  /** How it takes being asked to end: after how long and with which code; null: it does not. */
  readonly politeEnd: { readonly afterMs: number; readonly code: number } | null;
  /** When its supervisor dies, after the start. */
  readonly cursedAfterMs: number;
}

export function chooseFate(random: Random, task: Task, badness: number): Fate {
  if (!random.chance(badness)) return 'good';
  const canHang = timeoutMsOf(task) > 0 ? 1 : 0;
  const canBeSilent = idleTimeoutMsOf(task) > 0 ? 1 : 0;
  return random.weighted({ bad: 4, hanging: canHang, silent: canBeSilent, unstartable: 0.7, cursed: 0.4 });
}

/** @param calm no more trouble than its fate. */
export function behave(random: Random, task: Task, fate: Fate, calm: boolean): Behaviour {
  const kind = calm || random.chance(0.8) ? fate : mishap(random, task);
  const timeoutMs = timeoutMsOf(task) || Number.POSITIVE_INFINITY;
  const idleMs = idleTimeoutMsOf(task) || Number.POSITIVE_INFINITY;
  const natural = Math.min(random.spread(20, 30_000), Math.floor(timeoutMs * 0.8));
  const politeEnd = random.chance(0.75)
    ? { afterMs: random.spread(1, 3_000), code: random.pick([143, 143, 0, 1]) }
    : null;
  return {
    kind,
    durationMs: kind === 'hanging' || kind === 'silent' ? Number.POSITIVE_INFINITY : natural,
    exitCode: kind === 'bad' ? random.int(1, 255) : 0,
    printEveryMs: Math.min(random.spread(20, 4_000), Math.floor(idleMs * 0.4)),
    silentAfterMs: kind === 'silent' ? random.int(0, 3_000) : Number.POSITIVE_INFINITY,
    politeEnd,
    cursedAfterMs: kind === 'cursed' ? random.int(0, natural - 1) : Number.POSITIVE_INFINITY,
  };
}

function mishap(random: Random, task: Task): Behaviour['kind'] {
  const canHang = timeoutMsOf(task) > 0 ? 1 : 0;
  const canBeSilent = idleTimeoutMsOf(task) > 0 ? 1 : 0;
  return random.weighted({ bad: 5, hanging: canHang, silent: canBeSilent, 'unstartable-once': 0.6 });
}
