// From what a reader found to a `Plan`: ids, needs, keys handed down, order, and every check that needs the whole plan.
import { type PlanPath, type TaskId, taskId } from '../../core/model/ids.ts';
import type { Plan, Task, TaskKeys } from '../../core/model/plan.ts';
import type { Settings } from '../../core/model/settings.ts';
import { quoted } from '../diagnostics/diagnostic.ts';
import type { Report } from '../diagnostics/report.ts';
import type { Draft, RawPlan, RawTask } from '../read/raw-plan.ts';
import { withoutCycles } from './cycles.ts';
import { tellEmptyPlan } from './empty-plan.ts';
import { type Ids, nameTasks } from './ids.ts';
import { defaultsOf, groupKeys, overlay } from './inherit.ts';
import { type Order, readOrder } from './order.ts';
import { checkPools } from './pools.ts';
import { NeedsResolver } from './resolve-needs.ts';

export interface PlanSource {
  readonly path: PlanPath;
  readonly raw: RawPlan;
  readonly settings: Settings | undefined;
  readonly report: Report;
}

/** Good for nothing when the report has an error. */
export function buildPlan(source: PlanSource): { plan: Plan | null; assumedOrder?: Order } {
  const { path, raw, settings, report } = source;
  if (raw.tasks.length === 0 && !report.failed) tellEmptyPlan(path, report);
  const ids = nameTasks(raw.tasks, report);
  checkPools(raw, settings, report);
  const needs = new NeedsResolver(raw.tasks, ids, report);
  const tasks = buildTasks(source, ids, needs);
  const sequences = sequencesOf(raw, tasks, needs);
  const named = raw.tasks.some((task) => task.references !== null && task.references.length > 0);
  const { order, assumed } = readOrder({ ...raw, named }, report);
  const { defaults: _defaults, prompt: _prompt, order: _order, usesAt: _usesAt, title, ...rest } = raw.top;
  const plan: Plan = {
    path,
    title: raw.title ?? title ?? nameOf(path),
    order,
    ...(sequences.length > 0 ? { sequences } : {}),
    phases: raw.phases,
    tasks,
    ...rest,
  };
  return {
    plan: withoutCycles(plan, raw.tasks, report),
    ...(assumed === undefined ? {} : { assumedOrder: assumed }),
  };
}

/** Nothing follows in a list of one. */
function sequencesOf(raw: RawPlan, tasks: readonly Task[], needs: NeedsResolver): TaskId[][] {
  return (raw.sequences ?? [])
    .map((sequence) => ('tasks' in sequence ? sequence.tasks : needs.list(sequence.references)))
    .filter((list) => list.length > 1)
    .map((list) => list.map((i) => tasks[i]!.id));
}

function buildTasks({ raw, settings, report }: PlanSource, ids: Ids, needs: NeedsResolver): Task[] {
  const defaults = defaultsOf(settings?.defaults, raw.top.defaults);
  const groups = new Set(raw.tasks.map(({ parent }) => parent));
  const handDown = new Map<number, TaskKeys>();
  const bare = new Map<TaskKeys, TaskKeys>();
  const tasks: Task[] = [];
  raw.tasks.forEach((from, i) => {
    const base = from.parent >= 0 ? handDown.get(from.parent)! : defaults;
    const group = groups.has(i) ? groupKeys(base, from.keys, bare) : null;
    if (group) handDown.set(i, group.handDown);
    const id = taskId(ids.of[i]!);
    const keys = group ? group.keys : overlay(base, from.keys);
    const task: Draft<Task> = { id, title: from.title || id, line: from.line, phase: from.phase, keys };
    const { needs: needed, prefers } = needs.resolve(i);
    if (needed) task.needs = needed;
    if (prefers) task.prefers = prefers;
    if (from.parent >= 0) task.parent = from.parent;
    if (group) task.group = true;
    if (from.parallel) task.parallel = true;
    const prompt = from.prompt ?? (group ? undefined : raw.top.prompt);
    if (prompt !== undefined) task.prompt = prompt;
    markBox(task, from, from.parent >= 0 ? tasks[from.parent]! : null, report);
    tasks.push(task);
  });
  return tasks;
}

/** A ticked, skipped or optional group hands that down; a subtask's own tick counts more than that of its group. */
function markBox(task: Draft<Task>, from: RawTask, parent: Task | null, report: Report): void {
  if (from.optional || parent?.optional) task.optional = true;
  const ticked = from.box === 'open' ? parent?.ticked : from.box;
  if (ticked !== undefined) task.ticked = ticked;
  if (from.box === 'open' && parent?.ticked === 'completed') {
    report.warning({
      code: 'box-disagrees',
      message: `task ${quoted(task.id)} is not ticked, but its group ${quoted(parent.id)} is: it counts as completed`,
      line: from.line,
      column: from.column,
      help: 'tick it, or take the tick off its group',
    });
  }
}

/** `docs/checkout.md` → `checkout`. */
function nameOf(path: PlanPath): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
}
