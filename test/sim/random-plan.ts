// Plans that nobody would write: groups in groups, needs and preferences across all of them, phases, optional and ticked tasks,
// limits, retries and timeouts. Always valid: a task depends only on what stands on one side of it, so there is no cycle.
import { planPath, type TaskId, taskId } from '../../src/core/model/ids.ts';
import type { Plan, Task, TaskKeys } from '../../src/core/model/plan.ts';
import { keysOfPlans, randomKeys } from './people/lock-scripts.ts';
import type { Random } from './random.ts';

type Draft = { -readonly [Key in keyof Task]: Task[Key] };

export interface PlanWishes {
  readonly path: string;
  readonly size: number;
}

const pools = ['db', 'port', 'gpu'] as const;

export function randomPlan(random: Random, { path, size }: PlanWishes): Plan {
  const tasks = outline(random, size);
  const order = random.weighted({ explicit: 6, phases: 4, 'spec-kit': 1, sequential: 0.5 });
  const phases = tasks.at(-1)!.phase + 1;
  link(random, tasks, order === 'explicit' && random.chance(0.5));
  const lockiness = random.pick([0, 0.2, 0.4]);
  for (const task of tasks) dress(random, task, lockiness);
  return {
    path: planPath(path),
    title: path,
    order,
    phases: Array.from({ length: phases }, (_, i) => ({ name: `Phase ${i + 1}` })),
    tasks,
    ...(random.chance(0.94) ? { maxParallel: random.chance(0.85) ? random.int(8, 16) : random.int(1, 7) } : {}),
    pools: limits(random),
    ...(random.chance(0.1) ? { maxAttempts: random.int(5, 40) } : {}),
  };
}

/** The plan as its author leaves it after an edit: tasks were added at its end, changed or removed, or boxes ticked. */
export function editPlan(random: Random, plan: Plan, edition: number): Plan {
  if (random.chance(0.3)) return rewrite(random, plan, edition);
  if (random.chance(0.3)) return remove(random, plan);
  if (random.chance(0.4)) {
    const at = random.int(0, plan.tasks.length - 1);
    return { ...plan, tasks: plan.tasks.map((task, i) => (i === at && !task.group ? tick(random, task) : task)) };
  }
  const added = Array.from({ length: random.int(1, 3) }, (_, i): Task => {
    const needs = random.chance(0.5) ? { needs: [random.pick(plan.tasks).id] } : {};
    const task: Draft = {
      id: taskId(`new${edition}-${i}`),
      title: '',
      line: plan.tasks.length + i + 1,
      phase: plan.phases.length - 1,
      keys: {},
      ...needs,
    };
    dress(random, task, 0.2);
    return task;
  });
  return { ...plan, tasks: [...plan.tasks, ...added] };
}

/** Other words, another limit of time, other retries: also for those that run. */
function rewrite(random: Random, plan: Plan, edition: number): Plan {
  const one = random.pick(plan.tasks);
  const keys = { ...one.keys, retries: random.int(0, 3), timeoutMs: random.spread(2_000, 60_000) };
  return { ...plan, tasks: plan.tasks.map((task) => (task === one ? { ...task, title: `v${edition}`, keys } : task)) };
}

/** A task at the top that nobody waits for, or none. */
function remove(random: Random, plan: Plan): Plan {
  const named = new Set(plan.tasks.flatMap(({ needs = [], prefers = [] }) => [...needs, ...prefers]));
  const free = plan.tasks.filter(({ id, group, parent }) => !group && parent === undefined && !named.has(id));
  if (free.length === 0 || plan.tasks.length < 3) return plan;
  const gone = plan.tasks.indexOf(random.pick(free));
  const place = (at: number) => (at > gone ? at - 1 : at);
  const tasks = plan.tasks.flatMap((task, i) => {
    if (i === gone) return [];
    return task.parent === undefined ? task : { ...task, parent: place(task.parent) };
  });
  return { ...plan, tasks };
}

const tick = (random: Random, task: Task): Task => ({ ...task, ticked: random.chance(0.7) ? 'completed' : 'skipped' });

