// What a reader found in the text, before ids are resolved and keys handed down: the common form of markdown and YAML.
import type { IsolationKeys, TaskKeys } from '../../core/model/plan.ts';
import type { Mistake, Place } from '../diagnostics/report.ts';

/** Keys while they are collected. */
export type Draft<T> = { -readonly [K in keyof T]: T[K] };

export interface RawPlan {
  readonly nearly?: readonly NearlyNeed[];
  readonly title: string | null;
  readonly phases: readonly RawPhase[];
  /** In the order of the file, every group before its first subtask. */
  readonly tasks: readonly RawTask[];
  readonly top: TopKeys;
  /** Signs of other tools whose plans mean an order of their own. */
  readonly specKit: Place | null;
  readonly kiro: Place | null;
  /** The first heading that says "Phase". */
  readonly saysPhase: Place | null;
  /** `[SEQUENTIAL]` */
  readonly sequences?: readonly RawSequence[];
  /** The first heading that is a task. */
  readonly headed?: Place | null;
  /** The first task that a plan has no room for, of a reader that makes no tasks then. */
  readonly tooMany?: Place;
  /** Where the reader stopped, if it did. */
  readonly cut?: Cut | null;
  /** Its phases are batches: they wait for each other whatever needs are named. */
  readonly batched?: boolean;
}

/** From this line on the file was not read: there was no task for so long, or nothing but mistakes. */
export interface Cut {
  readonly line: number;
  readonly why: 'idle' | 'wrong';
}

/** Tasks that follow each other: named in the text, or found by where they stand. */
export type RawSequence = { readonly references: readonly Reference[] } | { readonly tasks: readonly number[] };

/** `- needs a`, without a colon: prose, unless all of it are ids. */
export interface NearlyNeed extends Place {
  readonly text: string;
  readonly word: string;
  /** As they were written. */
  readonly ids: string;
  /** What is told about it when it names no tasks. */
  readonly otherwise?: Mistake;
}

/** What the front matter or the top level says. */
export interface TopKeys extends IsolationKeys {
  readonly defaults: TaskKeys;
  readonly prompt?: string;
  readonly title?: string;
  readonly order?: { readonly value: string; readonly at: Place };
  readonly maxParallel?: number;
  readonly pools?: Readonly<Record<string, number>>;
  readonly finish?: string;
  readonly baseline?: boolean;
  readonly maxAttempts?: number;
  readonly budgetUsd?: number;
  /** Where `uses` stands, for the mistake of naming no pool. */
  readonly usesAt?: Place;
}

export interface RawPhase {
  readonly name: string;
  readonly check?: readonly string[];
  readonly batch?: boolean;
}

export interface RawTask {
  /** Null when the author gave none. */
  readonly id: string | null;
  readonly title: string;
  /** Where the id or, without one, the title stands. */
  readonly line: number;
  readonly column: number;
  phase: number;
  /** Index into the tasks; -1 for a top-level one. */
  parent: number;
  readonly box: 'open' | 'completed' | 'skipped' | 'suspended';
  readonly optional: boolean;
  /** `[P]` */
  readonly parallel: boolean;
  /** `[SEQUENTIAL]` in its own line. */
  readonly sequential?: boolean;
  /** Own keys only. */
  keys: Draft<TaskKeys> | null;
  references: Reference[] | null;
  prompt: string | null;
  usesAt: Place | null;
}

/** One id or range as it was written: `1.1`, `1.1-1.3`. */
export interface Reference extends Place {
  readonly kind: 'need' | 'preference';
  readonly text: string;
}
