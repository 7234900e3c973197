// Events for the tests of the stores: a plan of so many shell tasks, and what happens to them.
import type { Event } from '../../src/core/model/event.ts';
import {
  attemptId,
  hostId,
  type PlanPath,
  type ProcessIdentity,
  planPath,
  runId,
  taskId,
} from '../../src/core/model/ids.ts';

export const samplePath = planPath('plan.md');
const run = runId('r1');
const host = hostId('boot:ns');
const supervisor: ProcessIdentity = { host, pid: 4711, startTime: '99' };

export function planLoaded(tasks = 3, plan: PlanPath = samplePath): Event {
  const definition = {
    path: plan,
    title: 'Sample',
    order: 'explicit' as const,
    phases: [{ name: '' }],
    tasks: Array.from({ length: tasks }, (_, i) => ({
      id: taskId(`t${i}`),
      title: `Task ${i}`,
      line: i + 1,
      phase: 0,
      ...(i === 2 ? { needs: [taskId('t0')] } : {}),
      keys: { run: 'true', model: 'opus' },
    })),
  };
  return { type: 'plan-loaded', v: 1, plan, revision: 'a', definition };
}

export const paused = (by: string, plan: PlanPath = samplePath): Event => ({ type: 'plan-paused', v: 1, plan, by });

/** By somebody whom nobody started: it belongs to no plan. */
export const locked = (resource: string): Event => ({
  ...{ type: 'lock-acquired', v: 1, plan: planPath(''), owner: 'ann', agent: 'ann', resource, mode: 'exclusive' },
});

export function runStarted(plan: PlanPath = samplePath): Event {
  return { type: 'run-started', v: 1, plan, run, runner: supervisor, limits: { plan: 3, pools: { opus: 1 } } };
}

const about = (task: string, token: number) => ({
  v: 1 as const,
  plan: samplePath,
  run,
  task: taskId(task),
  attempt: attemptId(taskId(task), 1),
  token,
});

export const scheduled = (task: string, token: number): Event => ({
  type: 'attempt-scheduled',
  ...about(task, token),
  host,
});
export const started = (task: string, token: number): Event => ({
  type: 'attempt-started',
  ...about(task, token),
  supervisor,
});
export const doomed = (task: string, token: number): Event => ({
  type: 'attempt-doomed',
  ...about(task, token),
  doom: { kind: 'stop' },
});
export const ended = (task: string, token: number): Event => ({
  type: 'attempt-ended',
  ...about(task, token),
  end: { kind: 'exited', code: 0 },
});
export const completed = (task: string): Event => ({
  type: 'task-completed',
  v: 1,
  plan: samplePath,
  task: taskId(task),
});

/** The whole life of a task: four events, as a runner records them. */
export const life = (task: string, token: number): readonly Event[] => [
  scheduled(task, token),
  started(task, token),
  ended(task, token),
  completed(task),
];
