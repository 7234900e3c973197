// Small plans in which everything that can be verified is: checks and reviews of tasks and groups, checks of phases, batches, a last
// step, and every policy about failures.
import { planPath, taskId } from '../../../src/core/model/ids.ts';
import type { Phase, Plan, Task, TaskKeys } from '../../../src/core/model/plan.ts';
import type { Random } from '../random.ts';

type Draft = { -readonly [Key in keyof Task]: Task[Key] };

const policies = ['ask', 'ask', 'retry', 'skip', 'escalate', 'abort'] as const;

export function randomVerifiedPlan(random: Random): Plan {
  const tasks: Draft[] = [];
  const phases: Phase[] = Array.from({ length: random.int(1, 3) }, (_, i) => ({
    name: `Phase ${i + 1}`,
    ...(random.chance(0.4) ? { check: checks(random) } : {}),
    ...(random.chance(0.4) ? { batch: true } : {}),
  }));
  phases.forEach((_, phase) => {
    for (let n = random.int(1, 4); n > 0; n--) addTask(random, tasks, phase);
  });
  tasks.forEach((task, i) => {
    const others = tasks.filter((other, j) => j < i && !isAround(tasks, task, j) && other.phase <= task.phase);
    if (others.length > 0 && random.chance(0.35)) task.needs = [random.pick(others).id];
    if (others.length > 0 && random.chance(0.25)) task.prefers = [random.pick(others).id];
  });
  return {
    path: planPath('plan.md'),
    title: 'Plan',
    order: random.pick(['explicit', 'phases', 'phases', 'spec-kit', 'sequential']),
    phases,
    tasks,
    ...(random.chance(0.5) ? { finish: 'finish' } : {}),
  };
}

function addTask(random: Random, tasks: Draft[], phase: number, parent?: number): void {
  const at = tasks.length;
  const optional = random.chance(0.12) || (parent !== undefined && tasks[parent]!.optional === true);
  const draft: Draft = {
    id: taskId(`t${at}`),
    title: `Task ${at}`,
    line: at + 1,
    phase,
    keys: keysOf(random),
    ...(parent === undefined ? {} : { parent }),
    ...(optional ? { optional: true } : {}),
    ...(random.chance(0.05) ? { ticked: random.chance(0.5) ? 'completed' : 'skipped' } : {}),
  };
  tasks.push(draft);
  const depth = parent === undefined ? 0 : tasks[parent]!.parent === undefined ? 1 : 2;
  if (depth > 1 || !random.chance(0.25)) return;
  const { ticked: _, ...group } = draft;
  tasks[at] = { ...group, group: true };
  for (let n = random.int(1, 3); n > 0; n--) addTask(random, tasks, phase, at);
}

const isAround = (tasks: readonly Draft[], task: Draft, j: number): boolean => {
  for (let at = task.parent; at !== undefined; at = tasks[at]!.parent) if (at === j) return true;
  return false;
};

const checks = (random: Random): string[] => Array.from({ length: random.int(1, 2) }, (_, i) => `check ${i}`);

function keysOf(random: Random): TaskKeys {
  return {
    ...(random.chance(0.3) ? { run: 'true' } : { agent: 'tool' }),
    ...(random.chance(0.5) ? { check: checks(random) } : {}),
    ...(random.chance(0.5) ? { review: random.pick(['agent', 'agent', 'human', 'none'] as const) } : {}),
    ...(random.chance(0.6) ? { retries: random.int(0, 6) } : {}),
    ...(random.chance(0.4) ? { onFailure: random.pick(policies) } : {}),
    ...(random.chance(0.3) ? { softFailure: 'ask' as const } : {}),
    ...(random.chance(0.2) ? { files: [random.pick(['a', 'b', 'c'])] } : {}),
    ...(random.chance(0.2) ? { uses: ['db'] } : {}),
  };
}
