// Whether an agent is at work: a program that may write any file of the workspace, also the plan that it is judged by. A command that the
// plan's author wrote is none.
import type { StoredEvent } from '../../model/event.ts';
import type { Plan, Task } from '../../model/plan.ts';
import type { Job, PlanState, State } from '../state.ts';
import { startedTask } from './started-task.ts';

export function agentAlive(state: State): boolean {
  for (const { plan, task, job } of state.live.values()) if (isAgentJob(taskIn(state, plan, task), job)) return true;
  return false;
}

/** An attempt or a review that an agent performs begins. */
export function agentBegins(state: State, event: StoredEvent): boolean {
  if (event.type === 'review-scheduled') return true;
  if (event.type !== 'attempt-scheduled') return false;
  const { agent } = event;
  return isAgentJob(taskIn(state, event.plan, event.task), {
    kind: 'attempt',
    ...(agent === undefined ? {} : { agent }),
  });
}

/** Any of them may perform something of a plan that is being run. */
export function mayUseAgents(state: State): boolean {
  for (const plan of state.plans.values()) if (plan.run?.ended === null && hasAgentTasks(plan.plan)) return true;
  return agentAlive(state);
}

const known = new WeakMap<Plan, boolean>();

function hasAgentTasks(plan: Plan): boolean {
  const found =
    known.get(plan) ??
    plan.tasks.some(({ group, keys }) => !group && (keys.run === undefined || keys.review === 'agent'));
  known.set(plan, found);
  return found;
}

function taskIn(state: State, path: PlanState['path'], id: Task['id']): Task | null {
  const plan = state.plans.get(path);
  const at = plan?.index.get(id);
  return at === undefined ? null : startedTask(plan!, at);
}

/** What is not known is taken for an agent. */
function isAgentJob(task: Task | null, job: Job): boolean {
  if (job.kind === 'check' || job.kind === 'merge') return false;
  return job.kind === 'review' || job.agent !== undefined || task?.keys.run === undefined;
}
