// Whose work a plan file is, and the word of a person that what it orders may run.
import type { PlanPath } from '../../core/model/ids.ts';
import { planCommands, planOrders } from '../../core/model/plan-orders.ts';
import { type PlanFile, readPlanFile, validPlan } from '../files/plan-file.ts';
import { Refusal } from '../refusal.ts';
import type { ApprovalReport } from '../reports/plan-files.ts';
import type { Workspace } from '../workspace.ts';
import { digestOf, PlanRecord } from './plan-record.ts';

export const approvalOf = (workspace: Workspace, path: PlanPath): Promise<ApprovalReport> =>
  approvalIn(workspace, readPlanFile(workspace, path));

/** What nobody has recorded is not read: its mistakes are told by whoever runs it. */
async function approvalIn(workspace: Workspace, file: PlanFile): Promise<ApprovalReport> {
  const plan = () => validPlan(workspace, file);
  const origin = await new PlanRecord(workspace).origin(file, async () => planOrders(await plan()));
  const commands = origin.standing === 'own' ? [] : planCommands(await plan());
  return { plan: file.path, ...origin, digest: digestOf(file.text), commands };
}

/** For reports on a plan that an agent wrote. */
export async function agentsApproval(workspace: Workspace, path: PlanPath) {
  const { standing } = await approvalOf(workspace, path);
  return standing === 'own' ? {} : { approval: standing };
}

/** @param digest of the text that the person has seen; absent: the text as it is now */
export async function approvePlan(
  workspace: Workspace,
  path: PlanPath,
  { by, digest }: { readonly by: string; readonly digest?: string | undefined },
): Promise<ApprovalReport> {
  const file = readPlanFile(workspace, path);
  const report = await approvalIn(workspace, file);
  if (digest !== undefined && digest !== report.digest)
    throw new Refusal(2, `${path} was changed in the meantime`, { instead: 'look at it again' });
  if (report.standing !== 'unapproved') return report;
  const orders = planOrders(await validPlan(workspace, file));
  new PlanRecord(workspace).approve(file, { agent: report.agent!, orders }, by);
  return approvalIn(workspace, file);
}
