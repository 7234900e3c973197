// The one gate for plans that agents write. A text is held here before it becomes the plan that runs, that is worked on by hand or whose
// checks are run: `run` and its edits, `reload`, `reset`, the first load of any command, `verify`. What only looks at a plan does not ask.
import { commandLine } from '../../core/model/command-line.ts';
import type { Plan } from '../../core/model/plan.ts';
import { planOrders } from '../../core/model/plan-orders.ts';
import type { PlanReading } from '../../plan/read-plan.ts';
import { type PlanFile, validPlan } from '../files/plan-file.ts';
import { Refusal } from '../refusal.ts';
import type { Workspace } from '../workspace.ts';
import { PlanRecord } from './plan-record.ts';

/** The plan in a file, or a refusal: it has mistakes, or an agent wrote it and nobody has approved it. */
export async function approvedPlan(
  workspace: Workspace,
  file: PlanFile,
  warn?: (read: PlanReading) => void,
  before?: PlanReading,
): Promise<Plan> {
  let read: PlanReading | null = null;
  const plan = await validPlan(workspace, file, (reading) => (read = reading), before);
  await refuseUnapproved(workspace, file, plan);
  if (read) warn?.(read);
  return plan;
}

export async function refuseUnapproved(workspace: Workspace, file: PlanFile, plan: Plan): Promise<void> {
  const { standing, agent } = await new PlanRecord(workspace).origin(file, async () => planOrders(plan));
  if (standing !== 'unapproved') return;
  throw new Refusal(4, `${agent} wrote ${file.path}, and nobody has approved it: its commands do not run`, {
    instead: `see them and approve them: ${commandLine('approve', file.path)}`,
  });
}