function outline(random: Random, size: number): Draft[] {
  const tasks: Draft[] = [];
  const around: number[] = [];
  const newPhase = random.chance(0.7) ? 4 / size : 0;
  let phase = 0;
  for (let i = 0; i < size; i++) {
    while (around.length > 0 && random.chance(0.3)) around.pop();
    if (around.length === 0 && i > 0 && random.chance(newPhase)) phase++;
    const parent = around.at(-1);
    const optional = random.chance(0.08) || (parent !== undefined && tasks[parent]!.optional === true);
    tasks.push({
      id: taskId(`t${i}`),
      title: '',
      line: i + 1,
      phase,
      keys: {},
      ...(parent === undefined ? {} : { parent }),
      ...(optional ? { optional: true } : {}),
    });
    if (around.length < 4 && i < size - 1 && random.chance(0.15)) around.push(i);
    for (const group of around) if (group < i) tasks[group]!.group = true;
  }
  return tasks;
}

function link(random: Random, tasks: Draft[], backwards: boolean): void {
  const needs = random.pick([0.3, 0.8, 1.5]);
  tasks.forEach((task, i) => {
    const isRelated = (j: number) => around(tasks, i).includes(j) || around(tasks, j).includes(i);
    const eligible = [...tasks.keys()].filter((j) => (backwards ? j > i : j < i) && !isRelated(j));
    // Mostly near ones, so that chains get long.
    const some = (count: number): TaskId[] => {
      const near = eligible.filter((j) => Math.abs(i - j) < 15);
      const chosen = Array.from({ length: count }, () => random.pick(random.chance(0.7) ? near : eligible));
      return [...new Set(chosen.filter((j) => j !== undefined))].map((j) => tasks[j]!.id);
    };
    const needed = some(random.chance(needs / 2) ? random.int(1, 3) : 0);
    if (needed.length > 0) task.needs = needed;
    const preferred = some(random.chance(0.12) ? random.int(1, 2) : 0).filter((id) => !needed.includes(id));
    if (preferred.length > 0) task.prefers = preferred;
  });
}

/** The groups around a task. */
function around(tasks: readonly Task[], i: number): number[] {
  const { parent } = tasks[i]!;
  return parent === undefined ? [] : [parent, ...around(tasks, parent)];
}

function dress(random: Random, task: Draft, lockiness: number): void {
  if (!task.group && random.chance(0.03)) task.ticked = random.chance(0.6) ? 'completed' : 'skipped';
  const models = { none: 3, haiku: 1, sonnet: 1, opus: 0.3 };
  const model = random.weighted(models);
  const uses = pools.filter(() => random.chance(0.06));
  const keys: { -readonly [Key in keyof TaskKeys]: TaskKeys[Key] } = {};
  if (random.chance(0.9)) keys.run = 'true';
  else keys.agent = 'tool';
  if (model !== 'none') keys.model = model;
  if (uses.length > 0) keys.uses = uses;
  if (random.chance(0.8)) keys.retries = random.chance(0.95) ? random.int(0, 3) : 9;
  if (random.chance(0.3)) keys.timeoutMs = random.spread(2_000, 60_000);
  if (random.chance(0.3)) keys.idleTimeoutMs = random.chance(0.1) ? 0 : random.spread(5_000, 60_000);
  if (random.chance(0.1)) keys.priority = random.int(-2, 3);
  const declared = (most: number) => (random.chance(lockiness) ? randomKeys(random, keysOfPlans, most) : undefined);
  const [files, reads, locks] = [declared(3), declared(2), random.chance(0.3) ? declared(2) : undefined];
  if (files) keys.files = files;
  if (reads) keys.reads = reads;
  if (locks) keys.locks = locks;
  if (task.parent === undefined && random.chance(0.7)) task.parallel = true;
  task.keys = keys;
}

function limits(random: Random): Record<string, number> {
  return {
    opus: random.int(1, 2),
    sonnet: random.int(2, 4),
    db: random.int(1, 3),
    port: random.int(1, 2),
    gpu: random.chance(0.12) ? 0 : random.int(1, 3),
  };
}
