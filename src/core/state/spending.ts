// What attempts and reviews of coding agents cost, and what their ends say about their accounts.
import type { AgentReport } from '../model/agent-result.ts';
import { provenBy } from './accounts.ts';
import type { LiveAttempt, PlanState, Spent, State, TaskState } from './state.ts';

export const nothingSpent: Spent = { usd: 0, priced: 0, unknown: 0 };

/** It has ended. @param agent absent: no coding agent, or nobody knows anything of it. */
export function chargeFor(state: State, plan: PlanState, live: LiveAttempt, agent: AgentReport | undefined): void {
  if (agent === undefined) return;
  const { costUsd } = agent;
  if (plan.run) plan.run.spent = added(plan.run.spent, costUsd);
  const at = plan.index.get(live.task);
  if (at !== undefined) plan.tasks[at]!.spent += costUsd ?? 0;
  if (agent.class !== 'rate-limit') provenBy(state.accounts, live);
}

function added({ usd, priced, unknown }: Spent, costUsd: number | undefined): Spent {
  return costUsd === undefined
    ? { usd, priced, unknown: unknown + 1 }
    : { usd: usd + costUsd, priced: priced + 1, unknown };
}

/** The account that its review ran into is closed now. */
export function forgetLimit(task: TaskState): void {
  if (!task.ended?.limited) return;
  const { limited: _, ...ended } = task.ended;
  task.ended = ended;
}
