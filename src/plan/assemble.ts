// From what a reader found to a `Plan`: ids, needs, keys handed down, order, and every check that needs the whole plan.
import { type Cycle, dropPreferenceCycles, findCycles } from '../core/cycle.ts';
import { defaultPools } from '../core/defaults.ts';
import { hasOrderOfFile } from '../core/file-order.ts';
import { type PlanPath, type TaskId, taskId } from '../core/ids.ts';
import type { Plan, Task, TaskKeys } from '../core/plan.ts';
import type { Settings } from '../core/settings.ts';
import { describeCycle } from './describe-cycle.ts';
import { quoted } from './diagnostic.ts';
import { tellEmptyPlan } from './empty-plan.ts';
import { type Ids, nameTasks } from './ids.ts';
import { defaultsOf, groupKeys, leafKeys } from './inherit.ts';
import { nearest } from './nearest.ts';
import { type Order, readOrder } from './order.ts';
import type { Draft, RawPlan, RawTask, TopKeys } from './raw-plan.ts';
import type { Place, Report } from './report.ts';
import { NeedsResolver } from './resolve-needs.ts';

export interface Assembly {
  readonly path: PlanPath;
  readonly raw: RawPlan;
  readonly settings: Settings | undefined;
  readonly report: Report;
}

/** Good for nothing when the report has an error. */
export function assemble({ path, raw, settings, report }: Assembly): { plan: Plan | null; assumedOrder?: Order } {
  if (raw.tasks.length === 0 && !report.failed) tellEmptyPlan(path, report);
  const ids = nameTasks(raw.tasks, report, raw.index);
  checkPools(raw, settings, report);
  const needs = new NeedsResolver(raw.tasks, ids, report);
  const tasks = buildTasks({ path, raw, settings, report }, ids, needs);
  const sequences = sequencesOf(raw, tasks, needs);
  const named = raw.tasks.some((task) => task.references !== null && task.references.length > 0);
  const { order, assumed } = readOrder({ ...raw, named }, report);
  const found = planOf({ path, title: raw.title, phases: raw.phases, top: raw.top, tasks, order, sequences });
  const isSure = ids.index.size === tasks.length;
  const plan = isSure
    ? withoutCycles(found, raw.tasks, report, { index: ids.index, onlyBackwards: needs.onlyBackwards })
    : withoutCycles(withoutDoubtfulNeeds(found), raw.tasks, report);
  return { plan, ...(assumed === undefined ? {} : { assumedOrder: assumed }) };
}

export interface PlanParts extends Required<Pick<Plan, 'path' | 'phases' | 'tasks' | 'order' | 'sequences'>> {
  readonly title: string | null;
  readonly top: TopKeys;
}

export function planOf({ path, title, phases, top, tasks, order, sequences }: PlanParts): Plan {
  const { defaults: _defaults, prompt: _prompt, order: _order, usesAt: _usesAt, title: topTitle, ...rest } = top;
  return {
    path,
    title: title ?? topTitle ?? nameOf(path),
    order,
    ...(sequences.length > 0 ? { sequences } : {}),
    phases,
    tasks,
    ...rest,
  };
}

/** Nothing follows in a list of one. */
function sequencesOf(raw: RawPlan, tasks: readonly Task[], needs: NeedsResolver): TaskId[][] {
  return (raw.sequences ?? [])
    .map((sequence) => ('tasks' in sequence ? sequence.tasks : needs.list(sequence.references)))
    .filter((list) => list.length > 1)
    .map((list) => list.map((i) => tasks[i]!.id));
}

function buildTasks({ raw, settings, report }: Assembly, ids: Ids, needs: NeedsResolver): Task[] {
  const defaults = defaultsOf(settings?.defaults, raw.top.defaults);
  const groups = new Uint8Array(raw.tasks.length);
  for (const { parent } of raw.tasks) if (parent >= 0) groups[parent] = 1;
  const handDown = new Map<number, TaskKeys>();
  const bare = new Map<TaskKeys, TaskKeys>();
  const tasks: Task[] = [];
  for (let i = 0; i < raw.tasks.length; i++) {
    const from = raw.tasks[i]!;
    const base = from.parent >= 0 ? handDown.get(from.parent)! : defaults;
    const isGroup = groups[i] === 1;
    const group = isGroup ? groupKeys(base, from.keys, bare) : null;
    if (group) handDown.set(i, group.handDown);
    const keys = group ? group.keys : leafKeys(base, from.keys);
    const prompt = from.prompt ?? (isGroup ? undefined : raw.top.prompt);
    const parent = from.parent >= 0 ? tasks[from.parent]! : null;
    const resolved = needs.resolve(i);
    const isPlain = parent === null && !isGroup && !from.parallel && resolved.prefers === undefined;
    const task = taskOf(from, ids.of[i]!, keys, { needs: resolved.needs, prompt: isPlain ? prompt : undefined });
    if (!isPlain) {
      if (resolved.prefers) task.prefers = resolved.prefers;
      if (parent) task.parent = from.parent;
      if (isGroup) task.group = true;
      if (from.parallel) task.parallel = true;
      if (prompt !== undefined) task.prompt = prompt;
    }
    markBox(task, from, parent, report);
    tasks.push(task);
  }
  return tasks;
}

