// Hands keys down: settings → plan → groups → task. Tasks that add nothing share one frozen object, so that a hundred
// thousand of them weigh little.
import type { TaskKeys } from '../../core/model/plan.ts';
import type { Draft } from '../read/raw-plan.ts';

/** What a task has, and what its subtasks start from. */
export interface Inherited {
  readonly keys: TaskKeys;
  readonly handDown: TaskKeys;
}

const nothing: TaskKeys = Object.freeze({});

/** `own` over `base`; variables and labels add up. */
export function overlay(base: TaskKeys, own: TaskKeys | null): TaskKeys {
  if (own === null || isNothing(own)) return base;
  if (isNothing(base)) return own;
  const keys: Draft<TaskKeys> = { ...base, ...own };
  if (base.env && own.env) keys.env = Object.assign(Object.create(null), base.env, own.env);
  if (base.labels && own.labels) keys.labels = [...new Set([...base.labels, ...own.labels])];
  return keys;
}

/** The defaults of every task. */
export function defaultsOf(settings: TaskKeys | undefined, plan: TaskKeys): TaskKeys {
  return Object.freeze({ ...overlay(settings ?? nothing, plan) });
}

/**
 * A group's own `check` and `review` are done once, for the group; its subtasks do not get them. Those of the plan are
 * for every leaf, so they pass through a group without becoming its own.
 */
export function groupKeys(base: TaskKeys, own: TaskKeys | null, cache: Map<TaskKeys, TaskKeys>): Inherited {
  let bare = cache.get(base);
  if (bare === undefined) {
    bare = base.check || base.review ? Object.freeze(without(base)) : base;
    cache.set(base, bare);
  }
  if (own === null) return { keys: bare, handDown: base };
  return { keys: overlay(bare, own), handDown: Object.freeze(overlay(base, without(own))) };
}

function without({ check: _check, review: _review, ...rest }: TaskKeys): TaskKeys {
  return rest;
}

function isNothing(keys: TaskKeys): boolean {
  for (const _ in keys) return false;
  return true;
}
