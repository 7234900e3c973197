// From tasks that are ready to a `Plan`: what only the whole plan can tell. Whatever is not as it should be is left to the
// general way, which says it.
import { findCycles } from '../core/cycle.ts';
import { hasOrderOfFile } from '../core/file-order.ts';
import type { PlanPath } from '../core/ids.ts';
import type { Plan, TaskKeys } from '../core/plan.ts';
import type { Settings } from '../core/settings.ts';
import { knownPools, planOf } from './assemble.ts';
import { defaultsOf, isNothing, leafKeys } from './inherit.ts';
import { inferOrder, type Order, readOrder } from './order.ts';
import type { RawPhase, TopKeys } from './raw-plan.ts';
import type { ReadyTasks } from './ready-tasks.ts';
import type { Place, Report } from './report.ts';

export interface ReadyPlan {
  readonly ready: ReadyTasks;
  readonly top: TopKeys;
  readonly title: string | null;
  readonly phases: readonly RawPhase[];
  readonly saysPhase: Place | null;
}

/** All was plain up to here, and this is one more than a plan has: the general way would come no further. */
export interface TooManyTasks {
  readonly tooMany: Place;
}

export interface Finishing {
  readonly path: PlanPath;
  readonly settings: Settings | undefined;
  readonly report: Report;
}

/** Null, and nothing said, when the general way has to look at it. */
export function finishReady(
  { ready, top, title, phases, saysPhase }: ReadyPlan,
  { path, settings, report }: Finishing,
): { readonly plan: Plan; readonly assumedOrder?: Order; readonly areSeparate: boolean } | null {
  const { tasks } = ready;
  if (tasks.length === 0 || !ready.settle() || !hasPools(ready, top, settings)) return null;
  const inherited = inherit(ready, top, settings);
  const signs = { top, tasks, named: ready.hasNeeds, saysPhase, specKit: null, kiro: null };
  const order = (top.order?.value as Order | undefined) ?? inferOrder(signs);
  const plan = planOf({ path, title, phases, top, tasks, order, sequences: [] });
  if (!isFree(plan, ready)) return null;
  const { assumed } = readOrder(signs, report);
  const areSeparate = ready.areSeparate && !(inherited.files || inherited.reads || inherited.locks);
  return { plan, areSeparate, ...(assumed === undefined ? {} : { assumedOrder: assumed }) };
}

/** Of cycles. */
function isFree(plan: Plan, ready: ReadyTasks): boolean {
  if (ready.onlyBackwards && hasOrderOfFile(plan)) return true;
  if (plan.order === 'explicit') return ready.isAcyclic;
  return findCycles(plan, 1, ready.index).length === 0;
}

function hasPools({ usesPools, tasks }: ReadyTasks, top: TopKeys, settings: Settings | undefined): boolean {
  if (!usesPools && top.defaults.uses === undefined) return true;
  const known = knownPools(top, settings);
  const areKnown = (names: readonly string[] | undefined) => names?.every((name) => known.has(name)) ?? true;
  return areKnown(top.defaults.uses) && tasks.every(({ keys }) => areKnown(keys.uses));
}

/** Returns what all inherit. */
function inherit({ tasks }: ReadyTasks, top: TopKeys, settings: Settings | undefined): TaskKeys {
  const defaults = defaultsOf(settings?.defaults, top.defaults);
  if (!isNothing(defaults)) for (const task of tasks) task.keys = leafKeys(defaults, task.keys);
  const { prompt } = top;
  if (prompt !== undefined) for (const task of tasks) if (task.prompt === undefined) addPrompt(task, prompt);
  return defaults;
}

/** In front of what the box says, as for a task with a prompt of its own. */
function addPrompt(task: ReadyTasks['tasks'][number], prompt: string): void {
  const { ticked } = task;
  if (ticked !== undefined) delete task.ticked;
  task.prompt = prompt;
  if (ticked !== undefined) task.ticked = ticked;
}