/** A literal for each of the common sets of keys: one that is added later costs every one of 100,000 tasks a store of its own. */
function taskOf(
  from: RawTask,
  name: string,
  keys: TaskKeys,
  { needs, prompt }: { readonly needs: Task['needs'] | undefined; readonly prompt: string | undefined },
): Draft<Task> {
  const id = taskId(name);
  const { line, phase } = from;
  const title = from.title === '' ? name : from.title;
  if (needs === undefined)
    return prompt === undefined ? { id, title, line, phase, keys } : { id, title, line, phase, keys, prompt };
  return prompt === undefined
    ? { id, title, line, phase, keys, needs }
    : { id, title, line, phase, keys, needs, prompt };
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

export const knownPools = (top: TopKeys, settings: Settings | undefined): ReadonlySet<string> =>
  new Set([defaultPools, settings?.pools ?? {}, top.pools ?? {}].flatMap((pools) => Object.keys(pools)));

function checkPools({ tasks, top }: RawPlan, settings: Settings | undefined, report: Report): void {
  const known = knownPools(top, settings);
  const check = (uses: readonly string[] | undefined, at: Place | null | undefined) => {
    if (uses === undefined || !at) return;
    for (const name of uses) {
      if (known.has(name)) continue;
      if (report.isFull('error', 'unknown-pool')) {
        report.count('error', 'unknown-pool');
        continue;
      }
      const meant = nearest(name, known);
      const found = report.lineAt(at.line).indexOf(name, at.column - 1);
      report.error({
        code: 'unknown-pool',
        message: `there is no pool ${quoted(name)}`,
        line: at.line,
        column: found < 0 ? at.column : found + 1,
        length: name.length,
        help:
          meant === undefined
            ? `declare it with \`pools: { ${name}: 1 }\` at the top of the plan, or in signalbox.yaml`
            : `did you mean ${quoted(meant)}?`,
      });
    }
  };
  check(top.defaults.uses, top.usesAt);
  for (const task of tasks) check(task.keys?.uses, task.usesAt);
}

/** Mending a few shows whether there are more. */
const mostCycles = 10;

interface KnownOrder {
  readonly index: Ids['index'];
  /** Every need is on a task further up. */
  readonly onlyBackwards: boolean;
}

/** Needs in a circle are an error; a preference that closes one is dropped with a warning. */
function withoutCycles(plan: Plan, raw: readonly RawTask[], report: Report, known?: KnownOrder): Plan | null {
  // Nearly every plan is written so, and then no graph has to be built to see it.
  if (known?.onlyBackwards && hasOrderOfFile(plan)) return plan;
  const index = known?.index;
  const cycles = findCycles(plan, mostCycles, index);
  for (const cycle of cycles) {
    report.error({
      code: 'cycle',
      message: `these wait for each other for ever: ${describeCycle(cycle)}`,
      ...placeOfNeed(plan, raw, cycle),
      help: 'take one of these needs out',
    });
  }
  if (cycles.length > 0) return null;
  if (!plan.tasks.some((task) => task.prefers)) return plan;
  const { plan: kept, dropped } = dropPreferenceCycles(plan, index);
  for (const { task, preferred } of dropped) {
    const message = `${quoted(task)} prefers ${quoted(preferred)}, which waits for it: the preference is dropped`;
    const help = 'take it out, or leave it: it changes nothing';
    report.warning({ code: 'preference-cycle', message, ...placeOf(plan, raw, task, preferred), help });
  }
  return kept;
}

/** With an id twice, a need of it could mean either: no cycle is told that may only seem to be one. */
function withoutDoubtfulNeeds(plan: Plan): Plan {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { id } of plan.tasks) (seen.has(id) ? twice : seen).add(id);
  const named = new Set<string>();
  const tasks = plan.tasks.map((task): Task => {
    const id = named.has(task.id) ? taskId(`${task.id} (line ${task.line})`) : task.id;
    named.add(task.id);
    const { needs, prefers: _, ...rest } = task;
    const sure = needs?.filter((need) => !twice.has(need));
    return { ...rest, id, ...(sure ? { needs: sure } : {}) };
  });
  const { sequences: _, ...rest } = plan;
  return { ...rest, tasks };
}

/** The first need of the circle, where it was written. */
function placeOfNeed(plan: Plan, raw: readonly RawTask[], { steps }: Cycle): Place & { length: number } {
  const { from, to } = steps.find(({ why }) => why === 'need') ?? steps[0]!;
  return placeOf(plan, raw, from, to);
}

function placeOf(plan: Plan, raw: readonly RawTask[], from: string, to: string): Place & { length: number } {
  const { references, line, column } = raw[plan.tasks.findIndex((task) => task.id === from)]!;
  const reference = references?.find(({ text }) => text === to) ?? references?.[0];
  if (!reference) return { line, column, length: 1 };
  return { line: reference.line, column: reference.column, length: reference.text.length };
}

/** `docs/checkout.md` → `checkout`. */
function nameOf(path: PlanPath): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
}
